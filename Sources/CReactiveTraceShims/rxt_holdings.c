#define _GNU_SOURCE
#include "rxt_holdings.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rxt_thread.h"

enum {
  // The maximum number of closure contexts that are inspected, and of words that are read from one block.
  MOST_CONTEXTS = 24,
  MOST_WORDS = 64,
  // The maximum number of objects that are searched for a reference to the owner.
  MOST_STEPS = 100,
  // The maximum number of reads for one subscription; each takes one or two microseconds.
  MOST_READS = 2000,
  COUNTERS = 1024,
};

// Kinds of metadata, as the Swift runtime numbers them: a native Swift class has 0.
enum { KIND_CLASS = 0, KIND_LOCAL_VARIABLE = 0x400, KIND_GENERIC_LOCAL_VARIABLE = 0x500 };
// Kinds of context descriptors.
enum { CONTEXT_MODULE = 0, CONTEXT_CLASS = 16 };

static _Atomic uint16_t counters[COUNTERS];
// The descriptors of the library's two classes that only keep a closure, of its class of dispose bags, and of its module.
static _Atomic(const void *) function_class, joining_class, bag_class, library;

bool rxt_holdings_due(uint32_t site, uint32_t chain) {
  uint32_t place = (site * 2654435761u ^ chain * 40503u) >> 7 & (COUNTERS - 1);
  uint16_t count = atomic_load_explicit(&counters[place], memory_order_relaxed);
  if (count == UINT16_MAX) return false;
  count = atomic_fetch_add_explicit(&counters[place], 1, memory_order_relaxed);
  return count < 4 || (count & (count - 1)) == 0;
}

// MARK: Memory

// Copies memory that may turn out not to be readable. Returns how many bytes could be read; 0 if the limit for this
// subscription has been reached.
static size_t peek(const void *from, void *to, size_t size) {
  rxt_lists *mine = rxt_current.lists;
  if (!mine || mine->held_reads == 0) return 0;
  mine->held_reads--;
  struct iovec local = {.iov_base = to, .iov_len = size};
  struct iovec remote = {.iov_base = (void *)from, .iov_len = size};
  ssize_t count = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return count < 0 ? 0 : (size_t)count;
}

// A block of memory that, as far as can be determined, the Swift runtime allocated.
typedef struct block {
  const void *address;
  // The kind in its metadata.
  uint64_t kind;
  // Only for an object of a class: the descriptor of the class.
  const void *description;
  uint32_t instance_size;
  // The number of words, at most MOST_WORDS.
  size_t count;
  uintptr_t words[MOST_WORDS];
} block;

static bool is_plausible(uintptr_t word) {
  return word > 0x10000 && word < 0x800000000000 && (word & 15) == 0;
}

// The minimum size of a block.
enum { LEAST = 32 };

// The size of a block. `word` is the word in front of it, in which glibc's malloc stores the size. If the word in front of
// the next block does not confirm that this one is in use, another allocator made it, and only the minimum size is assumed.
static size_t size_of(const void *address, uintptr_t word) {
  size_t size = word & ~(uintptr_t)7;
  uintptr_t next;
  if (size < LEAST || size > 1 << 16 || size & 15) return LEAST;
  if (peek((const char *)address - 8 + size, &next, sizeof next) < sizeof next) return LEAST;
  return next & 1 && (next & ~(uintptr_t)7) >= LEAST ? size : LEAST;
}

// Reads the block at `address`; returns false if the Swift runtime does not seem to have allocated it. The word in front of
// a block holds its size and three flag bits, if glibc's malloc allocated it.
static bool look(const void *address, bool wants_words, block *found) {
  uintptr_t head[3];
  if (peek((const char *)address - 8, head, sizeof head) < sizeof head) return false;
  uintptr_t metadata[6];
  if (head[1] < 0x10000 || head[1] & 7) return false;
  if (peek((const void *)head[1], metadata, sizeof metadata) < sizeof metadata) return false;
  found->address = address;
  found->kind = metadata[0];
  switch (metadata[0]) {
    case KIND_CLASS: {
      found->instance_size = (uint32_t)metadata[3];
      found->description = (const void *)metadata[5];
      uint32_t flags;
      if (found->instance_size < 16 || found->instance_size > 1 << 20) return false;
      // Memory that C code allocated may happen to begin in the same way.
      if (peek(found->description, &flags, sizeof flags) < sizeof flags || (flags & 31) != CONTEXT_CLASS) return false;
      break;
    }
    case KIND_LOCAL_VARIABLE:
    case KIND_GENERIC_LOCAL_VARIABLE: break;
    default: return false;
  }
  found->count = 0;
  if (!wants_words) return true;
  size_t size = found->kind == KIND_CLASS ? found->instance_size : size_of(address, head[0]);
  if (size > sizeof found->words) size = sizeof found->words;
  found->count = peek(address, found->words, size) / sizeof(uintptr_t);
  return true;
}

// The descriptor of the module that a descriptor belongs to; null if it is unknown.
static const void *module_of(const void *description) {
  for (int left = 8; left > 0; left--) {
    // Flags, and the relative address of the enclosing descriptor. If the lowest bit is set, it is instead the relative
    // address of a word that contains the address of that descriptor.
    int32_t words[2];
    if (peek(description, words, sizeof words) < sizeof words) return 0;
    if ((words[0] & 31) == CONTEXT_MODULE) return description;
    const char *parent = (const char *)description + 4 + (words[1] & ~1);
    description = parent;
    if (words[1] & 1 && peek(parent, &description, sizeof description) < sizeof description) return 0;
  }
  return 0;
}

static bool keeps_a_closure(const block *one) {
  return one->description == atomic_load_explicit(&function_class, memory_order_relaxed)
      || one->description == atomic_load_explicit(&joining_class, memory_order_relaxed);
}

static bool is_of_library(const block *one) {
  const void *module = atomic_load_explicit(&library, memory_order_relaxed);
  return module && module_of(one->description) == module;
}

// MARK: What closures hold

static void hold(rxt_lists *mine, uint32_t site, const void *object) {
  for (uint32_t i = 0; i < mine->held_count; i++) {
    if (mine->held[i] == object && mine->held_sites[i] == site) return;
  }
  if (mine->held_count == RXT_HELD_LIMIT) return;
  mine->held[mine->held_count] = object;
  mine->held_sites[mine->held_count++] = site;
}

// Collects the objects that a block refers to, directly or through contexts of closures, but not through other objects.
static void gather(rxt_lists *mine, uint32_t site, const block *first) {
  const void *contexts[MOST_CONTEXTS];
  size_t count = 0, next = 0;
  block now = *first;
  for (;;) {
    for (size_t i = 2; i < now.count; i++) {
      block one;
      if (!is_plausible(now.words[i]) || !look((const void *)now.words[i], false, &one)) continue;
      if (one.kind == KIND_CLASS && !keeps_a_closure(&one)) {
        // A closure that captures only one object has that object as its context.
        if (!is_of_library(&one)) hold(mine, site, one.address);
        continue;
      }
      bool is_known = false;
      for (size_t j = 0; j < count; j++) is_known |= contexts[j] == one.address;
      if (!is_known && count < MOST_CONTEXTS) contexts[count++] = one.address;
    }
    do {
      if (next == count) return;
    } while (!look(contexts[next++], true, &now));
  }
}

static const void *description_of(const void *metadata) {
  uintptr_t words[6];
  return peek(metadata, words, sizeof words) < sizeof words ? 0 : (const void *)words[5];
}

void rxt_holdings_know(const void *function, const void *joining, const void *bag) {
  const void *description = description_of(bag);
  atomic_store_explicit(&bag_class, description, memory_order_relaxed);
  atomic_store_explicit(&library, description ? module_of(description) : 0, memory_order_relaxed);
  atomic_store_explicit(&function_class, description_of(function), memory_order_relaxed);
  atomic_store_explicit(&joining_class, description_of(joining), memory_order_relaxed);
}

void rxt_holdings_begin(uint32_t subscription) {
  rxt_lists *mine = rxt_current.lists;
  if (!mine) return;
  mine->held_subscription = subscription;
  mine->held_count = 0;
  mine->held_reads = MOST_READS;
}

void rxt_holdings_add(uint32_t site, const void *object) {
  rxt_lists *mine = rxt_current.lists;
  block one;
  // If the library's own classes could not be read, other memory cannot be read either.
  if (!atomic_load_explicit(&library, memory_order_relaxed)) return;
  if (mine && look(object, true, &one) && one.kind == KIND_CLASS) gather(mine, site, &one);
}

// MARK: What refers to the owner

// Whether an object refers to the owner, directly or through at most `depth` other objects.
static bool refers(const void *object, const void *owner, int depth, int *steps) {
  block one;
  if (*steps <= 0 || !look(object, true, &one) || one.kind != KIND_CLASS) return false;
  (*steps)--;
  // Objects of the library other than dispose bags are not followed: they refer to everything that uses them.
  if (one.description != atomic_load_explicit(&bag_class, memory_order_relaxed) && is_of_library(&one)) return false;
  for (size_t i = 2; i < one.count; i++) {
    if (one.words[i] == (uintptr_t)owner) return true;
  }
  if (depth == 0) return false;
  for (size_t i = 2; i < one.count; i++) {
    if (is_plausible(one.words[i]) && refers((const void *)one.words[i], owner, depth - 1, steps)) return true;
  }
  return false;
}

rxt_holder rxt_holdings_of(uint32_t subscription, const void *owner) {
  rxt_holder none = {0};
  const rxt_lists *mine = rxt_current.lists;
  if (!mine || subscription == 0 || mine->held_subscription != subscription) return none;
  // Prefers the object nearest to the owner: through an object such as the program's main controller, every object may be
  // reachable.
  for (int depth = 0; depth <= 2; depth++) {
    for (uint32_t i = 0; i < mine->held_count; i++) {
      int steps = MOST_STEPS;
      if (mine->held[i] != owner && refers(mine->held[i], owner, depth, &steps)) {
        return (rxt_holder){.site = mine->held_sites[i], .between = (uint32_t)depth};
      }
    }
  }
  return none;
}
