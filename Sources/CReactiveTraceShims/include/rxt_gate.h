// What the gates of module Reactive need and Swift does not provide: the identity of the calling thread, in one instruction,
// and the two halves of an asymmetric memory barrier. A gate lets one thread at a time deliver events. A gate that is biased to
// a thread is entered by this thread without atomic instructions, until another thread comes; then it is shared. The proof that
// the barrier suffices is next to the code that uses it, in Gate+Bias.swift.
#pragma once
#include <stdint.h>

#include "rxt_thread.h"

#pragma clang assume_nonnull begin

// 0: new gates may be biased to a thread; 1: they are shared from the start; 2: not decided yet.
extern uint32_t rxt_gate_mode;

// Finds out whether the kernel supports the barrier, and returns the mode.
uint32_t rxt_gate_decide(void);

// The expensive half: when it returns, every other thread of the process has passed a full barrier since it was called.
// After too many calls, later gates are no longer biased to a thread.
void rxt_gate_heavy_barrier(void);

// The cheap half: keeps the compiler from moving memory accesses across this point.
__attribute__((always_inline)) static inline void rxt_gate_light_barrier(void) { __asm__ __volatile__("" ::: "memory"); }

// A number that identifies a thread among those that are alive. Never 0 or 1.
__attribute__((always_inline)) static inline uintptr_t rxt_thread_identity(void) { return (uintptr_t)&rxt_current; }

// The owner of a new gate: 0 if it has none yet, or 1 if it is shared.
__attribute__((always_inline)) static inline uintptr_t rxt_gate_birth(void) {
  uint32_t mode = __atomic_load_n(&rxt_gate_mode, __ATOMIC_RELAXED);
  return mode < 2 ? mode : rxt_gate_decide();
}

#pragma clang assume_nonnull end
