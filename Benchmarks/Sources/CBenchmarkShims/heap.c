// These functions replace those of the C library's allocator, so that allocations can be counted
// within the process. While nothing is counted, each call costs one more relaxed load, which is the
// same for both sides of a comparison.
#include "CBenchmarkShims.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef __GLIBC__
#error "The heap counter forwards to entry points that glibc exports; this C library needs a port."
#endif

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_int counting;
static atomic_long bytes;
static atomic_long blocks;

static inline int counts(void) {
  return __builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed), 0);
}

// The size of a block on the heap: its usable size and the header in front of it.
static inline long weight(void *block) { return (long)(malloc_usable_size(block) + sizeof(size_t)); }

static void add(long more_bytes, long more_blocks) {
  atomic_fetch_add_explicit(&bytes, more_bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&blocks, more_blocks, memory_order_relaxed);
}

static inline void *made(void *block) {
  if (counts() && block) add(weight(block), 1);
  return block;
}

void *malloc(size_t size) { return made(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return made(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return made(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return made(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *new_block = made(__libc_memalign(alignment, size));
  if (!new_block) return ENOMEM;
  *block = new_block;
  return 0;
}

void *realloc(void *block, size_t size) {
  if (!counts()) return __libc_realloc(block, size);
  long old_weight = block ? weight(block) : 0;
  void *new_block = __libc_realloc(block, size);
  if (new_block) {
    add(weight(new_block) - old_weight, block ? 0 : 1);
  } else if (block && size == 0) {
    add(-old_weight, -1);
  }
  return new_block;
}

void free(void *block) {
  if (counts() && block) add(-weight(block), -1);
  __libc_free(block);
}

void rxb_heap_begin(void) {
  atomic_store(&bytes, 0);
  atomic_store(&blocks, 0);
  atomic_store(&counting, 1);
}

struct rxb_heap rxb_heap_now(void) {
  struct rxb_heap heap = {atomic_load(&bytes), atomic_load(&blocks)};
  return heap;
}

void rxb_heap_end(void) { atomic_store(&counting, 0); }
