// The frame-pointer walk.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The frame of the function that contains the call, even in unoptimised code.
__attribute__((always_inline)) static inline uintptr_t rxt_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0);
}

// Adds an address to the hash of a stack.
static inline uint64_t rxt_mix_address(uint64_t mixed, uint64_t address) {
  mixed = (mixed ^ address) * 0x9FB21C651E98DF25ull;
  return mixed ^ mixed >> 32;
}

// Stores the return addresses of the frames from `frame` outwards, at most `limit`, and returns their number. Every frame must
// be above the one before, aligned, and below `high`: anything else ends the walk. `hash` receives a hash of the addresses,
// which costs little because it is computed while the processor waits for the next frame.
static inline uint32_t rxt_walk_frames(
  uintptr_t frame, uintptr_t high, uint64_t *_Nonnull out, uint32_t limit, uint64_t *_Nonnull hash) {
  uint32_t count = 0;
  uint64_t mixed = 0;
  while (count < limit && (frame & 7) == 0 && frame != 0 && frame < high && high - frame >= 16) {
    uintptr_t address = ((const uintptr_t *)frame)[1];
    if (address == 0) break;
    out[count++] = address;
    mixed = rxt_mix_address(mixed, address);
    uintptr_t next = ((const uintptr_t *)frame)[0];
    if (next <= frame) break;
    frame = next;
  }
  *hash = mixed ^ count;
  return count;
}

// Computes the same hash for a stack that was walked in another way.
static inline uint64_t rxt_hash_addresses(const uint64_t *_Nonnull addresses, uint32_t count) {
  uint64_t mixed = 0;
  for (uint32_t i = 0; i < count; i++) mixed = rxt_mix_address(mixed, addresses[i]);
  return mixed ^ count;
}

// Whether two lists of addresses are equal.
static inline bool rxt_same_addresses(const void *_Nonnull one, const uint64_t *_Nonnull other, size_t count) {
  return memcmp(one, other, count * sizeof *other) == 0;
}
