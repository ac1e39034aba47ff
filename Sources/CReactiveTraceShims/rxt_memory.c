#define _GNU_SOURCE
#include "rxt_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#define RXT_HAS_MALLINFO2 1
#include <malloc.h>
#endif
#endif

// A sanitizer replaces the heap of the C library, whose statistics are then meaningless.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef RXT_HAS_MALLINFO2
#endif
#endif

uint64_t rxt_heap_in_use(void) {
#if defined(RXT_HAS_MALLINFO2)
  struct mallinfo2 heap = mallinfo2();
  return (uint64_t)heap.uordblks + (uint64_t)heap.hblkhd;
#else
  return 0;
#endif
}

// Parses the second of several numbers separated by blanks; returns false if there is none.
static bool second_number(const char *text, ssize_t count, uint64_t *number) {
  ssize_t next = 0;
  for (int field = 0; field < 2; field++) {
    ssize_t first = next;
    for (*number = 0; next < count && text[next] >= '0' && text[next] <= '9'; next++) {
      // No number of pages has this many digits, and a longer number might overflow.
      if (next - first >= 15) return false;
      *number = 10 * *number + (uint64_t)(text[next] - '0');
    }
    if (next == first || next == count || text[next] != ' ') return false;
    next++;
  }
  return true;
}

uint64_t rxt_resident_size(int descriptor) {
  int before = errno;
  char text[128];
  ssize_t count = pread(descriptor, text, sizeof text, 0);
  uint64_t pages = 0;
  bool is_known = count > 0 && second_number(text, count, &pages);
  long page_size = sysconf(_SC_PAGESIZE);
  errno = before;
  return is_known && page_size > 0 ? pages * (uint64_t)page_size : 0;
}

uint64_t rxt_thread_nanoseconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000ull + (uint64_t)time.tv_nsec;
}
