// A lock for critical sections of a few dozen instructions: locking is one exchange, unlocking one store.
//
// A thread that finds it locked tries again for a while, then yields the processor, then sleeps: the holder may have been
// preempted, or have a lower priority.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct rxt_lock {
  uint32_t is_taken;
} rxt_lock;

void rxt_lock_wait(rxt_lock *lock);

__attribute__((always_inline)) static inline void rxt_lock_take(rxt_lock *lock) {
  if (__atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) != 0) rxt_lock_wait(lock);
}
__attribute__((always_inline)) static inline void rxt_lock_give(rxt_lock *lock) {
  __atomic_store_n(&lock->is_taken, 0, __ATOMIC_RELEASE);
}
// Prefetches the cache line at `address` for writing.
__attribute__((always_inline)) static inline void rxt_prefetch(const void *address) { __builtin_prefetch(address, 1, 3); }

#pragma clang assume_nonnull end
