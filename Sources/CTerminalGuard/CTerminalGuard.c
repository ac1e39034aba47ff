#define _GNU_SOURCE  // pipe2
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { RXN_SIGNALS = 65, RXN_STACK = 1 << 16 };

static struct {
  char reset[512];
  size_t reset_length;
  struct termios modes;
  bool has_modes;
  volatile sig_atomic_t armed;
  volatile sig_atomic_t termination_requested;
  int wake[2];
  struct sigaction previous[RXN_SIGNALS];
  char stack[RXN_STACK];
} rxn_guard = {.wake = {-1, -1}};

void rxn_guard_reset(void) {
  if (!rxn_guard.armed) return;
  rxn_guard.armed = 0;
  size_t done = 0;
  while (done < rxn_guard.reset_length) {
    ssize_t count =
        write(STDOUT_FILENO, rxn_guard.reset + done, rxn_guard.reset_length - done);
    if (count <= 0) {
      if (count < 0 && errno == EINTR) continue;
      break;
    }
    done += (size_t)count;
  }
  if (rxn_guard.has_modes) tcsetattr(STDIN_FILENO, TCSANOW, &rxn_guard.modes);
}

// Handles a crash: restores the terminal and the previous handler, so that the signal then has the
// effect it would have had without this handler. A fault recurs when the handler returns; SIGTRAP,
// and a signal that was sent, must be raised again.
static void rxn_guard_handle_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  rxn_guard_reset();
  sigaction(number, &rxn_guard.previous[number], NULL);
  errno = error;
  if (number == SIGTRAP || info == NULL || info->si_code <= 0) raise(number);
}

// Handles a request to end or to stop the program, or a change of the terminal's size, by waking the
// event loop, which acts on it. A second request to end takes effect at once.
static void rxn_guard_handle_signal(int number) {
  int error = errno;
  bool ends = number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
  if (ends && rxn_guard.termination_requested) {
    rxn_guard_reset();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
    raise(number);
  }
  if (ends) rxn_guard.termination_requested = 1;
  char byte = (char)number;
  ssize_t ignored = write(rxn_guard.wake[1], &byte, 1);
  (void)ignored;
  errno = error;
}

bool rxn_guard_install(void) {
  if (rxn_guard.wake[0] < 0 && pipe2(rxn_guard.wake, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  rxn_guard.has_modes = tcgetattr(STDIN_FILENO, &rxn_guard.modes) == 0;

  stack_t stack;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = rxn_guard.stack;
  stack.ss_size = sizeof rxn_guard.stack;
  sigaltstack(&stack, NULL);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_sigaction = rxn_guard_handle_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  static const int crash_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGSYS};
  for (size_t i = 0; i < sizeof crash_signals / sizeof crash_signals[0]; i++)
    sigaction(crash_signals[i], &action, &rxn_guard.previous[crash_signals[i]]);

  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = rxn_guard_handle_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  static const int other_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
  for (size_t i = 0; i < sizeof other_signals / sizeof other_signals[0]; i++)
    sigaction(other_signals[i], &action, &rxn_guard.previous[other_signals[i]]);

  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &rxn_guard.previous[SIGPIPE]);
  return true;
}

void rxn_guard_append(const char *text) {
  if (text == NULL || text == (const char *)-1) return;
  while (*text != 0 && rxn_guard.reset_length < sizeof rxn_guard.reset) {
    if (text[0] == '$' && text[1] == '<') {
      while (*text != 0 && *text != '>') text++;
      if (*text != 0) text++;
      continue;
    }
    rxn_guard.reset[rxn_guard.reset_length++] = *text++;
  }
}

void rxn_guard_arm(void) { rxn_guard.armed = 1; }

int rxn_guard_wait(int milliseconds) {
  struct pollfd fds[2] = {
    {.fd = STDIN_FILENO, .events = POLLIN}, {.fd = rxn_guard.wake[0], .events = POLLIN}};
  if (poll(fds, 2, milliseconds) < 0) return errno == EINTR ? 0 : 4;
  int answer = 0;
  if (fds[1].revents & POLLIN) answer |= 2;
  if (fds[0].revents & POLLIN) answer |= 1;
  else if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) answer |= 4;
  return answer;
}

int rxn_guard_next_signal(void) {
  char byte = 0;
  return read(rxn_guard.wake[0], &byte, 1) == 1 ? byte : 0;
}

void rxn_guard_ignore_ttou(bool ignores) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = ignores ? SIG_IGN : SIG_DFL;
  sigaction(SIGTTOU, &action, NULL);
}

void rxn_guard_stop(void) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &before);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}

void rxn_guard_terminate_by(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, NULL);
  raise(number);
}
