#include "rxt_crash.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "rxt_clock.h"
#include "rxt_thread.h"

static const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
enum { count = sizeof numbers / sizeof *numbers };

static rxt_crash_place place;
static pid_t owner = 0;
static struct sigaction former[count];
static atomic_flag is_writing = ATOMIC_FLAG_INIT;

static void note(int number, const siginfo_t *info) {
  // Two threads may crash at once: what one of them stores must not be mixed with the other's.
  if (getpid() != owner || atomic_flag_test_and_set(&is_writing)) return;
  // A signal that another process has sent comes to any thread: none has caused it.
  int was_sent = info->si_code <= 0 && info->si_pid != owner;
  atomic_store_explicit((_Atomic uint32_t *)place.ended_by, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit((_Atomic uint32_t *)place.number, (uint32_t)number, memory_order_relaxed);
  atomic_store_explicit((_Atomic uint64_t *)place.ticks, rxt_ticks(place.counts_cycles), memory_order_relaxed);
  atomic_store_explicit((_Atomic uint32_t *)place.thread, was_sent ? 0 : rxt_current.thread_id, memory_order_relaxed);
  atomic_store_explicit((_Atomic uint32_t *)place.ended_by, place.by_signal, memory_order_release);
  atomic_flag_clear(&is_writing);
}

// Only what is async-signal-safe.
static void handle(int number, siginfo_t *info, void *context) {
  int before = errno;
  note(number, info);
  int row = 0;
  while (row < count - 1 && numbers[row] != number) row++;
  const struct sigaction *next = &former[row];
  errno = before;
  if (next->sa_flags & SA_SIGINFO) {
    next->sa_sigaction(number, info, context);
  } else if (next->sa_handler == SIG_DFL) {
    // It is blocked here, and comes when this returns: the system finds the thread where it crashed.
    sigaction(number, next, 0);
    raise(number);
  } else if (next->sa_handler != SIG_IGN) {
    next->sa_handler(number);
  }
}

void rxt_crash_install(rxt_crash_place new_place) {
  if (owner != 0) return;
  place = new_place;
  owner = getpid();
  for (int row = 0; row < count; row++) {
    if (sigaction(numbers[row], 0, &former[row]) != 0) continue;
    if (!(former[row].sa_flags & SA_SIGINFO) && former[row].sa_handler == SIG_IGN) continue;
    struct sigaction action = former[row];
    action.sa_sigaction = handle;
    action.sa_flags = (action.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO | SA_ONSTACK;
    sigaction(numbers[row], &action, 0);
  }
}
