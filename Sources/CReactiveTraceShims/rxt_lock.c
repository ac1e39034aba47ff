#include "rxt_lock.h"

#include <sched.h>
#include <time.h>

#include "rxt_platform.h"

void rxt_lock_wait(rxt_lock *lock) {
  for (unsigned round = 0;; round++) {
    for (int look = 0; look < 64; look++) {
      if (__atomic_load_n(&lock->is_taken, __ATOMIC_RELAXED) == 0 &&
          __atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) == 0)
        return;
      rxt_pause();
    }
    if (round < 100) {
      sched_yield();
    } else {
      struct timespec pause = {0, 50000};
      nanosleep(&pause, 0);
    }
  }
}
