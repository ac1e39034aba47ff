// The lowest possible cost of one record: reading the clock once and storing 16 bytes, in as much
// memory as a ring has.
#include "CBenchmarkShims.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { ring = 64 << 20 };

static uint64_t ticks(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
#endif
}

static uint64_t *memory;
static size_t place;

static void need_memory(void) {
  if (memory) return;
  void *pages = mmap(0, ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) abort();
  memset(pages, 1, ring);
  memory = pages;
}

long rxb_clock(long count) {
  volatile uint64_t time;
  for (long index = 0; index < count; index++) time = ticks();
  (void)time;
  return count;
}

struct slot {
  volatile uint64_t serial, created, last, events, rest[4];
};

static struct slot slots[64] __attribute__((aligned(64)));

static inline void record_hop(struct slot *slot, uint64_t time, int stores) {
  uint64_t events = slot->events + 1;
  slot->events = events;
  slot->last = time;
  if (!stores) return;
  volatile uint64_t *record = memory + place;
  record[0] = time << 16;
  record[1] = events;
  place = (place + 2) & (ring / 8 - 1);
}

void rxb_record_hop(int slot, long time, int stores) {
  record_hop(&slots[slot], (uint64_t)time, stores);
}

long rxb_slot_updates(long count, int many, int stores) {
  need_memory();
  int slot = 0;
  for (long index = 0; index < count; index++) {
    record_hop(&slots[slot], (uint64_t)index, stores);
    if (++slot == many) slot = 0;
  }
  return count;
}

long rxb_clock_and_store(long count) {
  need_memory();
  for (long index = 0; index < count; index++) {
    volatile uint64_t *record = memory + place;
    record[0] = ticks();
    record[1] = (uint64_t)index;
    place = (place + 2) & (ring / 8 - 1);
  }
  return count;
}
