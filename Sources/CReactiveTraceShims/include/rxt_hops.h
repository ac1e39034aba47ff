// Work that goes from one place to another without the library's doing: Swift tasks, dispatch queues, threads. Each function by which
// a program asks for such work is looked up by the dynamic linker in a table of the image that calls it; while something is recorded,
// that table leads here first. Nothing of the program is changed, and nothing at all where nothing is recorded.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "rxt_crash.h"
#include "rxt_task.h"
#include "rxt_thread.h"

#pragma clang assume_nonnull begin

// How work has got where it runs. Stored in traces: `HopKind` of module TraceFormat has the same numbers.
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

// Whose code a function of a program is that has the libraries of Swift in its own file.
enum {
  RXT_PART_PROGRAM,
  // The functions of C and C++ of the concurrency runtime, which run what is asynchronous.
  RXT_PART_RUNTIME,
  RXT_PART_SWIFT,
  // Dispatch for Swift.
  RXT_PART_OVERLAY,
  RXT_PART_DISPATCH,
  RXT_PART_FOUNDATION,
};
// By its name in the table of symbols.
uint32_t rxt_part_named(const char *name);

// Where the calling code runs: RXT_ON_MAIN_QUEUE, whichever thread that is; RXT_OFF_MAIN_QUEUE; 0 where the program has no dispatch. Takes no
// lock, so that a signal handler may ask which its thread has asked before. What runs on a queue whose target is the main queue is off it.
enum { RXT_ON_MAIN_QUEUE = 1, RXT_OFF_MAIN_QUEUE = 2 };
uint32_t rxt_runs_on(void);

// What is asked of the recorder: defined in module ReactiveTrace, and missing where nothing can be recorded.
//
// The chain of work that is asked for now, by the function whose frame is given; 0 where there is none.
uint32_t rxt_hop_captured(uintptr_t frame, uint32_t kind) __attribute__((weak));
// The chain of a task that the function whose frame is given lets go on: that of the task itself comes behind it.
uint32_t rxt_hop_resumed(uintptr_t frame, uint32_t own) __attribute__((weak));

// A task has no chain, because there are too many tasks at once.
void rxt_hop_forgotten(void) __attribute__((weak));

// Leads the functions of all images that are loaded here; once more, those of images that were loaded since. Done when a program is
// loaded with RXTRACE in its environment, so that no work is missed before the first signal.
void rxt_hops_install(void);
// Finds out where code is loaded, without leading anything elsewhere.
void rxt_hops_look_at_images(void);

// What libraries need that see hops which no table of the dynamic linker leads over, as those of another library in the same file.
//
// Calls `begin` when hops are led here, and whenever images are looked at again: perhaps at once, and perhaps in several threads.
void rxt_hops_also(void (*begin)(void));
// The chain of work that is asked for by the function that has called the one whose frame is given; 0 where nothing is recorded, and where
// the library itself asks.
uint32_t rxt_hops_capture(uintptr_t frame, uint32_t kind);
// Leads a function elsewhere that is called by way of a word in the data of a loaded image. False, and nothing is changed, where the word
// is not such a one, or leads elsewhere already.
bool rxt_hops_lead(const void *word, uintptr_t function, uintptr_t replacement);

// Whether a program's tasks can be seen: not where it is linked with the libraries of Swift in one file, unless it was linked with
// what `Scripts/static-hops` prints.
bool rxt_hops_see_tasks(void);
// Which hops are not seen, and what to do about it; null where all are, and where no hooks are installed.
const char *_Nullable rxt_hops_unseen(void);

// What the thread had before a piece of work began.
typedef struct rxt_outer_chain {
  uint32_t chain;
  uintptr_t task;
} rxt_outer_chain;

// The chain of what runs on this thread. That of a task holds as long as the task runs.
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

// As `rxt_walk_frames`, without the hash, on the stack of a task: in place of the runtime's frames, which say nothing, come the functions that wait for
// this one, each with one more than the address at which it goes on.
uint32_t rxt_walk_task(uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit);

// The return addresses of a thread that was interrupted there, and in a task the functions that wait, for a handler of crashes: what it
// reads may be anything. Async-signal-safe.
uint32_t rxt_walk_crash(uintptr_t counter, uintptr_t stack, uintptr_t frame, uint64_t *addresses, uint32_t limit);

// The functions of a task that does not run, from the one with which it goes on: each with one more than the address. None where it cannot be
// read, or has ended. What is read of it is laid out as the runtime of Swift 6 does.
uint32_t rxt_walk_suspended(uintptr_t task, uint64_t *addresses, uint32_t limit);

// Tasks that were made while hops were led here, and have not ended, in no order; their number. They may end at any time.
uint32_t rxt_known_tasks(uintptr_t *tasks, uint32_t limit);

// Whether a stack leads from the runtime into the program, and not to a queue or a run loop first.
bool rxt_is_called_by_program(const uint64_t *addresses, uint32_t count);

#pragma clang assume_nonnull end
