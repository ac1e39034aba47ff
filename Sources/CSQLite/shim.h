// Imports the system's SQLite, with a wrapper for what Swift cannot import.
#pragma once
#include <sqlite3.h>

// Binds a copy of a text. A null pointer binds an empty text rather than NULL.
static inline int csqlite_bind_text(sqlite3_stmt *_Nullable statement, int column, const char *_Nullable text, int length) {
  return sqlite3_bind_text(statement, column, text ? text : "", length, SQLITE_TRANSIENT);
}
