// Inexpensive queries about the current Swift task.
#pragma once
#include <stdbool.h>

// A function of the concurrency runtime. Every Swift program on Linux that uses this package is linked with that
// runtime.
extern __attribute__((swiftcall)) void *_Nullable swift_task_getCurrent(void);

// Whether the calling thread runs a Swift task. Costs one call, whereas `withUnsafeCurrentTask` costs about a hundred
// instructions.
static inline bool rxt_is_in_task(void) { return swift_task_getCurrent() != 0; }
