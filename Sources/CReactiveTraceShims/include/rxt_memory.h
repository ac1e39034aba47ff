// What the process has of memory.
#pragma once
#include <stdint.h>

// Bytes that the program has from its heap and has not given back, with what the C library keeps ready for its threads; 0 where that cannot be
// found out: under a sanitizer, which has a heap of its own, and with an allocator or a C library that does not say.
//
// Waits for the locks of malloc, one after the other, and goes through all free blocks: some 20 to 60 nanoseconds each. Not for a signal
// handler, which may have interrupted malloc, nor with a lock that a thread inside of malloc may wait for.
uint64_t rxt_heap_in_use(void);

// Bytes of the process that are in memory, as `descriptor` says, which is open for /proc/self/statm; 0 if it does not. Keeps errno.
uint64_t rxt_resident_size(int descriptor);

// Nanoseconds for which a processor has run the calling thread.
uint64_t rxt_thread_nanoseconds(void);
