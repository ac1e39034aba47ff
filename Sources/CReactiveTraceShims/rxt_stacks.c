#define _GNU_SOURCE
#include "rxt_stacks.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "rxt_crash.h"
#include "rxt_hops.h"

enum { idle, asked, walking, answered };
static _Atomic int state = idle;
static int32_t asked_thread;
static uint64_t found[RXT_CRASH_FRAMES];
static uint32_t found_count;
static uintptr_t found_task;

// Calls only async-signal-safe functions.
static void answer(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  int before = errno, expected = asked;
  if (asked_thread == (int32_t)syscall(SYS_gettid) && atomic_compare_exchange_strong(&state, &expected, walking)) {
    found_count = rxt_walk_interrupted(context, found, RXT_CRASH_FRAMES);
    found_task = (uintptr_t)swift_task_getCurrent();
    atomic_store(&state, answered);
  }
  errno = before;
}

bool rxt_stacks_prepare(void) {
  struct sigaction former;
  if (sigaction(SIGPROF, 0, &former) != 0) return false;
  if (former.sa_sigaction == answer) return true;
  if ((former.sa_flags & SA_SIGINFO) || (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)) return false;
  // Unless something is recorded, the loaded images have not been determined yet.
  rxt_hops_scan_images();
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGPROF, &action, 0) == 0;
}

static bool is_answered_within(uint32_t milliseconds) {
  struct timespec pause = {.tv_nsec = 100000};
  for (uint64_t i = 0; i < (uint64_t)milliseconds * 10; i++) {
    if (atomic_load(&state) == answered) return true;
    nanosleep(&pause, 0);
  }
  // Timed out, unless the thread has begun to answer.
  int expected = asked;
  if (atomic_compare_exchange_strong(&state, &expected, idle)) return false;
  while (atomic_load(&state) != answered) nanosleep(&pause, 0);
  return true;
}

uint32_t rxt_stack_of_thread(int32_t thread, uint32_t milliseconds, uintptr_t *task, uint64_t *addresses, uint32_t limit) {
  *task = 0;
  asked_thread = thread;
  atomic_store(&state, asked);
  if (syscall(SYS_tgkill, (long)getpid(), (long)thread, (long)SIGPROF) != 0 || !is_answered_within(milliseconds)) {
    atomic_store(&state, idle);
    return 0;
  }
  uint32_t count = found_count < limit ? found_count : limit;
  for (uint32_t i = 0; i < count; i++) addresses[i] = found[i];
  *task = found_task;
  atomic_store(&state, idle);
  return count;
}

void rxt_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
