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
#include <sys/syscall.h>
#include <sys/uio.h>
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

// Adds a row for a task. Only the thread that makes or resumes a task can use it at that moment, so no other thread adds it or
// looks it up.
static task_row *add_row(void *task) {
  task_row *row = bucket(task);
  task_row *place = 0;
  for (int i = 0; i < bucket_size && !place; i++) {
    if (__c11_atomic_load(&row[i].task, __ATOMIC_RELAXED) == task) place = &row[i];
  }
  for (int i = 0; i < bucket_size && !place; i++) {
    void *free = 0;
    if (__c11_atomic_compare_exchange_strong(&row[i].task, &free, task, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) place = &row[i];
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

static rxt_function_range job_run;

// Whether only the runtime, with no function of the program, is between a running job and `frame`: then a task moves itself to
// another executor, or has ended and resumes the task that awaits its value. A few frames are enough to see this.
static bool is_of_a_job(uintptr_t frame) {
  rxt_thread *thread = &rxt_current;
  if (!thread->stack_high) thread->stack_high = rxt_stack_end();
  for (int i = 0; i < 16 && (frame & 7) == 0 && frame < thread->stack_high && thread->stack_high - frame >= 16; i++) {
    uintptr_t address = ((const uintptr_t *)frame)[1], next = ((const uintptr_t *)frame)[0];
    if (address - job_run.start < job_run.size) return true;
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

static SWIFTCC void destroy(__attribute__((swift_context)) void *task) {
  task_row *row = bucket(task);
  for (int i = 0; i < bucket_size; i++) {
    if (__c11_atomic_load(&row[i].task, __ATOMIC_RELAXED) == task) __c11_atomic_store(&row[i].task, (void *)0, __ATOMIC_RELEASE);
  }
  real_destroy(task);
}

void rxt_prepare_tasks(void) {
  job_run = rxt_range_of("swift_job_run");
  enqueue = rxt_range_of("swift_task_enqueue");
  enqueue_global = rxt_range_of("swift_task_enqueueGlobal");
  uintptr_t start = enqueue.start < enqueue_global.start ? enqueue.start : enqueue_global.start;
  uintptr_t end = enqueue.start + enqueue.size, other = enqueue_global.start + enqueue_global.size;
  both = (rxt_function_range){start, (end > other ? end : other) - start};
  if (swift_task_getJobTaskId && rxt_runtime_size) knows_tasks = true;
}

uintptr_t rxt_destructor_of_tasks(uintptr_t *value) {
  // The runtime exports the type of its tasks for debuggers; two words before that is the function that destroys a task.
  if (!knows_tasks || real_destroy) return 0;
  void **type = dlsym(RTLD_DEFAULT, "_swift_concurrency_debug_asyncTaskMetadata");
  if (!type) type = _swift_concurrency_debug_asyncTaskMetadata;
  if (!type || !*type) return 0;
  void **place = (void **)((char *)*type - 2 * sizeof(void *));
  if (!rxt_is_code((uint64_t)(uintptr_t)*place)) return 0;
  real_destroy = (destroy_function)*place;
  *value = (uintptr_t)destroy;
  return (uintptr_t)place;
}

// MARK: Functions that wait

// A cache of blocks of sixteen pages, with a bit for each page that was found readable. In a server, awaiting functions store
// their state in thousands of pages, in the heaps of several threads, which begin at multiples of 64 MiB; so a hash determines
// the index of a block in the cache.
enum { known_blocks = 1024 };
static _Atomic uint64_t readable[known_blocks];

// Whether the two words at an address can be read. The system is asked once for each page, or, if `asks_again`, every time,
// because a page may have been unmapped since.
static bool ask_if_readable(uint64_t address, bool asks_again);
static inline _Atomic uint64_t *known(uint64_t block) { return &readable[(block * 0x9E3779B97F4A7C15) >> 54 & (known_blocks - 1)]; }
static inline bool is_readable(uint64_t address, bool asks_again) {
  if ((address & 7) != 0 || address < 4096 || address >> 47 != 0 || (address & 4095) > 4080) return false;
  uint64_t block = address >> 16, pages = __c11_atomic_load(known(block), __ATOMIC_RELAXED);
  if (!asks_again && pages >> 16 == block && (pages >> (address >> 12 & 15) & 1)) return true;
  return ask_if_readable(address, asks_again);
}
static bool ask_if_readable(uint64_t address, bool asks_again) {
  uint64_t words[2];
  struct iovec to = {words, sizeof words}, from = {(void *)(uintptr_t)address, sizeof words};
  int before = errno;
  bool can = syscall(SYS_process_vm_readv, (long)getpid(), &to, 1L, &from, 1L, 0L) == (long)sizeof words;
  errno = before;
  if (!can || asks_again) return can;
  // If two threads update a block at once, one of the bits may be lost; the system is then asked about that page again.
  uint64_t block = address >> 16, pages = __c11_atomic_load(known(block), __ATOMIC_RELAXED);
  if (pages >> 16 != block) pages = block << 16;
  __c11_atomic_store(known(block), pages | (uint64_t)1 << (address >> 12 & 15), __ATOMIC_RELAXED);
  return true;
}

// Appends the awaiting functions, from an async context outwards. A context begins with the address of the context of the
// awaiting function, followed by the address at which that function continues.
__attribute__((always_inline)) static inline uint32_t append_contexts(
  uint64_t context, uint64_t *addresses, uint32_t count, uint32_t limit, const bool asks_again) {
  // Read once: the compiler has to assume that the stores below may change them.
  const uint64_t runtime = rxt_runtime_base, runtime_size = rxt_runtime_size;
  const rxt_function_range executable = rxt_executable;
  const bool in_one_file = rxt_is_one_file;
  if (!is_readable(context, asks_again)) return count;
  // Successive contexts mostly lie in the same page, so a page that was just found readable is not looked up again.
  uint64_t page = context & ~(uint64_t)4095;
  for (int steps = 0; count < limit && steps < 256; steps++) {
    const uint64_t outer = ((const uint64_t *)(uintptr_t)context)[0], resume = ((const uint64_t *)(uintptr_t)context)[1];
    if (resume + 1 - runtime >= runtime_size || (in_one_file && !rxt_is_runtime(resume + 1))) {
      if (resume - executable.start >= executable.size && !rxt_is_other_code(resume)) break;
      addresses[count++] = resume + 1;
    }
    context = outer;
    uint64_t offset = context - page;
    if (asks_again || offset > 4080 || (offset & 7) != 0) {
      if (!is_readable(context, asks_again)) break;
      page = context & ~(uint64_t)4095;
    }
  }
  return count;
}

// Appends the functions that await the function with this frame. An async function keeps the address of its context just below
// its frame.
__attribute__((always_inline)) static inline uint32_t append_waiting(
  uintptr_t frame, uint64_t *addresses, uint32_t count, uint32_t limit, const bool asks_again) {
  return append_contexts(((const uint64_t *)frame)[-1], addresses, count, limit, asks_again);
}

// Walks the stack of a task. After a crash, the stack may contain anything and has no known end, so the system is asked about
// each page.
__attribute__((always_inline)) static inline uint32_t walk(
  uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit, const bool has_crashed) {
  enum { most_frames = 1024 };
  // Read once: the compiler has to assume that the stores below may change them.
  const uint64_t runtime = rxt_runtime_base, runtime_size = rxt_runtime_size;
  const rxt_function_range run = job_run;
  const bool in_one_file = rxt_is_one_file;
  uint32_t count = 0, own = limit;
  uintptr_t outermost = 0, before = 0;
  bool was_runtime = false, was_code = true;
  const uintptr_t last = high > 15 ? high - 15 : 0;
  for (uint32_t seen = 0; seen < most_frames; seen++) {
    // Most functions are not the runtime's, and need none of the checks below.
    while (!has_crashed && (frame & 7) == 0 && frame < last) {
      uintptr_t address = ((const uintptr_t *)frame)[1], next = ((const uintptr_t *)frame)[0];
      if (address - runtime < runtime_size || address == 0 || next <= frame || count + 1 >= limit) break;
      addresses[count++] = address;
      was_runtime = false;
      before = frame;
      frame = next;
    }
    bool is_frame = has_crashed ? is_readable(frame, true) : (frame & 7) == 0 && frame != 0 && frame < high && high - frame >= 16;
    if (!is_frame) break;
    uintptr_t address = ((const uintptr_t *)frame)[1];
    bool is_runtime = address - runtime < runtime_size && (!in_one_file || rxt_is_runtime(address));
    if (!was_code && !is_runtime) count--;
    if (address == 0 || (!was_code && !is_runtime)) break;
    // The outermost function that the runtime calls is the task's. Further in, the runtime may call functions again, for
    // example to set a task-local value.
    if (is_runtime && !was_runtime) {
      outermost = frame;
      own = count;
      // A function that ends in a tail call with arguments on the stack makes room for them above its frame, where its return
      // address would be.
      if (count > 0 && !rxt_is_code(addresses[count - 1])) {
        outermost = before;
        own = count - 1;
      }
    }
    was_runtime = is_runtime;
    // After a crash, an address that is not in code ends the walk, unless the next address is in the runtime.
    was_code = !has_crashed || rxt_is_code(address);
    before = frame;
    // The runtime's code that runs the task has been reached; frames further out carry no information.
    if (outermost && address - run.start < run.size) break;
    if (count < limit) addresses[count++] = address;
    // The limit is reached before the code that runs the task, so there is no room for awaiting functions.
    if (count == limit && !has_crashed) return count;
    uintptr_t next = ((const uintptr_t *)frame)[0];
    if (next <= frame) break;
    frame = next;
  }
  if (!outermost || own >= limit || (has_crashed && !swift_task_getCurrent())) return count;
  // The stack contains only functions of the runtime, which is between two jobs.
  if (own == 0 && !has_crashed) return 0;
  return append_waiting(outermost, addresses, own, limit, has_crashed);
}

// MARK: After a crash

static bool is_record(uintptr_t frame) { return is_readable(frame, true) && rxt_keeps_frames(((const uintptr_t *)frame)[1]); }

// Functions of the C library keep no frame, and may use the frame-pointer register for something else. If one of them has
// crashed, or raised the signal, the stack itself is searched for the saved frame pointer of the caller, and below that for the
// return address into the program.
static uintptr_t find_caller(uintptr_t stack, uintptr_t frame, uint64_t *returns_to) {
  enum { farthest = 64 * 1024 };
  uintptr_t end = (stack & ~(uintptr_t)7) + farthest, first = (stack + 7) & ~(uintptr_t)7, place = first;
  bool is_kept = frame > stack && frame < end && is_record(frame);
  while (!is_kept && place < end && ((place & 4095) != 0 || is_readable(place, true))) {
    uintptr_t word = *(const uintptr_t *)place;
    if (word > place && word < end && is_record(word) && (*(const uintptr_t *)word == 0 || is_record(*(const uintptr_t *)word))) {
      frame = word;
      is_kept = true;
    }
    place += sizeof word;
  }
  if (!is_kept) return 0;
  for (uintptr_t at = place; at < frame && ((at & 4095) != 0 || is_readable(at, true)); at += sizeof at) {
    if (rxt_is_code_of_program(*(const uintptr_t *)at)) {
      *returns_to = *(const uintptr_t *)at;
      break;
    }
  }
  return frame;
}

uint32_t rxt_walk_crash(uintptr_t counter, uintptr_t stack, uintptr_t frame, uint64_t *addresses, uint32_t limit) {
  uint32_t count = 0;
  // All other entries are return addresses, which are higher than the address of the call, so one is added here as well.
  addresses[count++] = counter + 1;
  if (!rxt_keeps_frames(counter) || !is_record(frame)) {
    uint64_t returns_to = 0;
    uintptr_t found = find_caller(stack, frame, &returns_to);
    if (found) frame = found;
    if (returns_to) addresses[count++] = returns_to;
  }
  return count + walk(frame, 0, addresses + count, limit - count, true);
}

uint32_t rxt_walk_task(uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit) {
  return frame == 0 ? 0 : walk(frame, high, addresses, limit, false);
}

// MARK: Tasks that do not run

// The offsets in a task of its number, of the function with which it continues, and of that function's context.
enum { task_number = 36, task_function = 56, task_context = 64 };

// Reads a word in memory that may have been unmapped.
static bool read_word(uintptr_t address, size_t size, void *word) {
  struct iovec to = {word, size}, from = {(void *)address, size};
  return syscall(SYS_process_vm_readv, (long)getpid(), &to, 1L, &from, 1L, 0L) == (long)size;
}

uint32_t rxt_walk_suspended(uintptr_t task, uint64_t *addresses, uint32_t limit) {
  uint64_t function = 0, context = 0;
  if (limit == 0 || !read_word(task + task_function, sizeof function, &function)) return 0;
  if (!read_word(task + task_context, sizeof context, &context)) return 0;
  uint32_t count = 0;
  bool is_runtime = rxt_is_runtime(function + 1);
  if (!is_runtime && !rxt_is_code(function)) return 0;
  if (!is_runtime) addresses[count++] = function + 1;
  return append_contexts(context, addresses, count, limit, true);
}

uint32_t rxt_known_tasks(uintptr_t *tasks, uint32_t limit) {
  uint32_t count = 0;
  for (int i = 0; i < bucket_size << bucket_bits && count < limit; i++) {
    uintptr_t task = (uintptr_t)__c11_atomic_load(&rows[i].task, __ATOMIC_ACQUIRE);
    uint32_t number = 0;
    if (!task || !read_word(task + task_number, sizeof number, &number)) continue;
    if (number == __c11_atomic_load(&rows[i].number, __ATOMIC_RELAXED)) tasks[count++] = task;
  }
  return count;
}
