#define _GNU_SOURCE
#include "rxt_gate.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rxt_platform.h"

// Commands of membarrier(2); the header that names them is missing on old systems.
enum { private_expedited = 1 << 3, register_private_expedited = 1 << 4 };

// How many gates may lose their bias. After so many losses, the process is assumed to use most subscriptions from several
// threads, and new gates are no longer biased: each loss costs a barrier on every processor that runs a thread of the process.
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
  uint32_t mode = 1;  // the thread sanitizer does not know the barrier, and would report accesses that it orders
#else
  uint32_t mode = membarrier(register_private_expedited) == 0 ? 0 : 1;
#endif
  uint32_t expected = 2;
  __atomic_compare_exchange_n(&rxt_gate_mode, &expected, mode, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return mode;
}

// A barrier without the kernel's help, for gates that were biased before the kernel refused its barrier; they are few, because
// later gates are not biased. Removing the access to a page that was written to interrupts each processor that runs a thread of
// this process, and an interrupt is a barrier. But some processors need no interrupt for this, and some sandboxes refuse the
// call. So the function also waits for longer than a processor can delay a store past a later load: a store that has retired
// reaches memory as soon as its cache line has arrived, after a few microseconds at most.
static void barrier_without_help(void) {
  enum { page = 4096, pause = 100000 };
  char *place = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED) {
    *(volatile char *)place = 1;
    munmap(place, page);
  }
  struct timespec start, now;
  // If the time cannot be read either, the function makes a number of pauses that take about as long.
  if (clock_gettime(CLOCK_MONOTONIC, &start) != 0) {
    for (int left = 10000; left > 0; left--) rxt_pause();
    return;
  }
  do {
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return;
  } while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < pause);
}

void rxt_gate_heavy_barrier(void) {
  if (__atomic_add_fetch(&losses, 1, __ATOMIC_RELAXED) >= most_losses) {
    __atomic_store_n(&rxt_gate_mode, 1, __ATOMIC_RELAXED);
  }
  int before = errno;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  // The process registered before the first gate was biased, and a forked child inherits that; the second attempt is for
  // kernels that lose the registration. If that fails too, a sandbox that the process has entered since then refuses the call.
  if (membarrier(private_expedited) != 0
      && (membarrier(register_private_expedited) != 0 || membarrier(private_expedited) != 0)) {
    __atomic_store_n(&rxt_gate_mode, 1, __ATOMIC_RELAXED);
    barrier_without_help();
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  errno = before;
}
