#define _GNU_SOURCE
#include "rxt_gate.h"

#include <sys/syscall.h>
#include <unistd.h>

// Commands of membarrier(2); the header that names them is missing on old systems.
enum { private_expedited = 1 << 3, register_private_expedited = 1 << 4 };

// So many gates may lose their bias before a process is taken for one that passes its subscriptions between threads all the
// time: each loss costs a barrier on every processor that runs one of its threads.
enum { most_losses = 1000 };

uint32_t rxt_gate_mode = 2;
static uint32_t losses = 0;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEES_NO_BARRIERS 1
#endif
#endif

static long membarrier(int command) {
#ifdef SYS_membarrier
  return syscall(SYS_membarrier, command, 0, 0);
#else
  return -1;
#endif
}

uint32_t rxt_gate_decide(void) {
#ifdef SEES_NO_BARRIERS
  uint32_t mode = 1;  // the thread sanitizer would report what the barrier orders
#else
  uint32_t mode = membarrier(register_private_expedited) == 0 ? 0 : 1;
#endif
  uint32_t expected = 2;
  __atomic_compare_exchange_n(&rxt_gate_mode, &expected, mode, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return mode;
}

void rxt_gate_heavy_barrier(void) {
  if (__atomic_add_fetch(&losses, 1, __ATOMIC_RELAXED) >= most_losses) {
    __atomic_store_n(&rxt_gate_mode, 1, __ATOMIC_RELAXED);
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // It was registered before the first gate was biased, and a child of a fork inherits that; the second try is for kernels that
  // forget. Should it fail too, the process has only this thread: the others were not forked.
  if (membarrier(private_expedited) != 0 && membarrier(register_private_expedited) == 0) membarrier(private_expedited);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
