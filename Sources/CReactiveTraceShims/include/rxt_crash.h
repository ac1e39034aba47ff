// Records in the mapped trace file which signal crashed the program. The addresses to write to are in a global variable of
// rxt_crash.c, because the system passes no pointer of the program to a signal handler.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The maximum number of return addresses that are recorded for a crash.
enum { RXT_CRASH_FRAMES = 64 };

// Where to store that a signal ended the process, which signal, and where it happened. The last three fields are values:
// `by_signal` is stored at `ended_by`; `stack_number` is stored at `stack` if the return addresses are stored at `frames`; and
// `counts_cycles` selects the clock for `ticks`, as in `rxt_ticks`. For chains, see rxt_hops.h.
typedef struct rxt_crash_place {
  void *_Nonnull ended_by;  // uint32_t, stored last
  void *_Nonnull number;    // uint32_t
  void *_Nonnull ticks;     // uint64_t
  void *_Nonnull thread;    // uint32_t
  void *_Nonnull chain;     // uint32_t
  void *_Nonnull stack;     // uint32_t
  uint64_t *_Nullable frames;  // room for RXT_CRASH_FRAMES, or null
  uint32_t stack_number;
  uint32_t by_signal;
  uint32_t counts_cycles;
} rxt_crash_place;

// Installs handlers for the signals that mean a crash, such as SIGSEGV and SIGILL. They record the signal at `place`, and then
// call the previous handler or leave the signal to the system. A signal that the process ignores stays ignored. A second call
// does nothing. In a forked child, the handlers record nothing.
void rxt_crash_install(rxt_crash_place place);

// Stores the return addresses of the code that a signal has interrupted, and in a Swift task also the functions that await the
// interrupted one, and returns how many there are. `context` is the one passed to the handler. Async-signal-safe.
uint32_t rxt_walk_interrupted(const void *_Nonnull context, uint64_t *_Nonnull addresses, uint32_t limit);

// Makes sure that the calling thread has an alternate stack for handlers, if crashes are recorded: without it, a thread that
// has overflowed its stack has no room to run them.
void rxt_crash_take_stack(void);
extern bool rxt_crashes_are_noted;
static inline void rxt_crash_prepare_thread(void) {
  if (__atomic_load_n(&rxt_crashes_are_noted, __ATOMIC_ACQUIRE)) rxt_crash_take_stack();
}
