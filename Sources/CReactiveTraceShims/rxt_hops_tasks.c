// Swift tasks: where they are made, when they run, and what resumes them. A chain is an asynchronous backtrace (rxt_hops.h).
//
// A program makes tasks through functions of the concurrency runtime, which are hooked like those of dispatch. The runs of a
// task are observed at two functions of the standard library, which the runtime calls through its table whenever a task begins
// to run and whenever it suspends. A task's resumption is observed on the resuming thread, where the runtime reports it to the
// thread sanitizer, or passes the task to dispatch. The runtime's own hook variables are not used: there is only one of each,
// and the last library to set it would win.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "rxt_hops_internal.h"
#include "rxt_platform.h"
#include "rxt_stack.h"

#define SWIFTCC __attribute__((swiftcall))

// MARK: The chains of tasks

typedef struct task_row {
  // Null if the row is free.
  void *_Atomic task;
  // The runtime's number of the task, which distinguishes it from an earlier task at the same address.
  _Atomic uint32_t number;
  // The chain in which the task was made, and the chain of the code that resumed it last; 0 for none.
  _Atomic uint32_t made;
  _Atomic uint32_t resumed;
  // The chain that the thread had when the task began to run.
  _Atomic uint32_t outer_chain;
  void *_Atomic outer_task;
} task_row;

enum { bucket_size = 8, bucket_bits = 15 };
// Unused pages take no memory.
static task_row rows[bucket_size << bucket_bits];
static _Atomic bool knows_tasks;

extern SWIFTCC uint64_t swift_task_getJobTaskId(void *) __attribute__((weak));

static task_row *bucket(const void *task) {
  uint64_t mixed = (uint64_t)(uintptr_t)task * 0x9FB21C651E98DF25ull;
  return rows + (mixed >> (64 - bucket_bits)) * bucket_size;
}

static uint32_t number_of(void *task) { return (uint32_t)swift_task_getJobTaskId(task); }

static task_row *find_row(void *task) {
  task_row *row = bucket(task);
  for (int i = 0; i < bucket_size; i++) {
    if (__c11_atomic_load(&row[i].task, __ATOMIC_ACQUIRE) == task) {
      return __c11_atomic_load(&row[i].number, __ATOMIC_RELAXED) == number_of(task) ? &row[i] : 0;
    }
  }
  return 0;
}

// The offset of a task's number in the task.
enum { task_number = 36 };

// The `task` of a row that a thread is filling in.
#define CLAIMED ((void *)1)

// Takes the row of an expected task; returns whether this thread may fill it in.
static bool claim(task_row *row, void *expected) {
  return __c11_atomic_compare_exchange_strong(&row->task, &expected, CLAIMED, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Whether the task of a row has ended without a call of its destructor, as the tasks of `async let` do, which are part of the
// memory of their parent.
static bool is_over(task_row *row, void *task) {
  uint32_t number = 0;
  int before = errno;
  errno = 0;
  bool is_read = rxt_read_word((uintptr_t)task + task_number, sizeof number, &number);
  // The system may forbid reading; then nothing is known.
  bool is_gone = is_read ? number != __c11_atomic_load(&row->number, __ATOMIC_RELAXED) : errno == EFAULT;
  errno = before;
  return is_gone;
}

// Adds a row for a task. Only the thread that makes or resumes a task can use it at that moment, so no other thread adds it or
// looks it up.
static task_row *add_row(void *task) {
  task_row *row = bucket(task);
  task_row *place = 0;
  for (int i = 0; i < bucket_size && !place; i++) {
    if (claim(&row[i], task)) place = &row[i];
  }
  for (int i = 0; i < bucket_size && !place; i++) {
    if (claim(&row[i], 0)) place = &row[i];
  }
  for (int i = 0; i < bucket_size && !place; i++) {
    void *other = __c11_atomic_load(&row[i].task, __ATOMIC_ACQUIRE);
    if (other && other != CLAIMED && is_over(&row[i], other) && claim(&row[i], other)) place = &row[i];
  }
  if (!place) {
    rxt_hop_forgotten();
    return 0;
  }
  __c11_atomic_store(&place->number, number_of(task), __ATOMIC_RELAXED);
  __c11_atomic_store(&place->made, 0, __ATOMIC_RELAXED);
  __c11_atomic_store(&place->resumed, 0, __ATOMIC_RELAXED);
  __c11_atomic_store(&place->outer_chain, 0, __ATOMIC_RELAXED);
  __c11_atomic_store(&place->outer_task, 0, __ATOMIC_RELAXED);
  __c11_atomic_store(&place->task, task, __ATOMIC_RELEASE);
  return place;
}

static void note_made(void *task, uint32_t chain) {
  task_row *row = knows_tasks ? add_row(task) : 0;
  if (row) __c11_atomic_store(&row->made, chain, __ATOMIC_RELAXED);
}

// MARK: Where tasks are made

typedef struct task_and_context {
  void *task;
  void *context;
} task_and_context;

// Bits of the flags with which a task is made.
enum { is_child = 1 << 8, copies_locals = 1 << 10 };

static SWIFTCC task_and_context (*real_create)(size_t, void *, const void *, void *, void *);
static SWIFTCC void (*real_async_let)(void *, void *, const void *, void *, void *, void *);

// Sets the chain of the task that will be made; the thread's chain is saved to `outer`.
static uint32_t begin_task(uintptr_t frame, uint32_t kind, rxt_outer_chain *outer) {
  uint32_t chain = rxt_capture(frame, kind);
  if (!chain) return 0;
  // The thread's chain is saved because a task that runs at once, on this thread, does not report its end. `rxt_capture` has
  // just checked that the chain is still valid.
  outer->chain = rxt_current.chain;
  outer->task = (uintptr_t)rxt_current.chain_task;
  rxt_current.new_task_chain = chain;
  return chain;
}

static SWIFTCC task_and_context create(size_t flags, void *options, const void *type, void *function, void *context) {
  uint32_t kind = (flags & is_child) ? RXT_HOP_CHILD_TASK : (flags & copies_locals) ? RXT_HOP_TASK : RXT_HOP_DETACHED_TASK;
  rxt_outer_chain outer;
  uint32_t chain = begin_task(RXT_FRAME, kind, &outer);
  task_and_context made = real_create(flags, options, type, function, context);
  if (chain) {
    // If the thread still has the chain of the new task, the runtime has not reported that it enqueued the task. In rare cases,
    // the task already runs by now.
    if (rxt_current.new_task_chain) note_made(made.task, chain);
    rxt_current.new_task_chain = 0;
    rxt_chain_end(&rxt_current, outer);
  }
  return made;
}

static SWIFTCC void begin_async_let(void *let, void *options, const void *type, void *function, void *context, void *result) {
  rxt_outer_chain outer;
  uint32_t chain = begin_task(RXT_FRAME, RXT_HOP_ASYNC_LET, &outer);
  real_async_let(let, options, type, function, context, result);
  if (chain) {
    rxt_current.new_task_chain = 0;
    rxt_chain_end(&rxt_current, outer);
  }
}

const rxt_hook rxt_task_hooks[] = {
  RXT_HOOK(swift_task_create, create, real_create),
  RXT_HOOK(swift_asyncLet_begin, begin_async_let, real_async_let),
  {0},
};

// MARK: When tasks run

static void (*real_enter)(char *);
static void (*real_exit)(char *);

static void enter(char *state) {
  real_enter(state);
  void *task = swift_task_getCurrent();
  task_row *row = task && knows_tasks ? find_row(task) : 0;
  rxt_thread *thread = &rxt_current;
  rxt_crash_prepare_thread();
  if (row) {
    uint32_t before = rxt_chain_now(thread);
    __c11_atomic_store(&row->outer_chain, before, __ATOMIC_RELAXED);
    __c11_atomic_store(&row->outer_task, thread->chain_task, __ATOMIC_RELAXED);
    uint32_t resumed = __c11_atomic_load(&row->resumed, __ATOMIC_RELAXED);
    thread->chain = resumed ? resumed : __c11_atomic_load(&row->made, __ATOMIC_RELAXED);
    thread->chain_task = task;
  } else if (thread->chain_task) {
    // A task that has ended left its chain on this thread.
    thread->chain_task = 0;
    thread->chain = 0;
  }
}

static void leave(char *state) {
  rxt_thread *thread = &rxt_current;
  void *task = thread->chain_task;
  if (task) {
    task_row *row = swift_task_getCurrent() == task ? find_row(task) : 0;
    thread->chain = row ? __c11_atomic_load(&row->outer_chain, __ATOMIC_RELAXED) : 0;
    thread->chain_task = row ? __c11_atomic_load(&row->outer_task, __ATOMIC_RELAXED) : 0;
  }
  real_exit(state);
}

// MARK: What resumes tasks

static void (*real_async)(void *, void *, void *);

// The only private field that is read here: the low byte of a job's flags, which is 0 if the job is a task.
static bool is_task(const void *job) { return *(const uint8_t *)((const char *)job + 32) == 0; }

rxt_function_range rxt_job_run;

// Whether only the runtime, with no function of the program, is between a running job and `frame`: then a task moves itself to
// another executor, or has ended and resumes the task that awaits its value. A few frames are enough to see this.
static bool is_of_a_job(uintptr_t frame) {
  rxt_thread *thread = &rxt_current;
  if (!thread->stack_high) thread->stack_high = rxt_stack_end();
  for (int i = 0; i < 16 && (frame & 7) == 0 && frame < thread->stack_high && thread->stack_high - frame >= 16; i++) {
    uintptr_t address = ((const uintptr_t *)frame)[1], next = ((const uintptr_t *)frame)[0];
    if (address - rxt_job_run.start < rxt_job_run.size) return true;
    if (!rxt_is_runtime(address) || next <= frame) return false;
    frame = next;
  }
  return false;
}

// Notes that a task is enqueued by the function whose frame is given.
static void note_handed(void *task, uintptr_t frame) {
  uint32_t chain = rxt_current.new_task_chain;
  if (chain) {
    rxt_current.new_task_chain = 0;
    note_made(task, chain);
  } else if (!rxt_current.hops_pass && !is_of_a_job(frame)) {
    task_row *row = find_row(task);
    uint32_t own = row ? __c11_atomic_load(&row->made, __ATOMIC_RELAXED) : 0;
    rxt_current.hops_pass = 1;
    uint32_t resumed = rxt_hop_resumed(frame, own);
    rxt_current.hops_pass = 0;
    if (!row && resumed) row = add_row(task);
    // If only the runtime resumes the task, the chain set when the program last resumed it stays valid.
    if (row && resumed) __c11_atomic_store(&row->resumed, resumed, __ATOMIC_RELAXED);
  }
}

static bool sees(const void *job) {
  uint32_t recording = __atomic_load_n(&rxt_is_recording, __ATOMIC_RELAXED);
  return (recording == 1 || recording == 2) && knows_tasks && is_task(job);
}

static uint32_t name_of(const void *job) { return (uint32_t)((uintptr_t)job >> 4); }

void rxt_hand_on(void *queue, void *job, void *function, uintptr_t frame) {
  if (rxt_current.handed_task != name_of(job) && sees(job)) note_handed(job, frame);
  rxt_current.handed_task = 0;
  real_async(queue, job, function);
}
static void hand_on(void *queue, void *job, void *function) { rxt_hand_on(queue, job, function, RXT_FRAME); }

// The runtime reports to the thread sanitizer each job that it is about to enqueue, whether on a busy actor, on a custom
// executor, or through a library that has set the runtime's hook for enqueueing tasks without an actor. It calls the sanitizer
// through a pointer in the standard library, which is redirected to `release`.
static void (**real_release)(void *);
static rxt_function_range enqueue, enqueue_global, both;
extern void *swift_task_enqueueGlobal_hook __attribute__((weak));

static bool is_in(uintptr_t address, rxt_function_range range) { return address - range.start < range.size; }

__attribute__((noinline)) static void note_release(void *job, uintptr_t caller, uintptr_t frame) {
  if (*real_release) (*real_release)(job);
  bool is_global = is_in(caller, enqueue_global);
  if (!is_global && !is_in(caller, enqueue)) return;
  // A task without an actor is reported twice.
  if (!(is_global && rxt_current.handed_task == name_of(job)) && sees(job)) {
    note_handed(job, frame);
    rxt_current.handed_task = name_of(job);
  }
  if (is_global && &swift_task_enqueueGlobal_hook && swift_task_enqueueGlobal_hook) rxt_current.handed_task = 0;
}

// The runtime calls this often, and mostly for other purposes, so the caller is checked first.
static void release(void *job) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  if (is_in(caller, both) || *real_release) note_release(job, caller, RXT_FRAME);
}
static void (*led_release)(void *) = release;

const rxt_hook rxt_runtime_hooks[] = {
  RXT_HOOK(swift_task_enterThreadLocalContext, enter, real_enter),
  RXT_HOOK(swift_task_exitThreadLocalContext, leave, real_exit),
  RXT_HOOK(dispatch_async_f, hand_on, real_async),
  {"_swift_tsan_release", (void *)&led_release, (void **)&real_release, 0},
  {0},
};

// MARK: When tasks have ended

typedef SWIFTCC void (*destroy_function)(__attribute__((swift_context)) void *);
static destroy_function real_destroy;
extern void *_swift_concurrency_debug_asyncTaskMetadata[] __attribute__((weak));
// The type of tasks, which the runtime exports for debuggers.
static void **type_of_tasks;

static SWIFTCC void destroy(__attribute__((swift_context)) void *task) {
  task_row *row = bucket(task);
  for (int i = 0; i < bucket_size; i++) {
    if (__c11_atomic_load(&row[i].task, __ATOMIC_RELAXED) == task) __c11_atomic_store(&row[i].task, (void *)0, __ATOMIC_RELEASE);
  }
  real_destroy(task);
}

void rxt_prepare_tasks(void) {
  rxt_job_run = rxt_range_of("swift_job_run");
  enqueue = rxt_range_of("swift_task_enqueue");
  enqueue_global = rxt_range_of("swift_task_enqueueGlobal");
  uintptr_t start = enqueue.start < enqueue_global.start ? enqueue.start : enqueue_global.start;
  uintptr_t end = enqueue.start + enqueue.size, other = enqueue_global.start + enqueue_global.size;
  both = (rxt_function_range){start, (end > other ? end : other) - start};
  if (swift_task_getJobTaskId && rxt_runtime_size) knows_tasks = true;
  type_of_tasks = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskMetadata");
  if (!type_of_tasks) type_of_tasks = _swift_concurrency_debug_asyncTaskMetadata;
}

uintptr_t rxt_destructor_of_tasks(uintptr_t *value) {
  if (!knows_tasks || real_destroy || !type_of_tasks || !*type_of_tasks) return 0;
  // Two words before the type is the function that destroys a task.
  void **place = (void **)((char *)*type_of_tasks - 2 * sizeof(void *));
  if (!rxt_is_code((uint64_t)(uintptr_t)*place)) return 0;
  real_destroy = (destroy_function)*place;
  *value = (uintptr_t)destroy;
  return (uintptr_t)place;
}

// MARK: Tasks that have not ended

uint32_t rxt_known_tasks(uintptr_t *tasks, uint32_t limit) {
  uint32_t count = 0;
  for (int i = 0; i < bucket_size << bucket_bits && count < limit; i++) {
    uintptr_t task = (uintptr_t)__c11_atomic_load(&rows[i].task, __ATOMIC_ACQUIRE);
    uint32_t number = 0;
    if (!task || task == (uintptr_t)CLAIMED || !rxt_read_word(task + task_number, sizeof number, &number)) continue;
    if (number == __c11_atomic_load(&rows[i].number, __ATOMIC_RELAXED)) tasks[count++] = task;
  }
  return count;
}
