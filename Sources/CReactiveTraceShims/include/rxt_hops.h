// Work that goes from one place to another outside the library: Swift tasks, dispatch queues, threads. Each function by which a
// program requests such work is found by the dynamic linker in a table of the calling image; while something is recorded, that
// table points here first. The program's code is not changed, and nothing at all is changed if nothing is recorded.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "rxt_crash.h"
#include "rxt_task.h"
#include "rxt_thread.h"

#pragma clang assume_nonnull begin

// How work got to where it runs. Stored in traces: `HopKind` of module TraceFormat has the same numbers.
enum {
  RXT_HOP_SCHEDULER = 0,
  RXT_HOP_TASK,
  RXT_HOP_DETACHED_TASK,
  RXT_HOP_CHILD_TASK,
  RXT_HOP_ASYNC_LET,
  RXT_HOP_RESUMED,
  RXT_HOP_ASYNC,
  RXT_HOP_AFTER,
  RXT_HOP_GROUP,
  RXT_HOP_BARRIER,
  RXT_HOP_APPLY,
  RXT_HOP_SOURCE,
  RXT_HOP_WORK_ITEM,
  RXT_HOP_THREAD,
  RXT_HOP_TIMER,
  RXT_HOP_RUN_LOOP,
  RXT_HOP_OPERATION,
  RXT_HOP_EVENT_LOOP,
};

// The owner of a function, in a program that has the Swift libraries linked into its own file.
enum {
  RXT_PART_PROGRAM,
  // The C and C++ functions of the concurrency runtime, which run asynchronous code.
  RXT_PART_RUNTIME,
  RXT_PART_SWIFT,
  // Dispatch for Swift.
  RXT_PART_OVERLAY,
  RXT_PART_DISPATCH,
  RXT_PART_FOUNDATION,
};
// The owner of a function by its name in the symbol table.
uint32_t rxt_part_named(const char *name);

// Where the calling code runs: RXT_ON_MAIN_QUEUE, on any thread; RXT_OFF_MAIN_QUEUE; 0 if the program has no dispatch. Takes no
// lock, so that a signal handler may call it once its thread has called it. Work on a queue whose target is the main queue
// counts as off the main queue.
enum { RXT_ON_MAIN_QUEUE = 1, RXT_OFF_MAIN_QUEUE = 2 };
uint32_t rxt_runs_on(void);

// Queries to the recorder: defined in module ReactiveTrace, and missing if nothing can be recorded.
//
// The chain of work that is being requested now, by the function whose frame is given; 0 if there is none.
uint32_t rxt_hop_captured(uintptr_t frame, uint32_t kind) __attribute__((weak));
// The chain of a task that the function whose frame is given resumes: the task's own chain follows it.
uint32_t rxt_hop_resumed(uintptr_t frame, uint32_t own) __attribute__((weak));

// Notes that a task has no chain, because there are too many tasks at once.
void rxt_hop_forgotten(void) __attribute__((weak));

// Redirects the functions of all images that are loaded; called again, those of images that were loaded since. Called when a
// program is loaded with RXTRACE in its environment, so that no work is missed before the first signal.
void rxt_hops_install(void);
// Finds out where code is loaded, without redirecting anything.
void rxt_hops_scan_images(void);

// For libraries with hops that no table of the dynamic linker reveals, such as those of another library in the same file.
//
// Calls `begin` when hooks are installed, and whenever images are examined again: perhaps at once, and perhaps in several
// threads.
void rxt_hops_also(void (*begin)(void));
// The chain of work that is requested by the caller of the function whose frame is given; 0 if nothing is recorded, and if the
// library itself requests it.
uint32_t rxt_hops_capture(uintptr_t frame, uint32_t kind);
// Redirects a function that is called through a word in the data of a loaded image. Returns false, and changes nothing, if the
// word is not such a word, or is redirected already.
bool rxt_hops_lead(const void *word, uintptr_t function, uintptr_t replacement);

// Whether a program's tasks can be recorded: not if it is linked with the Swift libraries in one file, unless it was linked
// with the options that `Scripts/static-hops` prints.
bool rxt_hops_see_tasks(void);
// Which hops cannot be recorded, and what to do about it; null if all can, and if no hooks are installed.
const char *_Nullable rxt_hops_unseen(void);

// The chain that the thread had before a piece of work began.
typedef struct rxt_outer_chain {
  uint32_t chain;
  uintptr_t task;
} rxt_outer_chain;

// The chain of the work that runs on this thread. The chain of a task is valid for as long as the task runs.
static inline uint32_t rxt_chain_now(rxt_thread *thread) {
  if (thread->chain_task && swift_task_getCurrent() != thread->chain_task) {
    thread->chain_task = 0;
    thread->chain = 0;
  }
  return thread->chain;
}
// Work with a chain of its own begins on this thread.
static inline rxt_outer_chain rxt_chain_begin(rxt_thread *thread, uint32_t chain) {
  rxt_crash_prepare_thread();
  rxt_outer_chain outer = {rxt_chain_now(thread), (uintptr_t)thread->chain_task};
  thread->chain = chain;
  thread->chain_task = 0;
  return outer;
}
// That work has ended.
static inline void rxt_chain_end(rxt_thread *thread, rxt_outer_chain outer) {
  thread->chain = outer.chain;
  thread->chain_task = (void *)outer.task;
}

// Like `rxt_walk_frames`, without the hash, on the stack of a task: the runtime's frames, which carry no information, are
// replaced with the functions that wait for this one, each as the address at which it continues plus one.
uint32_t rxt_walk_task(uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit);

// The return addresses of an interrupted thread, and in a task the functions that wait, for a crash handler: the memory that it
// reads may contain anything. Async-signal-safe.
uint32_t rxt_walk_crash(uintptr_t counter, uintptr_t stack, uintptr_t frame, uint64_t *addresses, uint32_t limit);

// The functions of a task that is not running, starting with the one that it continues with: each as the address plus one. None
// if it cannot be read, or has ended. Assumes the memory layout of the runtime of Swift 6.
uint32_t rxt_walk_suspended(uintptr_t task, uint64_t *addresses, uint32_t limit);

// Tasks that were made while hooks were installed, and have not ended, in no order; returns their number. They may end at any
// time.
uint32_t rxt_known_tasks(uintptr_t *tasks, uint32_t limit);

// Whether a stack leads from the runtime into the program, and not to a queue or a run loop first.
bool rxt_is_called_by_program(const uint64_t *addresses, uint32_t count);

#pragma clang assume_nonnull end
