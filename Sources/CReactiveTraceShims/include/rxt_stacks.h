// The stacks of the other threads of this process: if a program hangs, one thread collects what the others are doing.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Installs the handler of SIGPROF in which a thread walks its own stack; returns false if the program handles that signal
// itself.
bool rxt_stacks_prepare(void);

// Stores the return addresses of a thread of this process, innermost first, followed in a task by the awaiting functions, and
// returns how many there are. `thread` is the thread's ID, as from gettid. Returns 0 if the thread does not answer within
// `milliseconds`, because it blocks the signal or has ended. `task` receives the Swift task that it runs, or 0. A blocking
// system call of that thread may return with EINTR. Must not be called by two threads at once.
uint32_t rxt_stack_of_thread(int32_t thread, uint32_t milliseconds, uintptr_t *task, uint64_t *addresses, uint32_t limit);

// Names the calling thread. The kernel cuts the name after 15 bytes.
void rxt_name_thread(const char *name);

#pragma clang assume_nonnull end
