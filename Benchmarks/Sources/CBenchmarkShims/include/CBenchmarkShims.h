#ifndef CBENCHMARKSHIMS_H
#define CBENCHMARKSHIMS_H

/// Returns `value`, by a way that no optimiser sees through.
long rxb_opaque(long value);

/// What is alive of what was allocated since the counting began.
struct rxb_heap {
  /// Bytes of the heap, with what the allocator keeps per block.
  long bytes;
  /// Allocations.
  long blocks;
};

/// Begins to count, from nothing.
void rxb_heap_begin(void);
/// What is alive now.
struct rxb_heap rxb_heap_now(void);
/// Counts no longer.
void rxb_heap_end(void);

/// The work of a workload on the numbers below `count`, as hops that call each other through pointers.
///
/// Each returns the sum of what arrives at the end.
long rxb_floor_map_filter_scan(long count);
long rxb_floor_map_filter(long count);
long rxb_floor_ten_maps(long count);
/// `count` arrivals, spread over so many receivers.
long rxb_floor_fan_out(long count, int receivers);

/// Looks at the clock and stores 16 bytes, `count` times; returns `count`.
long rxb_clock_and_store(long count);

/// Looks at the clock `count` times; returns `count`.
long rxb_clock(long count);

/// Adds one to the count of a slot and stores the time of the last event in it, `count` times, in turns in so many slots
/// of 64 bytes; with `stores`, stores 16 bytes into the ring, too. Returns `count`.
long rxb_slot_updates(long count, int slots, int stores);

/// As `rxb_floor_ten_maps`, of hops that return; where they are `recorded`, with twelve hops between that do the same as
/// `rxb_slot_updates` and call the next.
long rxb_floor_ten_maps_returning(long count, int recorded, int stores);

/// What `rxb_slot_updates` does once, for the floor.
void rxb_record_hop(int slot, long time, int stores);

#endif
