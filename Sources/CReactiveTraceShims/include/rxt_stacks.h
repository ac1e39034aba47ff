// The stacks of the other threads of this process: if a program hangs, one thread collects what the others are doing.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Installs the handler of SIGPROF in which a thread walks its own stack; returns false if the program handles that signal
// itself.
bool rxt_stacks_prepare(void);

// The return addresses of a thread of this process by its number, innermost first, in a task also the functions that wait;
// returns their number. 0 if the thread does not answer within the time, because it blocks the signal or has ended. `task`
// becomes the Swift task that it runs, or 0. A blocking system call of that thread may return with EINTR. For one caller at a
// time.
uint32_t rxt_stack_of_thread(int32_t thread, uint32_t milliseconds, uintptr_t *task, uint64_t *addresses, uint32_t limit);

// Names the calling thread, in at most 15 bytes.
void rxt_name_thread(const char *name);

#pragma clang assume_nonnull end
