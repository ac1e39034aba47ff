// Restores the terminal when a crash or another signal ends the program without running any Swift code.
//
// The state is in a C file, and no function here is inline: each object file would otherwise have its own copy of the
// header's static variables. The handlers call only async-signal-safe functions: write, tcsetattr, sigaction, raise.
#pragma once
#include <stdbool.h>

/// Writes the reset string and restores the terminal modes. Async-signal-safe.
void rxn_guard_reset(void);

/// Saves the terminal modes and installs the handlers. Must be called before newterm of ncurses, which does not replace
/// installed handlers. Returns false if no pipe can be created.
bool rxn_guard_install(void);

/// Appends a terminal capability to the reset string, without its padding specifications.
void rxn_guard_append(const char *text);

/// From now on, until the next call of rxn_guard_reset, that function has an effect.
void rxn_guard_arm(void);

/// Waits for input (returns 1), a signal (2), both (3), or until the time is up (0); adds 4 if standard input has been
/// closed.
int rxn_guard_wait(int milliseconds);

/// The next of the signals received; 0 if there is none.
int rxn_guard_next_signal(void);

/// Ignores SIGTTOU if `ignores`, so that the terminal can be restored even if a shell has already taken it back;
/// otherwise restores the default action.
void rxn_guard_ignore_ttou(bool ignores);

/// Stops the program as SIGTSTP would without a handler, and returns when the program is continued.
void rxn_guard_stop(void);

/// Ends the program by the signal that requested its end, so that the parent process sees the reason.
void rxn_guard_terminate_by(int number);
