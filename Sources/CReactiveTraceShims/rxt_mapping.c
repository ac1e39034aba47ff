#define _GNU_SOURCE
#include "rxt_mapping.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// A guarded mapping. `base` is stored last, and is null if the entry is free.
typedef struct {
  atomic_bool is_taken;
  _Atomic(const uint8_t *) base;
  size_t byte_count;
  void (*lost)(bool);
  pid_t owner;
  atomic_bool is_lost;
} guard;

enum { limit = 4 };
static guard guards[limit];
static struct sigaction former;
static atomic_flag is_installed = ATOMIC_FLAG_INIT;

static guard *find(const void *base) {
  for (int i = 0; i < limit; i++) {
    if (atomic_load(&guards[i].base) == base) return &guards[i];
  }
  return 0;
}

bool rxt_mapping_is_lost(const void *base) {
  guard *guard = find(base);
  return guard && atomic_load(&guard->is_lost);
}

bool rxt_mapping_note_loss(const void *base) {
  guard *guard = find(base);
  return guard && !atomic_exchange(&guard->is_lost, true);
}

static bool covers(const guard *guard, const void *place) {
  const uint8_t *base = atomic_load(&guard->base);
  return base && (uintptr_t)place - (uintptr_t)base < guard->byte_count && getpid() == guard->owner;
}

bool rxt_mapping_is_guarded(const void *place) {
  for (int i = 0; i < limit; i++) {
    if (covers(&guards[i], place)) return true;
  }
  return false;
}

static bool replace(const void *place) {
  for (int i = 0; i < limit; i++) {
    if (!covers(&guards[i], place)) continue;
    uint8_t *base = (uint8_t *)atomic_load(&guards[i].base);
    uintptr_t offset = (uintptr_t)place - (uintptr_t)base;
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    // Another thread may handle the same page at this moment. If it has already stored something there, that is lost, like
    // the contents of the file.
    void *page = mmap(base + offset / size * size, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return false;
    // If the page of the header is lost, it is replaced as well: otherwise the following code would re-enter this handler, on a
    // stack that may be small.
    if (madvise(base, size, MADV_POPULATE_WRITE) != 0 && errno == EFAULT) {
      mmap(base, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    bool is_first = !atomic_exchange(&guards[i].is_lost, true);
    if (guards[i].lost) guards[i].lost(is_first);
    return true;
  }
  return false;
}

// Calls only async-signal-safe functions.
static void handle(int number, siginfo_t *info, void *context) {
  int before = errno;
  bool is_replaced = info->si_code == BUS_ADRERR && replace(info->si_addr);
  errno = before;
  if (is_replaced) return;
  // The previous handler runs with the signal mask that the system would have set; only this handler runs with the signal
  // unblocked.
  sigset_t blocked = former.sa_mask;
  if (!(former.sa_flags & SA_NODEFER)) sigaddset(&blocked, number);
  pthread_sigmask(SIG_BLOCK, &blocked, 0);
  bool was_sent = info->si_code <= 0;
  if (former.sa_flags & SA_SIGINFO) {
    former.sa_sigaction(number, info, context);
  } else if (former.sa_handler == SIG_DFL || (former.sa_handler == SIG_IGN && !was_sent)) {
    // A fault recurs when this handler returns, and cannot be ignored; a signal that was sent has to be raised again.
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, 0);
    if (was_sent) raise(number);
  } else if (former.sa_handler != SIG_IGN) {
    former.sa_handler(number);
  }
}

static void install(void) {
  if (atomic_flag_test_and_set(&is_installed) || sigaction(SIGBUS, 0, &former) != 0) return;
  struct sigaction action = {.sa_sigaction = handle, .sa_mask = former.sa_mask};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (former.sa_flags & SA_RESTART);
  sigaction(SIGBUS, &action, 0);
}

void rxt_mapping_guard(void *base, size_t byte_count, void (*lost)(bool is_first)) {
  for (int i = 0; i < limit; i++) {
    if (atomic_exchange(&guards[i].is_taken, true)) continue;
    guards[i].byte_count = byte_count;
    guards[i].lost = lost;
    guards[i].owner = getpid();
    atomic_store(&guards[i].is_lost, false);
    atomic_store(&guards[i].base, base);
    install();
    return;
  }
}

void rxt_mapping_unguard(void *base) {
  guard *guard = find(base);
  if (!guard) return;
  atomic_store(&guard->base, 0);
  atomic_store(&guard->is_taken, false);
}
