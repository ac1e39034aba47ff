// Follows hops (passages of work to where it runs) that do not go through this library: work passed to Swift tasks, dispatch
// queues and threads. An image (an executable or a library) calls the functions that request such work through a table of
// addresses, which the dynamic linker fills in. In a program that is recorded, the entries of that table point to hooks here.
// The program's code is not changed; in a program that is not recorded, the table is not changed either.
//
// A chain is an asynchronous backtrace, identified by its number in the trace. It consists of the stack that requested the
// work, and of the chain of the work in which that stack ran.
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

// The library to which a function belongs, in a program that has the Swift libraries linked into its own file.
enum {
  RXT_PART_PROGRAM,
  // The C and C++ functions of the concurrency runtime, which run asynchronous code.
  RXT_PART_RUNTIME,
  RXT_PART_SWIFT,
  // The Swift overlay of dispatch (libswiftDispatch).
  RXT_PART_OVERLAY,
  RXT_PART_DISPATCH,
  RXT_PART_FOUNDATION,
};
// Determines to which library a function belongs, by its name in the symbol table.
uint32_t rxt_part_named(const char *name);

// Whether the calling code runs on the main queue: RXT_ON_MAIN_QUEUE, whichever thread serves it; RXT_OFF_MAIN_QUEUE; or 0 if
// the program does not use dispatch. Takes no lock, so that a signal handler may call it if its thread has called it before.
// Work on a queue whose target is the main queue counts as off the main queue.
enum { RXT_ON_MAIN_QUEUE = 1, RXT_OFF_MAIN_QUEUE = 2 };
uint32_t rxt_runs_on(void);

// Functions of the recorder: defined in module ReactiveTrace, and null if that module is not linked.
//
// The chain of work that the caller of the function with frame `frame` requests; 0 if there is
// none.
uint32_t rxt_hop_captured(uintptr_t frame, uint32_t kind) __attribute__((weak));
// The chain of a task that the caller of the function with frame `frame` resumes; 0 if no code of
// the program resumes it. The parent of the chain is `own`, the chain in which the task was made.
uint32_t rxt_hop_resumed(uintptr_t frame, uint32_t own) __attribute__((weak));

// Reports that a task gets no chain because there are too many tasks at once.
void rxt_hop_forgotten(void) __attribute__((weak));

// Lets all loaded images request work through the hooks. To be called again for images that were
// loaded since. A program that has RXTRACE in its environment calls this already when it is loaded,
// so that work requested before the first signal is not missed.
void rxt_hops_install(void);
// Determines where code is loaded, without redirecting anything.
void rxt_hops_scan_images(void);

// For libraries that record hops which do not go through a table of the dynamic linker: ReactiveNIO, for example, records those
// of NIO, which is linked into the program's own file.
//
// Calls `begin` when the hooks are installed, at once if they already are, and again whenever images are examined anew, perhaps
// on several threads at once.
void rxt_hops_also(void (*begin)(void));
// The chain of work that is requested by the caller of the function with frame `frame`; 0 if nothing is recorded, or if the
// library itself requests the work.
uint32_t rxt_hops_capture(uintptr_t frame, uint32_t kind);
// Redirects a function that is called through a word in the data of a loaded image. Returns false, and changes nothing, if
// `word` is not in such data, does not contain `function`, or is redirected already.
bool rxt_hops_lead(const void *word, uintptr_t function, uintptr_t replacement);

// Whether the program's tasks can be recorded. They cannot if the Swift libraries are linked into its own file, unless it was
// linked with the options that `Scripts/static-hops` prints.
bool rxt_hops_see_tasks(void);
// A text that says which hops cannot be recorded and what to do about it; null if all can, or if no hooks are installed.
const char *_Nullable rxt_hops_unseen(void);

// The chain that the thread had before a piece of work began.
typedef struct rxt_outer_chain {
  uint32_t chain;
  uintptr_t task;
} rxt_outer_chain;

// The chain of the work that runs on this thread. The chain of a task is discarded if the thread no longer runs that task.
static inline uint32_t rxt_chain_now(rxt_thread *thread) {
  if (thread->chain_task && swift_task_getCurrent() != thread->chain_task) {
    thread->chain_task = 0;
    thread->chain = 0;
  }
  return thread->chain;
}
// To be called when work with a separate chain begins on this thread.
static inline rxt_outer_chain rxt_chain_begin(rxt_thread *thread, uint32_t chain) {
  rxt_crash_prepare_thread();
  rxt_outer_chain outer = {rxt_chain_now(thread), (uintptr_t)thread->chain_task};
  thread->chain = chain;
  thread->chain_task = 0;
  return outer;
}
// To be called when that work has returned.
static inline void rxt_chain_end(rxt_thread *thread, rxt_outer_chain outer) {
  thread->chain = outer.chain;
  thread->chain_task = (void *)outer.task;
}

// Walks the stack of a task like `rxt_walk_frames`, but computes no hash. The runtime's frames,
// which carry no information, are replaced by the functions that await the running one. Each of
// these is stored as the address at which it continues, plus one. `task_frame` receives the frame
// of the running function of the task; 0 if the walk has not come to it, or has found no function
// of the program.
uint32_t rxt_walk_task(uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit, uintptr_t *task_frame);

// Looks among the walks that the thread remembers for one with this key that found what a walk from
// `frame` would find now; returns null if there is none. Compares all addresses and stores none, so
// it takes less than half as many instructions as a walk.
const rxt_known_walk *_Nullable rxt_find_walk(rxt_thread *thread, const rxt_walk_key *key, uintptr_t frame);
// Remembers a walk from `frame` that has just been made, and the chain that belongs to it. `task_frame` is the frame that
// rxt_walk_task has returned; 0 for other walks. Some walks are not remembered: those of more than RXT_WALK_LIMIT frames, and those
// that ended at code of an image that is not known yet.
void rxt_remember_walk(
  rxt_thread *thread, const rxt_walk_key *key, uint32_t chain, uintptr_t frame, uintptr_t task_frame, const uint64_t *addresses,
  uint32_t count);

// The return addresses of an interrupted thread, followed in a task by the awaiting functions. Meant for a crash handler: the
// memory it reads may contain anything. Async-signal-safe.
uint32_t rxt_walk_crash(uintptr_t counter, uintptr_t stack, uintptr_t frame, uint64_t *addresses, uint32_t limit);

// Stores the functions of a task that is not running, beginning with the one with which it continues, each as its address plus
// one; returns how many there are. Stores none if the task cannot be read, or has ended. Assumes the memory layout of the
// runtime of Swift 6.
uint32_t rxt_walk_suspended(uintptr_t task, uint64_t *addresses, uint32_t limit);

// Stores the tasks that were made while hooks were installed and have not ended, in no particular order, and returns how many
// there are. They may end at any time.
uint32_t rxt_known_tasks(uintptr_t *tasks, uint32_t limit);

// Whether the stack with these return addresses shows that the Swift runtime was called by the
// program, rather than by a queue or a run loop.
bool rxt_is_called_by_program(const uint64_t *addresses, uint32_t count);

#pragma clang assume_nonnull end
