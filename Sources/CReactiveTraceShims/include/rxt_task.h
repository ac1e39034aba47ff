// What of Swift's tasks has to be asked often.
#pragma once
#include <stdbool.h>

// Of the concurrency runtime, which every Swift program on Linux is linked with that uses this package.
extern __attribute__((swiftcall)) void *_Nullable swift_task_getCurrent(void);

// Whether the calling thread runs a Swift task: one call, where `withUnsafeCurrentTask` costs some hundred instructions.
static inline bool rxt_is_in_task(void) { return swift_task_getCurrent() != 0; }
