// The stacks of the other threads of this process: of a program that hangs, one thread asks what the others are at.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Installs the handler of SIGPROF in which a thread walks its own stack; false where the program handles that signal itself.
bool rxt_stacks_prepare(void);

// The return addresses of a thread of this process by its number, innermost first, in a task also the functions that wait; their number.
//
// 0 where the thread does not answer within the time, as one that blocks the signal, or is gone. `task` becomes the Swift task that it runs, or 0.
// A system call that waits may return to it with EINTR. For one thread at a time.
uint32_t rxt_stack_of_thread(int32_t thread, uint32_t milliseconds, uintptr_t *task, uint64_t *addresses, uint32_t limit);

// Names the calling thread, in at most 15 bytes.
void rxt_name_thread(const char *name);

#pragma clang assume_nonnull end
