// Atomic accesses to memory that Swift's `Atomic` cannot own: the mapped trace file, and the global variables of rxt_thread.h.
#pragma once
#include <stdbool.h>
#include <stdint.h>

static inline uint32_t rxt_load_relaxed_u32(const void *_Nonnull p) {
  return __atomic_load_n((const uint32_t *)p, __ATOMIC_RELAXED);
}
static inline uint64_t rxt_load_relaxed_u64(const void *_Nonnull p) {
  return __atomic_load_n((const uint64_t *)p, __ATOMIC_RELAXED);
}
static inline uint32_t rxt_load_acquire_u32(const void *_Nonnull p) {
  return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
}
static inline uint64_t rxt_load_acquire_u64(const void *_Nonnull p) {
  return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);
}
static inline void rxt_store_relaxed_u32(void *_Nonnull p, uint32_t v) {
  __atomic_store_n((uint32_t *)p, v, __ATOMIC_RELAXED);
}
static inline void rxt_store_relaxed_u64(void *_Nonnull p, uint64_t v) {
  __atomic_store_n((uint64_t *)p, v, __ATOMIC_RELAXED);
}
static inline void rxt_store_release_u32(void *_Nonnull p, uint32_t v) {
  __atomic_store_n((uint32_t *)p, v, __ATOMIC_RELEASE);
}
static inline void rxt_store_release_u64(void *_Nonnull p, uint64_t v) {
  __atomic_store_n((uint64_t *)p, v, __ATOMIC_RELEASE);
}
static inline uint32_t rxt_add_u32(void *_Nonnull p, uint32_t v) {
  return __atomic_fetch_add((uint32_t *)p, v, __ATOMIC_RELAXED);
}
static inline uint64_t rxt_add_u64(void *_Nonnull p, uint64_t v) {
  return __atomic_fetch_add((uint64_t *)p, v, __ATOMIC_RELAXED);
}
static inline uint32_t rxt_subtract_u32(void *_Nonnull p, uint32_t v) {
  return __atomic_fetch_sub((uint32_t *)p, v, __ATOMIC_RELAXED);
}
static inline bool rxt_compare_exchange_u32(void *_Nonnull p, uint32_t expected, uint32_t desired) {
  return __atomic_compare_exchange_n(
    (uint32_t *)p, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
// Keeps the compiler from moving memory accesses across this point, so that a signal handler on this thread sees
// them in order. Emits no instruction.
static inline void rxt_fence_signal(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
static inline void rxt_fence_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
static inline void rxt_fence_full(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void rxt_fence_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
