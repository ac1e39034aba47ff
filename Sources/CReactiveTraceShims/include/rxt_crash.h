// Signals by which programs crash, noted in the mapped file. One file owns the place, because a handler can be given nothing.
#pragma once
#include <stdint.h>

// Where it is stored that a signal ended the process; and what that is called.
typedef struct rxt_crash_place {
  void *_Nonnull ended_by;  // uint32_t, stored last
  void *_Nonnull number;    // uint32_t
  void *_Nonnull ticks;     // uint64_t
  void *_Nonnull thread;    // uint32_t
  uint32_t by_signal;
  uint32_t counts_cycles;
} rxt_crash_place;

// From now on notes such signals there, and then lets the handler have them that was there before, or the system.
//
// A signal that the process ignores is left alone. Does nothing when called again, and nothing in a forked child.
void rxt_crash_install(rxt_crash_place place);
