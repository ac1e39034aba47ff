// System calls and macros that Swift cannot use directly.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int32_t rxt_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

/// A descriptor that becomes readable when the process has ended; negative, with errno, if there is none.
static inline int rxt_open_process(int32_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}

// Moves an open file to a descriptor above 2, which is closed on exec: if a program runs with its standard input, output or
// error closed, the next opened file gets that number, and the program's output would go into it. The original descriptor is
// closed. A negative number, as returned by a failed `open`, is returned unchanged, with `errno` preserved. Returns -1, with
// `errno`, if there is no free descriptor.
int rxt_above_standard(int descriptor);

// Tells the processor that the thread is spinning.
static inline void rxt_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static inline bool rxt_is_main_thread(void) { return rxt_thread_id() == (int32_t)getpid(); }

// Allocates all pages of a range of a mapped file and maps them for writing now, so that the first store into each neither
// faults later nor finds a full disk. Returns 0; EINVAL if the kernel is too old to support this; ENOSPC if a store would have
// ended the program; or another error.
int rxt_populate(void *_Nonnull start, size_t byte_count);

// The value of an environment variable; null also if the program runs with more rights than its user.
const char *_Nullable rxt_environment(const char *_Nonnull name);

// Stores the calling thread's name, ended by a zero byte; nothing if it does not fit.
void rxt_thread_name(char *_Nonnull name, size_t byte_count);

// The first address after the calling thread's stack; 0 if it is unknown.
uintptr_t rxt_stack_end(void);

// One loaded executable or library.
typedef struct rxt_image {
  // The path, or an empty string for the program itself.
  const char *_Nonnull path;
  // Where its first segment is loaded, and the end of its last executable one.
  uint64_t base;
  uint64_t end_of_text;
  // The difference between addresses in memory and in the image's file.
  uint64_t bias;
  // Its build identifier; the size is 0 if it has none.
  const uint8_t *_Nullable build_id;
  uint32_t build_id_size;
} rxt_image;

// Calls `body` for each loaded image. The pointers are valid during the call.
void rxt_each_image(void (*_Nonnull body)(const rxt_image *_Nonnull, void *_Nonnull), void *_Nonnull context);
