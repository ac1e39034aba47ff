#include "rxt_signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic int target = -1;
static _Atomic pid_t owner = 0;

// Calls only async-signal-safe functions.
static void forward(int number) {
  int before = errno;
  if (getpid() == atomic_load_explicit(&owner, memory_order_relaxed)) {
    unsigned char byte = (unsigned char)number;
    // A failure is ignored: if the pipe is full, the reader finds earlier signals in it.
    (void)!write(atomic_load_explicit(&target, memory_order_relaxed), &byte, 1);
  } else {
    // A forked child has the handler and shares the pipe; its signals must not go there.
    signal(number, SIG_DFL);
    raise(number);
  }
  errno = before;
}

int rxt_signals_forward(int number, int pipe, void *former) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = forward;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  atomic_store_explicit(&target, pipe, memory_order_relaxed);
  atomic_store_explicit(&owner, getpid(), memory_order_relaxed);
  return sigaction(number, &action, former);
}
