// The thread-local state of the recorder. One instance per thread, defined in rxt_thread.c.
//
// The alternatives in Swift (`@TaskLocal`, `pthread_getspecific`) cost 5 to 18 ns; `initial-exec` TLS reached through a static
// inline function costs less than one, even from an `@inlinable` Swift function in another module.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { RXT_RELEASE_LIMIT = 16, RXT_READY_LIMIT = 8, RXT_HELD_LIMIT = 32 };
// The cache of sites has 2 to the power of RXT_MET_BITS entries, and that of walks has 2 to the power of RXT_WALK_SET_BITS sets of
// RXT_WALK_SET entries. A server needs dozens of sites and walks at every request, and those that share an entry or a set displace
// one another.
enum { RXT_MET_BITS = 8, RXT_MET = 1 << RXT_MET_BITS, RXT_WALK_SET_BITS = 6, RXT_WALK_SET = 4 };
// The maximum number of addresses of a walk that is remembered.
enum { RXT_WALK_LIMIT = 88 };

// A site (a line of the program with an operator) that a thread has looked up: the addresses of the literals of its name and
// file, its line and column, and its number, which is 0 if the entry is empty.
typedef struct rxt_site_met {
  uint64_t name;
  uint64_t file;
  uint64_t position;
  uint32_t number;
} rxt_site_met;

// What the chain (the asynchronous backtrace) of a stack depends on besides its addresses: the parent chain, the scheduler, the
// kind of the hop (the passage of work to another queue, task or thread), and how the stack is walked: to which limit, and
// whether with the functions that await the running one. `innermost` is a hash of the innermost addresses.
typedef struct rxt_walk_key {
  uint32_t innermost;
  uint32_t parent;
  uint32_t scheduler;
  uint32_t kind;
  uint16_t limit;
  uint16_t walks_task;
} rxt_walk_key;

// A walk of a stack that was made before, and its chain: the return addresses of `frames` frames, and then the addresses at
// which `contexts` awaiting functions continue. Functions of the runtime are included.
typedef struct rxt_known_walk {
  rxt_walk_key key;
  uint32_t chain;
  // 0 if the entry is empty.
  uint8_t frames;
  uint8_t contexts;
  // Whether the walk reached the frame that refers to the awaiting functions.
  bool is_in_task;
  bool ends_at_limit;
  // The distance of that frame, and of the last one, from the first, in words of 8 bytes.
  uint32_t task_frame;
  uint32_t extent;
  // The distance of each frame from the next one, in words of 8 bytes.
  uint16_t sizes[RXT_WALK_LIMIT];
  uint64_t addresses[RXT_WALK_LIMIT];
} rxt_known_walk;

// Lists, and other state that a thread uses rarely, most of it while subscriptions begin and end. They are kept outside of
// thread-local storage: all libraries that a program loads at run time share about 1,600 bytes of `initial-exec` storage, and a
// library that does not fit is not loaded.
typedef struct rxt_lists {
  // Subscriptions that were begun together and are taken one by one (rxt_take_ready), and their signals.
  uint32_t ready[RXT_READY_LIMIT];
  uint32_t ready_signals[RXT_READY_LIMIT];
  // The identifiers of subscriptions whose closures were freed while a subscription was ending. When it has ended, these
  // releases are recorded.
  uint32_t releases[RXT_RELEASE_LIMIT];
  // The sites that were looked up last, each at the index that its position in the source determines.
  rxt_site_met sites_met[RXT_MET];
  // Where the thread ran according to its last `runs-on` record, and the base time of the segment that contains that record.
  uint32_t recorded_place;
  uint64_t recorded_base;
  // The objects held by the closures of the subscription that was inspected last (rxt_holdings), and the site of each.
  const void *_Nullable held[RXT_HELD_LIMIT];
  uint32_t held_sites[RXT_HELD_LIMIT];
  uint32_t held_count;
  uint32_t held_subscription;
  uint32_t held_reads;
  // How often a walk could not be remembered in an empty entry.
  uint32_t walk_misses;
  // The signal of the property that this thread has read last, or 0; the number of the set that had given the property the value
  // that was read; the ticks of the clock; and `time` at that moment: in other recorded work of the thread, `time` is a later one.
  uint32_t read_signal;
  uint64_t read_stamp;
  uint64_t read_at;
  uint64_t read_time;
  // The walks that were made last. A walk's set is determined by its innermost addresses and its parent chain. This is the last
  // member: the others are cleared when another thread takes over the lists.
  rxt_known_walk walks[RXT_WALK_SET << RXT_WALK_SET_BITS];
} rxt_lists;

typedef struct rxt_thread {
  // The control word that decides whether, and how, this thread records. Never null: it points at `rxt_idle_control` until the
  // thread has registered with a recorder.
  const uint32_t *control;
  // The value of `*control` that this thread acted on last. Differs from every possible value in a thread that has not read it
  // yet.
  uint32_t seen;
  // The highest level of anything that this thread records: 0 off, 1 graph, 2 events, 3 values. Determined by `seen`, and by
  // the levels that have been set for single files or lines of the source (places).
  uint32_t level;
  // Where the next record goes, and the end of the segment. Equal if the thread owns no segment.
  uint8_t *_Nullable cursor;
  uint8_t *_Nullable end;
  // The header of the segment that `cursor` points into, or null.
  uint8_t *_Nullable segment;
  // `base`: the ticks to which the deltas of records are relative. `time_limit`: the ticks at which the slow path has to be
  // taken, because a delta would no longer fit into the segment or a lease (an inspector's temporary request for a higher
  // level) expires; UINT64_MAX if there is no such time.
  uint64_t base;
  uint64_t time_limit;
  // The cached time in ticks. Only moves forward.
  uint64_t time;
  // The first byte of the slab (the trace's table of live entities), or null while the level is 0; and the mask that turns an
  // entity's identifier into its slot index.
  uint8_t *_Nullable slab;
  uint32_t slot_mask;
  // Low 30 bits of the generation of the segment that the thread writes into. A generation is a section of the trace that can
  // be read without the earlier records.
  uint32_t generation;
  // 1 if this thread has delivered an event to a traced subscription since the variable was last set to 0. A timer uses it to
  // determine whether firing had an effect. It is not a counter, because each event would then have to wait for the increment
  // by the previous one.
  uint64_t delivered;
  // Row in the thread table; 0 before registration.
  uint32_t thread_id;
  // Row in the scheduler table of the scheduler whose work runs now; 0 if none is known.
  uint32_t scheduler_id;
  // Hop chain (asynchronous backtrace) of the work that runs now; 0 if it was not scheduled.
  uint32_t chain;
  // The chain of a task that is being made, until the task is enqueued; 0 if none is being made.
  uint32_t new_task_chain;
  // Not zero while a hop is being captured on this thread, and while the library schedules work whose hop it records itself.
  uint32_t hops_pass;
  // 32 bits of the address of the task that the runtime has just reported as about to be enqueued; 0 for none.
  uint32_t handed_task;
  // The task that `chain` belongs to, or null. The runtime does not always report when the task stops running, so the chain is
  // only valid while this is the thread's current task.
  void *_Nullable chain_task;
  // 0: never registered; 1: registered; 2: the thread is ending and no longer owns a segment.
  uint32_t phase;
  // The number that the slot of a subscription must contain, so that its events are recorded without checking the level of its
  // place: a generation, and a mark that depends on that level (Recorder+Places.swift).
  uint32_t event_generation;
  // Upper bound of the thread's stack for the frame-pointer walk; 0 before the first walk.
  uintptr_t stack_high;
  // An unretained reference to the Scheduler object whose work runs now, or null. Belongs to module Reactive.
  void *_Nullable current_scheduler;
  // What an operator on this thread is subscribing to, if one of its inputs must not send before another has sent the values
  // that it replays (Arrival.swift); otherwise null. Belongs to module Reactive.
  void *_Nullable arrivals;
  // 0: not determined yet; 1: this is the main thread; 2: it is not.
  uint32_t is_main;
  // The number of iterations of the loops under way on this thread that deliver waiting events of a gate or repeat a
  // subscription. After many iterations, a scheduler of the main thread enqueues work instead of running it at once.
  uint32_t looped;
  // 1: the time is read from the cycle counter; 0: from the monotonic clock.
  uint32_t counts_cycles;
  // Not zero while this thread is inside the recorder. If a signal handler enters the recorder again, its record is dropped and
  // counted, so that the handler does not wait for a lock that its own thread holds.
  uint32_t busy;
  // Not zero while the description of a value is being generated: values that the generating code sends are not described.
  uint32_t describing;
  // Records of this thread that were dropped since the last one that was written.
  uint32_t dropped;
  // Ticks at which the level has to be checked again, because a lease expires; UINT64_MAX if none does.
  uint64_t lease_limit;
  // The last subscription that this thread began, with its time and its chain, which are reused for subscriptions that begin
  // together with it.
  uint32_t begun;
  uint32_t begun_chain;
  uint64_t begun_at;
  // Null until the thread has registered with a recorder, and after it has ended. If it is null, the level is 0.
  rxt_lists *_Null_unspecified lists;
  // How many subscriptions are in `ready`, and the index of the one that will be taken next.
  uint32_t ready_count;
  uint32_t ready_next;
  // How many nested tear-downs of subscriptions with traced stages are under way on this thread.
  uint32_t tearing;
  // The number of entries in `releases`.
  uint32_t release_count;
  // The highest address of the stack at which a signal was released. Belongs to module Reactive.
  uintptr_t release_top;
  // How many subscriptions and disposals are under way, nested in each other; and the queue of those that are postponed until
  // one of these returns, or null. Both belong to module Reactive.
  uint64_t nesting;
  void *_Nullable put_off;
} rxt_thread;

extern _Thread_local rxt_thread rxt_current __attribute__((tls_model("initial-exec")));

// A control word that says "off", for threads that are not registered with a recorder.
extern const uint32_t rxt_idle_control;

// 1: a recorder runs in this process; 0: none does; 2: the environment has not been read yet; 3: nothing is recorded, but
// signals are to be logged. If tracing is off, one relaxed load of this variable is its only cost.
extern uint32_t rxt_is_recording;

// What a probe (the tracing code at a subscription) has to do besides counting events: bit 0, signals may have to be logged;
// bit 1, values may be recorded; bit 2, places have separate levels. Set before `rxt_is_recording` becomes 1. While
// `rxt_is_recording` is 3, these bits are not set, and signals are logged nevertheless.
extern uint32_t rxt_probe_extras;

// The recorder of this process, or null. Set once, with release; read with acquire.
extern void *_Nullable rxt_the_recorder;

static inline rxt_thread *rxt_thread_state(void) { return &rxt_current; }

// Gives the calling thread its lists, if it has none; returns false if there is no memory.
bool rxt_take_lists(void);
// Takes the lists back, for use by another thread.
void rxt_give_lists_back(void);

// Whether the releases of signals are nested so deeply on this thread that the next one should happen on another stack. The
// smallest stacks, those of worker threads, have 512 KiB.
static inline bool rxt_releases_deep(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here > rxt_current.release_top) rxt_current.release_top = here;
  return rxt_current.release_top - here > 128 * 1024;
}
// Takes the next of the subscriptions that were begun together; 0 if there is none, or if it is not a subscription to `signal`.
static inline uint32_t rxt_take_ready(rxt_thread *thread, uint32_t signal) {
  if (thread->ready_next >= thread->ready_count || thread->lists->ready_signals[thread->ready_next] != signal) return 0;
  return thread->lists->ready[thread->ready_next++];
}
static inline uint32_t *rxt_ready(rxt_thread *thread) { return thread->lists->ready; }
static inline uint32_t *rxt_ready_signals(rxt_thread *thread) { return thread->lists->ready_signals; }
// Notes that a subscription has been released, so that the end under way records the release. Returns false if the caller has
// to record it, because no end is under way, the list is full, or the thread has no lists.
static inline bool rxt_note_release(rxt_thread *thread, uint32_t subscription) {
  if (thread->tearing == 0 || thread->release_count == RXT_RELEASE_LIMIT || !thread->lists) return false;
  thread->lists->releases[thread->release_count++] = subscription;
  return true;
}
// The first of the noted releases.
static inline const uint32_t *rxt_releases(const rxt_thread *thread) { return thread->lists->releases; }
// Forgets the first `count` of the noted releases.
static inline void rxt_forget_releases(rxt_thread *thread, uint32_t count) {
  for (uint32_t i = count; i < thread->release_count; i++) {
    thread->lists->releases[i - count] = thread->lists->releases[i];
  }
  thread->release_count -= count;
}
// The entry of the thread's cache for a site at that position. A program that repeatedly subscribes at one line finds its site
// there.
static inline rxt_site_met *_Nullable rxt_site_place(rxt_thread *thread, uint64_t position) {
  if (!thread->lists) return 0;
  return &thread->lists->sites_met[position * 0x9FB21C651E98DF25ull >> (64 - RXT_MET_BITS)];
}
// A hash of the innermost return addresses. It includes several, because the first ones may be those of a function that many
// places of the program call.
static inline uint32_t rxt_innermost(uintptr_t frame, uintptr_t high) {
  uint64_t mixed = 0;
  for (int i = 0; i < 6 && (frame & 7) == 0 && frame != 0 && frame < high && high - frame >= 16; i++) {
    const uintptr_t *words = (const uintptr_t *)frame;
    mixed = (mixed ^ words[1]) * 0x9FB21C651E98DF25ull;
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return (uint32_t)(mixed >> 32);
}
// How many records were dropped since the last one that was written; resets the count. A signal handler may drop one at any
// time.
static inline uint32_t rxt_take_dropped(rxt_thread *thread) { return __atomic_exchange_n(&thread->dropped, 0, __ATOMIC_RELAXED); }
// Advances the cached time from `known` to `now`, unless a signal handler has advanced it since `known` was read; the cached
// time is then late enough already. A single instruction without a lock prefix suffices, because no other thread changes the
// time.
static inline void rxt_advance_time(rxt_thread *thread, uint64_t known, uint64_t now) {
#if defined(__x86_64__)
  __asm__ volatile("cmpxchgq %2, %0" : "+m"(thread->time), "+a"(known) : "r"(now) : "cc");
#else
  __atomic_compare_exchange_n(&thread->time, &known, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}
static inline uint32_t *rxt_recording_flag(void) { return &rxt_is_recording; }
static inline uint32_t *rxt_probe_extras_word(void) { return &rxt_probe_extras; }
static inline const uint32_t *rxt_idle_control_word(void) { return &rxt_idle_control; }
static inline void *_Nullable rxt_recorder(void) { return __atomic_load_n(&rxt_the_recorder, __ATOMIC_ACQUIRE); }
static inline void rxt_set_recorder(void *_Nullable p) { __atomic_store_n(&rxt_the_recorder, p, __ATOMIC_RELEASE); }

#pragma clang assume_nonnull end
