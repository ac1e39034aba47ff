// What a crashing program prints: where it crashed, and which code had requested the work that crashed. A handler can neither
// look up a name nor allocate memory, so all names are prepared in advance.
#pragma once
#include <stdint.h>

#include "rxt_crash.h"

#pragma clang assume_nonnull begin

// The code from `start` to `end`, and the position and length of its name in `names`. The length is 0 if the code is not the
// program's own.
typedef struct rxt_named_code {
  uint64_t start;
  uint64_t end;
  uint32_t name;
  uint32_t name_size;
} rxt_named_code;

// A table or a heap of the trace. `used` is the number of rows of a table, or of bytes of a heap, that may be read. `unit` is
// the size of a row; in a heap, the offset of an entry is its number times `unit`.
typedef struct rxt_stored {
  const uint8_t *base;
  const uint64_t *used;
  uint32_t unit;
} rxt_stored;

// Where chains (the asynchronous backtraces of a trace) are stored, and their layout.
typedef struct rxt_stored_chains {
  rxt_stored chains, stacks, schedulers, strings;
  // The offsets of these fields in a chain.
  uint32_t stack, parent, scheduler, depth;
  // The bits of a chain's `depth` field.
  uint32_t kind_shift, kind_mask, repeat_bit, cut_bit;
  // The offsets of the frames in a stack, of the name in a scheduler, and of the length and the bytes in a string.
  uint32_t frames, name, length, bytes;
  uint32_t depth_limit;
} rxt_stored_chains;

// Everything that a report is made from. It is never changed or freed.
typedef struct rxt_crash_report {
  rxt_stored_chains stored;
  // Both are sorted by address. Code in an image, but not in a function, is reported by the name of the image.
  const rxt_named_code *functions;
  const rxt_named_code *images;
  uint64_t function_count, image_count;
  const char *names;
  // The line to print between two stacks, by the kind of hop; null if the line names the scheduler.
  const char *const _Nullable *_Nonnull separators;
  uint32_t separator_count;
  // The names of the program and of its trace, and whether the trace contains the stacks of the code that requested work.
  const char *program;
  const char *path;
  uint32_t knows_chains;
} rxt_crash_report;

// Makes the crash handler also print the crash on standard error, before it calls the previous handler.
void rxt_crash_report_with(const rxt_crash_report *report);

// Prints the report of a crash, if a report was requested. Async-signal-safe.
void rxt_crash_print(int number, uint32_t chain, const uint64_t *addresses, uint32_t count);

// Prints that another process sent the signal, if a report was requested. Async-signal-safe.
void rxt_crash_print_sent(int number, int sender);

#pragma clang assume_nonnull end
