// Puts the terminal back when the program ends in a way that runs no Swift: a trap or a signal.
//
// The state is in a file of its own, and nothing here is inline: of a header's static variables, each object file of
// an optimised build has its own. Everything the handlers call is async-signal-safe: write, tcsetattr, sigaction, raise.
#pragma once
#include <stdbool.h>

/// Writes the reset string and sets the modes from before. Safe in a signal handler.
void rxn_guard_reset(void);

/// Remembers the modes and installs the handlers. Before newterm, which keeps handlers it finds.
bool rxn_guard_install(void);

/// Appends a capability to the reset string, without its padding marks.
void rxn_guard_append(const char *text);

void rxn_guard_arm(void);

/// Waits for input (1), a signal noted (2), both (3) or the end of the time (0); 4 if input is gone.
int rxn_guard_wait(int milliseconds);

/// The next signal noted; 0 if there is none.
int rxn_guard_next(void);

/// Lets the terminal be put back although a shell may have taken it already (or not any longer).
void rxn_guard_yield(bool begins);

/// Stops the program as if it had no handler, and returns when it is continued.
void rxn_guard_stop(void);

/// Ends the program by the signal it was asked to end with, so that its parent sees why.
void rxn_guard_end_by(int number);
