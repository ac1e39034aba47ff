#define _GNU_SOURCE
#include "rxt_crash.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "rxt_clock.h"
#include "rxt_crash_report.h"
#include "rxt_hops.h"
#include "rxt_mapping.h"
#include "rxt_thread.h"

static const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};
enum { count = sizeof numbers / sizeof *numbers };

static rxt_crash_place place;
static pid_t owner = 0;
static struct sigaction former[count];
static atomic_flag is_writing = ATOMIC_FLAG_INIT;

uint32_t rxt_walk_interrupted(const void *interrupted, uint64_t *addresses, uint32_t limit) {
  const ucontext_t *context = interrupted;
#if defined(__x86_64__)
  const greg_t *registers = context->uc_mcontext.gregs;
  uintptr_t counter = (uintptr_t)registers[REG_RIP], stack = (uintptr_t)registers[REG_RSP], frame = (uintptr_t)registers[REG_RBP];
#elif defined(__aarch64__)
  uintptr_t counter = context->uc_mcontext.pc, stack = context->uc_mcontext.sp, frame = context->uc_mcontext.regs[29];
#else
  uintptr_t counter = 0, stack = 0, frame = 0;
#endif
  return counter ? rxt_walk_crash(counter, stack, frame, addresses, limit) : 0;
}

static void note_stack(const uint64_t *addresses, uint32_t count) {
  if (!count || !place.frames) return;
  for (uint32_t i = 0; i < RXT_CRASH_FRAMES; i++) {
    atomic_store_explicit((_Atomic uint64_t *)&place.frames[i], i < count ? addresses[i] : 1, memory_order_relaxed);
  }
  atomic_store_explicit((_Atomic uint32_t *)place.stack, place.stack_number, memory_order_relaxed);
}

static void note(int number, const siginfo_t *info, const ucontext_t *context) {
  // Two threads may crash at once. While one of them stores, the other stores nothing, so that their values are not mixed.
  if (getpid() != owner || atomic_flag_test_and_set(&is_writing)) return;
  // A signal sent by another process is delivered to an arbitrary thread, which did not cause it.
  int was_sent = info->si_code <= 0 && info->si_pid != owner;
  uint64_t addresses[RXT_CRASH_FRAMES];
  uint32_t frames = was_sent ? 0 : rxt_walk_interrupted(context, addresses, RXT_CRASH_FRAMES);
  uint32_t chain = was_sent ? 0 : rxt_chain_now(&rxt_current);
  atomic_store_explicit((_Atomic uint32_t *)place.ended_by, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit((_Atomic uint32_t *)place.number, (uint32_t)number, memory_order_relaxed);
  atomic_store_explicit((_Atomic uint64_t *)place.ticks, rxt_ticks(place.counts_cycles), memory_order_relaxed);
  atomic_store_explicit((_Atomic uint32_t *)place.thread, was_sent ? 0 : rxt_current.thread_id, memory_order_relaxed);
  atomic_store_explicit((_Atomic uint32_t *)place.chain, chain, memory_order_relaxed);
  atomic_store_explicit((_Atomic uint32_t *)place.stack, 0, memory_order_relaxed);
  note_stack(addresses, frames);
  atomic_store_explicit((_Atomic uint32_t *)place.ended_by, place.by_signal, memory_order_release);
  if (was_sent) rxt_crash_print_sent(number, info->si_pid);
  else rxt_crash_print(number, chain, addresses, frames);
  atomic_flag_clear(&is_writing);
}

// Calls only async-signal-safe functions.
static void handle(int number, siginfo_t *info, void *context) {
  int before = errno;
  // A lost page of a trace file is no crash: the handler that was installed before replaces it.
  bool is_lost_page = number == SIGBUS && info->si_code == BUS_ADRERR && rxt_mapping_is_guarded(info->si_addr);
  if (!is_lost_page) note(number, info, context);
  int row = 0;
  while (row < count - 1 && numbers[row] != number) row++;
  const struct sigaction *next = &former[row];
  errno = before;
  if (next->sa_flags & SA_SIGINFO) {
    next->sa_sigaction(number, info, context);
  } else if (next->sa_handler == SIG_DFL) {
    // The signal is blocked here, and is delivered when this handler returns, so that the system sees the
    // thread where it crashed.
    sigaction(number, next, 0);
    raise(number);
  } else if (next->sa_handler != SIG_IGN) {
    next->sa_handler(number);
  }
}

// MARK: Stacks for handlers

enum { stack_size = 64 * 1024, guard_size = 4096 };
static pthread_key_t stack_key;
bool rxt_crashes_are_noted;
static _Thread_local bool has_looked __attribute__((tls_model("initial-exec")));

static void give_stack_back(void *start) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, 0);
  munmap(start, stack_size + guard_size);
}

void rxt_crash_take_stack(void) {
  if (has_looked) return;
  has_looked = true;
  stack_t now;
  if (sigaltstack(0, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  int before = errno;
  char *start = mmap(0, stack_size + guard_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (start != MAP_FAILED) {
    mprotect(start, guard_size, PROT_NONE);
    stack_t own = {.ss_sp = start + guard_size, .ss_size = stack_size};
    if (sigaltstack(&own, 0) == 0) pthread_setspecific(stack_key, start);
    else munmap(start, stack_size + guard_size);
  }
  errno = before;
}

void rxt_crash_install(rxt_crash_place new_place) {
  if (owner != 0) return;
  place = new_place;
  owner = getpid();
  if (pthread_key_create(&stack_key, give_stack_back) == 0) __atomic_store_n(&rxt_crashes_are_noted, true, __ATOMIC_RELEASE);
  rxt_crash_prepare_thread();
  for (int row = 0; row < count; row++) {
    if (sigaction(numbers[row], 0, &former[row]) != 0) continue;
    if (!(former[row].sa_flags & SA_SIGINFO) && former[row].sa_handler == SIG_IGN) continue;
    struct sigaction action = former[row];
    action.sa_sigaction = handle;
    action.sa_flags = (action.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO | SA_ONSTACK;
    sigaction(numbers[row], &action, 0);
  }
}
