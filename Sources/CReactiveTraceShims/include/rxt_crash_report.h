// What a program that crashes prints: where, and which code had asked for that work. A handler can look up no name and take no
// memory, so that all names are there before.
#pragma once
#include <stdint.h>

#include "rxt_crash.h"

#pragma clang assume_nonnull begin

// Code from `start` to `end`, and its name among the names: no bytes where it is not the program's own.
typedef struct rxt_named_code {
  uint64_t start;
  uint64_t end;
  uint32_t name;
  uint32_t name_size;
} rxt_named_code;

// A table or a heap of the trace: how many entries or bytes of it may be read, and what its numbers count in.
typedef struct rxt_stored {
  const uint8_t *base;
  const uint64_t *used;
  uint32_t unit;
} rxt_stored;

// Where chains are stored, and how.
typedef struct rxt_stored_chains {
  rxt_stored chains, stacks, schedulers, strings;
  // Where these stand in a chain,
  uint32_t stack, parent, scheduler, depth;
  // in the word of its depth,
  uint32_t kind_shift, kind_mask, repeat_bit, cut_bit;
  // in a stack, a scheduler, a string.
  uint32_t frames, name, length, bytes;
  uint32_t depth_limit;
} rxt_stored_chains;

// All that a report is made of. None of it is ever freed or changed.
typedef struct rxt_crash_report {
  rxt_stored_chains stored;
  // Both in rising order. Code in an image, but not in a function, is the image's.
  const rxt_named_code *functions;
  const rxt_named_code *images;
  uint64_t function_count, image_count;
  const char *names;
  // The line between two stacks, by the kind of hop; null where it names the scheduler.
  const char *const _Nullable *_Nonnull separators;
  uint32_t separator_count;
  // The program and its trace, and whether that has the stacks of who asks for work.
  const char *program;
  const char *path;
  uint32_t knows_chains;
} rxt_crash_report;

// Has a crash that is noted printed on standard error, too, before the next handler runs.
void rxt_crash_report_with(const rxt_crash_report *report);

// Prints the report of a crash, if that was asked for. Async-signal-safe.
void rxt_crash_print(int number, uint32_t chain, const uint64_t *addresses, uint32_t count);

// Prints that nothing in this process has caused the signal, if a report was asked for. Async-signal-safe.
void rxt_crash_print_sent(int number, int sender);

#pragma clang assume_nonnull end
