// The cost of the same work without a library: a chain of hops, each of which is called through a
// pointer that the optimiser cannot see through, and calls a function in the same way.
#include "CBenchmarkShims.h"

#include <stddef.h>

struct hop {
  void (*receive)(struct hop *, long);
  struct hop *next;
  long (*function)(long, long);
  long sum;
};

static long increment(long value, long unused) { return value + 1; }
static long is_even(long value, long unused) { return (value & 1) == 0; }
static long sum_of(long a, long b) { return a + b; }

static long (*volatile chosen_increment)(long, long) = increment;
static long (*volatile chosen_is_even)(long, long) = is_even;
static long (*volatile chosen_sum_of)(long, long) = sum_of;

static void receive_map(struct hop *hop, long value) {
  hop->next->receive(hop->next, hop->function(value, 0));
}

static void receive_filter(struct hop *hop, long value) {
  if (hop->function(value, 0)) hop->next->receive(hop->next, value);
}

static void receive_scan(struct hop *hop, long value) {
  hop->sum = hop->function(hop->sum, value);
  hop->next->receive(hop->next, hop->sum);
}

static void receive_end(struct hop *hop, long value) { hop->sum += value; }

static void (*volatile chosen_map)(struct hop *, long) = receive_map;
static void (*volatile chosen_filter)(struct hop *, long) = receive_filter;
static void (*volatile chosen_scan)(struct hop *, long) = receive_scan;
static void (*volatile chosen_end)(struct hop *, long) = receive_end;

static struct hop hop_map(struct hop *next) {
  return (struct hop){chosen_map, next, chosen_increment, 0};
}
static struct hop hop_filter(struct hop *next) {
  return (struct hop){chosen_filter, next, chosen_is_even, 0};
}
static struct hop hop_scan(struct hop *next) {
  return (struct hop){chosen_scan, next, chosen_sum_of, 0};
}
static struct hop hop_end(void) { return (struct hop){chosen_end, NULL, NULL, 0}; }

long rxb_floor_map_filter_scan(long count) {
  struct hop end = hop_end(), scan = hop_scan(&end), filter = hop_filter(&scan);
  struct hop map = hop_map(&filter);
  for (long value = 0; value < count; value++) map.receive(&map, value);
  return end.sum;
}

long rxb_floor_map_filter(long count) {
  struct hop end = hop_end(), filter = hop_filter(&end), map = hop_map(&filter);
  for (long value = 0; value < count; value++) map.receive(&map, value);
  return end.sum;
}

long rxb_floor_ten_maps(long count) {
  struct hop end = hop_end(), maps[10];
  for (int i = 9; i >= 0; i--) maps[i] = hop_map(i == 9 ? &end : &maps[i + 1]);
  for (long value = 0; value < count; value++) maps[0].receive(&maps[0], value);
  return end.sum;
}

// A recorded hop between two other hops. These hops return to their caller, as Swift closures with
// a context do; the hops above end with a tail call.
struct recorded {
  struct hop hop;
  int slot, stores;
};

static void return_behind(void) { __asm__ volatile("" ::: "memory"); }

static void receive_recorded(struct hop *hop, long value) {
  struct recorded *recorded = (struct recorded *)hop;
  rxb_record_hop(recorded->slot, value, recorded->stores);
  hop->next->receive(hop->next, value);
  return_behind();
}

static void receive_returning_map(struct hop *hop, long value) {
  hop->next->receive(hop->next, hop->function(value, 0));
  return_behind();
}

static void (*volatile chosen_recorded)(struct hop *, long) = receive_recorded;
static void (*volatile chosen_returning_map)(struct hop *, long) = receive_returning_map;

long rxb_floor_ten_maps_returning(long count, int recorded, int stores) {
  rxb_slot_updates(1, 1, stores);
  struct hop end = hop_end(), maps[10];
  struct recorded between[12];
  for (int i = 11; i >= 0; i--) {
    struct hop *next = i == 11 ? &end : i == 10 ? &between[11].hop : &maps[i];
    between[i] = (struct recorded){{chosen_recorded, next, NULL, 0}, i, stores};
    if (i == 10) continue;
    struct hop *after = i == 11 ? NULL : recorded ? &between[i + 1].hop : i == 9 ? &end : &maps[i + 1];
    if (after) maps[i] = (struct hop){chosen_returning_map, after, chosen_increment, 0};
  }
  struct hop *first = recorded ? &between[0].hop : &maps[0];
  for (long value = 0; value < count; value++) first->receive(first, value);
  return end.sum;
}

long rxb_floor_fan_out(long count, int receivers) {
  struct hop ends[receivers];
  for (int i = 0; i < receivers; i++) ends[i] = hop_end();
  for (long value = 0; value < count / receivers; value++) {
    for (int i = 0; i < receivers; i++) ends[i].receive(&ends[i], value);
  }
  long sum = 0;
  for (int i = 0; i < receivers; i++) sum += ends[i].sum;
  return sum;
}
