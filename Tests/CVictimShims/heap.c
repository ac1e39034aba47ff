// These functions replace those of the C library's allocator, in order to count every use of the
// heap by a signal handler, even if the handler has not interrupted the allocator.
#include "CVictimShims.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef __GLIBC__
#error "These forward to entry points that glibc exports; this C library needs a port."
#endif

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local int handling;
static atomic_long seen;

static inline void look(void) {
  if (__builtin_expect(handling, 0)) atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
}

void rxv_handler_begins(void) { handling = 1; }
void rxv_handler_ends(void) { handling = 0; }
long rxv_handlers_at_heap(void) { return atomic_load(&seen); }

void *malloc(size_t size) {
  look();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  look();
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  look();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  look();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *new_block = memalign(alignment, size);
  if (!new_block) return ENOMEM;
  *block = new_block;
  return 0;
}

void free(void *block) {
  if (block) look();
  __libc_free(block);
}
