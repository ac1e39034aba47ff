// The memory use of the process, and the processor time of a thread.
#pragma once
#include <stdint.h>

// Bytes that the program has allocated from its heap and not freed, plus the freed blocks that the C library keeps in its
// per-thread caches; 0 if that is unknown: under a sanitizer, which has a separate heap, and with an allocator or a C library
// that does not report it.
//
// Takes the locks of malloc, one after the other, and walks all free blocks, which takes 20 to 60 nanoseconds per block. Must
// not be called from a signal handler, which may have interrupted malloc, nor while holding a lock that a thread inside malloc
// may be waiting for.
uint64_t rxt_heap_in_use(void);

// Resident bytes of the process, read from `descriptor`, an open /proc/self/statm; 0 if that fails. Preserves errno.
uint64_t rxt_resident_size(int descriptor);

// The processor time of the calling thread, in nanoseconds.
uint64_t rxt_thread_nanoseconds(void);
