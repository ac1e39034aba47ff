// ncursesw for Swift. Its globals and macros are wrapped, because Swift 6 refuses mutable C globals
// and cannot see macros that take arguments.
#pragma once
#define NCURSES_WIDECHAR 1
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Declared here instead of including term.h, which defines macros with the names of ordinary words.
extern char *tigetstr(const char *capability);

/// Takes over the terminal. Returns NULL if TERM names no usable one; unlike initscr, it never
/// exits.
static inline SCREEN *rxn_open(void) {
  SCREEN *screen = newterm(NULL, stdout, stdin);
  if (screen == NULL) return NULL;
  cbreak();
  noecho();
  nonl();
  nodelay(stdscr, TRUE);
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  return screen;
}

/// Prepares colours; returns false if the terminal has none.
static inline bool rxn_start_color(void) {
  if (!has_colors() || start_color() == ERR) return false;
  use_default_colors();
  return true;
}

static inline int rxn_color_pairs(void) { return COLOR_PAIRS; }
static inline int rxn_lines(void) { return LINES; }
static inline int rxn_columns(void) { return COLS; }

/// Reads the terminal's current size; returns false if it is unknown.
static inline bool rxn_window_size(int *lines, int *columns) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
    return false;
  *lines = size.ws_row;
  *columns = size.ws_col;
  return true;
}

/// Makes the next refresh redraw the whole screen.
static inline void rxn_touch_all(void) { clearok(curscr, TRUE); }

static inline void rxn_look(bool bold, bool dim, bool reverse, bool underlined, int pair) {
  attr_t attributes = A_NORMAL;
  if (bold) attributes |= A_BOLD;
  if (dim) attributes |= A_DIM;
  if (reverse) attributes |= A_REVERSE;
  if (underlined) attributes |= A_UNDERLINE;
  attr_set(attributes, (short)pair, NULL);
}

static inline void rxn_text(int line, int column, const char *text) {
  mvaddstr(line, column, text);
}

static inline void rxn_clear(void) { erase(); }
static inline void rxn_refresh(void) { refresh(); }

/// Reads the next key without waiting. Returns 0 if there is none, 1 for a character, 2 for a
/// function key (KEY_…).
static inline int rxn_key(unsigned int *value) {
  wint_t key = 0;
  int answer = get_wch(&key);
  *value = (unsigned int)key;
  return answer == ERR ? 0 : answer == KEY_CODE_YES ? 2 : 1;
}

/// Makes the terminal report mouse events until the screen is closed.
static inline void rxn_start_mouse(void) {
  mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED
#ifdef BUTTON5_PRESSED
                | BUTTON5_PRESSED
#endif
            , NULL);
  // Reports a press at once, without waiting to see whether it becomes a double click.
  mouseinterval(0);
}

/// Returns what the mouse did: 0 for nothing of interest, 1 for a press, 2 for a double click, 3
/// for the wheel up, 4 for the wheel down.
static inline int rxn_mouse(int *row, int *column) {
  MEVENT event;
  if (getmouse(&event) != OK) return 0;
  *row = event.y;
  *column = event.x;
  if (event.bstate & BUTTON1_DOUBLE_CLICKED) return 2;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return 1;
  if (event.bstate & BUTTON4_PRESSED) return 3;
#ifdef BUTTON5_PRESSED
  if (event.bstate & BUTTON5_PRESSED) return 4;
#endif
  return 0;
}

/// The number of bytes that can be read from standard input without waiting.
static inline int rxn_bytes_waiting(void) {
  int count = 0;
  return ioctl(STDIN_FILENO, FIONREAD, &count) == 0 ? count : 0;
}

static inline bool rxn_locale_is_utf8(void) {
  const char *set = nl_langinfo(CODESET);
  return set != NULL && strcasecmp(set, "UTF-8") == 0;
}
