#define _GNU_SOURCE
#include "rxt_crash_report.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic(const rxt_crash_report *) wanted;

void rxt_crash_report_with(const rxt_crash_report *report) {
  atomic_store_explicit(&wanted, report, memory_order_release);
}

// MARK: Text

static struct {
  char bytes[8192];
  size_t count;
} text;

static void flush(void) {
  size_t done = 0;
  while (done < text.count) {
    ssize_t written = write(STDERR_FILENO, text.bytes + done, text.count - done);
    if (written > 0) {
      done += (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      // Waits at most a second for the output to be read: a program that has crashed must not hang.
      struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
      if (poll(&file, 1, 1000) <= 0) break;
    } else if (written == 0 || errno != EINTR) {
      break;
    }
  }
  text.count = 0;
}

static void put_bytes(const char *bytes, size_t count) {
  while (count > 0) {
    if (text.count == sizeof text.bytes) flush();
    size_t room = sizeof text.bytes - text.count, piece = count < room ? count : room;
    memcpy(text.bytes + text.count, bytes, piece);
    text.count += piece;
    bytes += piece;
    count -= piece;
  }
}

static void put(const char *words) { put_bytes(words, strlen(words)); }

// Names come from files that may contain anything, so control characters are replaced before they reach a terminal.
static void put_name(const char *name, size_t count) {
  for (size_t i = 0; i < count; i++) put_bytes((unsigned char)name[i] < ' ' || name[i] == 127 ? "?" : &name[i], 1);
}

static void put_number(uint64_t number, uint32_t radix) {
  char digits[20];
  size_t start = sizeof digits;
  do {
    digits[--start] = "0123456789abcdef"[number % radix];
    number /= radix;
  } while (number);
  put_bytes(digits + start, sizeof digits - start);
}

static void put_signal(int number) {
  switch (number) {
  case SIGILL: return put("SIGILL");
  case SIGTRAP: return put("SIGTRAP");
  case SIGABRT: return put("SIGABRT");
  case SIGBUS: return put("SIGBUS");
  case SIGFPE: return put("SIGFPE");
  case SIGSEGV: return put("SIGSEGV");
  case SIGSYS: return put("SIGSYS");
  default:
    put("signal ");
    put_number((uint64_t)number, 10);
  }
}

// MARK: Functions

static const rxt_named_code *code_at(uint64_t address, const rxt_named_code *list, uint64_t count) {
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (list[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  return low > 0 && address < list[low - 1].end ? &list[low - 1] : 0;
}

static const rxt_named_code *function_at(const rxt_crash_report *report, uint64_t address) {
  // A return address is that of the instruction after the call, which may be in the next function; the byte before it is
  // certainly in the calling function.
  return code_at(address - 1, report->functions, report->function_count);
}

static void put_address(const rxt_crash_report *report, uint64_t address) {
  const rxt_named_code *image = code_at(address - 1, report->images, report->image_count);
  put("  ");
  if (image) put_bytes(report->names + image->name, image->name_size);
  put(image ? "+0x" : "0x");
  put_number(image ? address - image->start : address, 16);
  put("\n");
}

// Prints the program's own functions; a function that calls itself is printed once, with the number of calls.
static void put_stack(const rxt_crash_report *report, const uint64_t *addresses, uint64_t count) {
  bool has_own = false;
  for (uint64_t i = 0; i < count;) {
    const rxt_named_code *code = function_at(report, addresses[i++]);
    if (!code || !code->name_size) continue;
    put("  ");
    put_bytes(report->names + code->name, code->name_size);
    // Adjacent functions with the same name are parts of one function, such as the code between two `await`s.
    uint64_t times = 1;
    for (const rxt_named_code *last = code; i < count; i++) {
      const rxt_named_code *next = function_at(report, addresses[i]);
      if (!next || next->name != code->name || next->name_size != code->name_size) break;
      if (next == last) times++;
      last = next;
    }
    if (times > 1) {
      put(", ");
      put_number(times, 10);
      put(" times");
    }
    put("\n");
    has_own = true;
  }
  // If none is the program's own, prints up to three others as addresses. Known functions without a name are the library's,
  // and are left out.
  for (uint64_t i = 0; !has_own && i < count && i < 3; i++) {
    if (!function_at(report, addresses[i])) put_address(report, addresses[i]);
  }
}

// MARK: Chains

static uint32_t word(const uint8_t *row, uint32_t place) {
  return atomic_load_explicit((const _Atomic uint32_t *)(row + place), memory_order_relaxed);
}

// Row `number` of a table; null if the table has no such row.
static const uint8_t *row(rxt_stored table, uint32_t number) {
  uint64_t used = atomic_load_explicit((const _Atomic uint64_t *)table.used, memory_order_acquire);
  return number != 0 && number < used ? table.base + (uint64_t)number * table.unit : 0;
}

// Entry `number` of a heap, which has entries of different lengths; null if there is none. The contents of the entry begin
// after `head` bytes; `room` receives how many bytes they may have.
static const uint8_t *entry(rxt_stored heap, uint32_t number, uint32_t head, uint64_t *room) {
  uint64_t used = atomic_load_explicit((const _Atomic uint64_t *)heap.used, memory_order_acquire);
  uint64_t start = (uint64_t)number * heap.unit;
  if (number == 0 || start + head > used) return 0;
  *room = used - start - head;
  return heap.base + start;
}

static void put_scheduler(const rxt_stored_chains *stored, uint32_t number) {
  uint64_t room;
  const uint8_t *scheduler = row(stored->schedulers, number);
  const uint8_t *name = scheduler ? entry(stored->strings, word(scheduler, stored->name), stored->bytes, &room) : 0;
  if (!name) return put("… asynchronously invoked from:\n");
  uint32_t length = word(name, stored->length);
  put("… asynchronously invoked (on ");
  put_name((const char *)name + stored->bytes, length < room ? length : room);
  put(") from:\n");
}

static void put_chain(const rxt_crash_report *report, uint32_t chain) {
  const rxt_stored_chains *stored = &report->stored;
  const uint8_t *link;
  for (uint32_t links = 0; links < stored->depth_limit && (link = row(stored->chains, chain)); links++) {
    uint32_t depth = word(link, stored->depth), kind = depth >> stored->kind_shift & stored->kind_mask;
    put("  ");
    if (kind < report->separator_count && report->separators[kind]) put(report->separators[kind]);
    else put_scheduler(stored, word(link, stored->scheduler));
    uint64_t room;
    const uint8_t *stack = entry(stored->stacks, word(link, stored->stack), stored->frames, &room);
    if (stack) {
      uint64_t count = atomic_load_explicit((const _Atomic uint64_t *)stack, memory_order_relaxed);
      if (count > RXT_CRASH_FRAMES) count = RXT_CRASH_FRAMES;
      if (count > room / sizeof(uint64_t)) count = room / sizeof(uint64_t);
      put_stack(report, (const uint64_t *)(stack + stored->frames), count);
    }
    if (depth & stored->repeat_bit) put("  … and again from there, once or more\n");
    if (depth & stored->cut_bit) put("  … older parts were not kept\n");
    // A parent is always an earlier row; anything else means that another process has changed the file.
    uint32_t parent = word(link, stored->parent);
    chain = parent < chain ? parent : 0;
  }
}

// MARK: Reports

// The mask before SIGPIPE was blocked. It is blocked because a write to a pipe that nothing reads must not end the process with
// a signal other than the one that crashed it.
static sigset_t former_mask;

static const rxt_crash_report *begin(int number, const char *how) {
  const rxt_crash_report *report = atomic_load_explicit(&wanted, memory_order_acquire);
  if (!report) return 0;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &former_mask);
  put("rxtrace: ");
  put_name(report->program, strlen(report->program));
  put(how);
  put_signal(number);
  return report;
}

static void end(void) {
  flush();
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  struct timespec none = {0, 0};
  if (!sigismember(&former_mask, SIGPIPE)) sigtimedwait(&pipe, 0, &none);
  pthread_sigmask(SIG_SETMASK, &former_mask, 0);
}

void rxt_crash_print(int number, uint32_t chain, const uint64_t *addresses, uint32_t count) {
  const rxt_crash_report *report = begin(number, " crashed by ");
  if (!report) return;
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  put(" in thread ");
  put_number((uint64_t)syscall(SYS_gettid), 10);
  if (*name) {
    put(" (");
    put_name(name, strnlen(name, sizeof name));
    put(")");
  }
  put(":\n");
  put_stack(report, addresses, count);
  put_chain(report, chain);
  if (!report->knows_chains) put("rxtrace: who scheduled this work was not recorded: remove stacks=off to see it\n");
  put("rxtrace: lines, and what was under way: rxtop explain '");
  put_name(report->path, strlen(report->path));
  put("' crash\n");
  end();
}

void rxt_crash_print_sent(int number, int sender) {
  if (!begin(number, " was sent ")) return;
  put(" by process ");
  put_number((uint64_t)sender, 10);
  put("; nothing of its own has caused that\n");
  end();
}
