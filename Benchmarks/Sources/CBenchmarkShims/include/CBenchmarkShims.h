#ifndef CBENCHMARKSHIMS_H
#define CBENCHMARKSHIMS_H

/// Returns `value` in a way that the optimiser cannot see through.
long rxb_opaque(long value);

/// The blocks that have been allocated since counting began and have not been freed.
struct rxb_heap {
  /// The size of the blocks in bytes, including the allocator's header of each block.
  long bytes;
  /// The number of blocks.
  long blocks;
};

/// Begins to count, from zero.
void rxb_heap_begin(void);
/// The blocks that are alive now.
struct rxb_heap rxb_heap_now(void);
/// Stops counting.
void rxb_heap_end(void);

/// Does the work of a workload for the numbers below `count`, with hops that call each other
/// through pointers.
///
/// Each function returns the sum of the values that arrive at the end.
long rxb_floor_map_filter_scan(long count);
long rxb_floor_map_filter(long count);
long rxb_floor_ten_maps(long count);
/// Makes `count` values arrive, spread over `receivers` receivers.
long rxb_floor_fan_out(long count, int receivers);

/// Reads the clock and stores 16 bytes, `count` times; returns `count`.
long rxb_clock_and_store(long count);

/// Reads the clock `count` times; returns `count`.
long rxb_clock(long count);

/// Updates slots of 64 bytes in turn, `count` times: adds one to the count of a slot, and stores
/// the time of the last event in the slot. If `stores` is set, the function also stores 16 bytes in
/// the ring each time. Returns `count`.
long rxb_slot_updates(long count, int slots, int stores);

/// Like `rxb_floor_ten_maps`, but with hops that return. If `recorded` is set, there are twelve
/// more hops in between, each of which does the work of `rxb_slot_updates` and calls the next hop.
long rxb_floor_ten_maps_returning(long count, int recorded, int stores);

/// Does the work of `rxb_slot_updates` once, for the floor.
void rxb_record_hop(int slot, long time, int stores);

#endif
