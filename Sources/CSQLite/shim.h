// SQLite of the system, for what Swift cannot import of it as well.
#pragma once
#include <sqlite3.h>

// Binds a text, which is copied. One without an address is empty, and not none at all.
static inline int csqlite_bind_text(sqlite3_stmt *_Nullable statement, int column, const char *_Nullable text, int length) {
  return sqlite3_bind_text(statement, column, text ? text : "", length, SQLITE_TRANSIENT);
}
