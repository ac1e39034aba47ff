// The clocks of a trace: the program's own clock if it has one, otherwise the cycle counter where it
// is invariant, otherwise the monotonic clock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

static inline uint64_t rxt_clock_ns(int clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}
static inline uint64_t rxt_monotonic_ns(void) { return rxt_clock_ns(CLOCK_MONOTONIC); }
// Takes a few nanoseconds to read, and advances in steps of a few milliseconds.
static inline uint64_t rxt_coarse_nanoseconds(void) { return rxt_clock_ns(CLOCK_MONOTONIC_COARSE); }
static inline uint64_t rxt_realtime_ns(void) { return rxt_clock_ns(CLOCK_REALTIME); }

// The time in nanoseconds of a clock that the program itself advances and never sets back; 0 if it uses the
// system's clock.
extern uint64_t rxt_own_clock;
static inline uint64_t rxt_own_time(void) { return __atomic_load_n(&rxt_own_clock, __ATOMIC_RELAXED); }
static inline void rxt_set_own_time(uint64_t time) { __atomic_store_n(&rxt_own_clock, time, __ATOMIC_RELAXED); }

// Whether the cycle counter ticks at one rate on all cores and in all power states.
static inline bool rxt_has_invariant_counter(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  if (!__get_cpuid(0x80000007, &a, &b, &c, &d)) return false;
  return (d >> 8) & 1;
#else
  return false;
#endif
}
static inline uint64_t rxt_cycle_counter(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return rxt_monotonic_ns();
#endif
}
// The time in nanoseconds, for a trace whose ticks are not cycles: of the program's own clock if it has one, otherwise of the
// monotonic clock.
static inline uint64_t rxt_uncounted_ns(void) {
  uint64_t own = rxt_own_time();
  return own ? own : rxt_monotonic_ns();
}
// The time in ticks: cycles if `counts_cycles` is not 0, otherwise nanoseconds.
static inline uint64_t rxt_ticks(uint32_t counts_cycles) {
  return counts_cycles ? rxt_cycle_counter() : rxt_uncounted_ns();
}
