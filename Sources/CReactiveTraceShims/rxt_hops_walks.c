// Walks of stacks: of Swift tasks, where the runtime's frames are replaced by the functions that await the running one, and of
// threads that have crashed. A walk that was made before is recognized without being made again.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rxt_hops_internal.h"
#include "rxt_stack.h"

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
// each page. If the walk has come to the running function of a task, `task_frame` receives that function's frame, which refers to
// the awaiting functions.
__attribute__((always_inline)) static inline uint32_t walk(
  uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit, uintptr_t *task_frame, const bool has_crashed) {
  enum { most_frames = 1024 };
  // Read once: the compiler has to assume that the stores below may change them.
  const uint64_t runtime = rxt_runtime_base, runtime_size = rxt_runtime_size;
  const rxt_function_range run = rxt_job_run;
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
  *task_frame = outermost;
  return append_waiting(outermost, addresses, own, limit, has_crashed);
}

uint32_t rxt_walk_task(uintptr_t frame, uintptr_t high, uint64_t *addresses, uint32_t limit, uintptr_t *task_frame) {
  *task_frame = 0;
  return frame == 0 ? 0 : walk(frame, high, addresses, limit, task_frame, false);
}

// MARK: Walks that were made before

static inline bool is_frame(uintptr_t frame, uintptr_t high) {
  return (frame & 7) == 0 && frame != 0 && frame < high && high - frame >= 16;
}

// Whether a number is a multiple of 8 up to 4080: the offset in a page of two words. The rotation turns all others into greater
// numbers.
static inline bool is_offset_in_page(uint64_t offset) { return (offset >> 3 | offset << 61) <= 4080 / 8; }

static bool has_frames(const rxt_known_walk *known, uintptr_t frame, uintptr_t high) {
  const uintptr_t *at = (const uintptr_t *)frame;
  if (!is_frame(frame, high) || high - frame < (uintptr_t)known->extent * 8 + 16) return false;
  const uint32_t last = known->frames - 1u;
  for (uint32_t i = 0; i < last; i++) {
    const uintptr_t *next = at + known->sizes[i];
    if (at[1] != known->addresses[i] || at[0] != (uintptr_t)next) return false;
    at = next;
  }
  if (at[1] != known->addresses[last]) return false;
  // If awaiting functions follow, or the limit is reached, frames further out do not matter.
  if (known->is_in_task || known->frames == known->key.limit) return true;
  return at[0] <= (uintptr_t)at || !is_frame(at[0], high) || ((const uintptr_t *)at[0])[1] == 0;
}

static bool has_contexts(const rxt_known_walk *known, uintptr_t task_frame) {
  uint64_t context = ((const uint64_t *)task_frame)[-1], page = context + 8;
  const uint64_t *expected = known->addresses + known->frames, *const end = expected + known->contexts;
  for (; expected < end; expected++) {
    if (!is_offset_in_page(context - page)) {
      if (!is_readable(context, false)) return false;
      page = context & ~(uint64_t)4095;
    }
    const uint64_t *words = (const uint64_t *)(uintptr_t)context;
    if (words[1] != *expected) return false;
    context = words[0];
  }
  return context == 0 || known->ends_at_limit;
}

// The set of entries for walks with this key.
static rxt_known_walk *set_of(rxt_thread *thread, const rxt_walk_key *key) {
  uint32_t mixed = (key->innermost ^ key->parent) * 0x9E3779B1u;
  return &thread->lists->walks[(mixed >> (32 - RXT_WALK_SET_BITS)) * RXT_WALK_SET];
}

const rxt_known_walk *rxt_find_walk(rxt_thread *thread, const rxt_walk_key *key, uintptr_t frame) {
  if (!thread->lists) return 0;
  const rxt_known_walk *known = set_of(thread, key);
  for (int i = 0; i < RXT_WALK_SET; i++, known++) {
    if (memcmp(key, &known->key, sizeof *key) != 0 || known->frames == 0) continue;
    if (!has_frames(known, frame, thread->stack_high)) continue;
    if (!known->is_in_task || has_contexts(known, frame + (uintptr_t)known->task_frame * 8)) return known;
  }
  return 0;
}

// Adds a frame, and returns the next one; returns 0 if there is no room, or the frame is too big.
static uintptr_t add_frame(rxt_known_walk *known, uintptr_t frame) {
  uintptr_t next = ((const uintptr_t *)frame)[0], size = (next - frame) / 8;
  if (known->frames == RXT_WALK_LIMIT || size > UINT16_MAX) return 0;
  known->sizes[known->frames] = (uint16_t)size;
  known->addresses[known->frames++] = ((const uintptr_t *)frame)[1];
  return next;
}

// Adds `count` frames. The size of the last one does not matter.
static bool add_frames(rxt_known_walk *known, uintptr_t frame, uint32_t count) {
  const uintptr_t start = frame;
  for (uint32_t i = 1; i < count && frame; i++) frame = add_frame(known, frame);
  if (frame == 0 || known->frames == RXT_WALK_LIMIT) return false;
  known->addresses[known->frames++] = ((const uintptr_t *)frame)[1];
  known->extent = (uint32_t)((frame - start) / 8);
  return true;
}

// The number of frames up to the runtime's function that runs the task; 0 if it is not found.
static uint32_t frames_of_task(uintptr_t frame, uintptr_t task_frame, uintptr_t high) {
  uint32_t count = 0;
  for (bool is_within = false; is_frame(frame, high);) {
    count++;
    is_within = is_within || frame == task_frame;
    if (is_within && ((const uintptr_t *)frame)[1] - rxt_job_run.start < rxt_job_run.size) return count;
    uintptr_t next = ((const uintptr_t *)frame)[0];
    if (next <= frame) break;
    frame = next;
  }
  return 0;
}

// Adds the contexts of the awaiting functions, of which the walk has found those at `addresses`. Functions of the runtime are
// compared as well, although the walk leaves them out. Returns false if there is no room, or if the walk has ended at an address
// that is not in known code: it might go on there when more images are known.
static bool add_contexts(rxt_known_walk *known, uintptr_t task_frame, const uint64_t *addresses, uint32_t count) {
  uint64_t context = ((const uint64_t *)task_frame)[-1];
  uint32_t found = 0;
  while (context != 0 && !(known->ends_at_limit && found == count)) {
    if (known->frames + known->contexts == RXT_WALK_LIMIT || !is_readable(context, false)) return false;
    const uint64_t *words = (const uint64_t *)(uintptr_t)context;
    if (found < count && addresses[found] == words[1] + 1) {
      found++;
    } else if (!rxt_is_runtime(words[1] + 1)) {
      return false;
    }
    known->addresses[known->frames + known->contexts++] = words[1];
    context = words[0];
  }
  return found == count;
}

static bool fill_in(
  rxt_known_walk *known, uintptr_t frame, uintptr_t high, uintptr_t task_frame, const uint64_t *addresses, uint32_t count) {
  const bool is_cut = count == known->key.limit;
  if (!task_frame) return (is_cut || !known->key.walks_task) && add_frames(known, frame, count);
  // In a frame below a tail call, another word is where the return address would be.
  if (!rxt_is_runtime(((const uintptr_t *)task_frame)[1])) return false;
  uint32_t frames = frames_of_task(frame, task_frame, high);
  if (frames == 0 || !add_frames(known, frame, frames)) return false;
  known->is_in_task = true;
  known->ends_at_limit = is_cut;
  known->task_frame = (uint32_t)((task_frame - frame) / 8);
  uint32_t own = 0;
  for (uintptr_t at = frame; at != task_frame; at = *(const uintptr_t *)at) own++;
  return add_contexts(known, task_frame, addresses + own, count - own);
}

void rxt_remember_walk(
  rxt_thread *thread, const rxt_walk_key *key, uint32_t chain, uintptr_t frame, uintptr_t task_frame, const uint64_t *addresses,
  uint32_t count) {
  if (!thread->lists || count == 0) return;
  rxt_known_walk *known = set_of(thread, key);
  int i = 0;
  while (i < RXT_WALK_SET && known[i].frames != 0) i++;
  if (i == RXT_WALK_SET) {
    // If more walks compete for the entries than there are, entries change seldom, because a change costs as much as a walk.
    uint32_t misses = thread->lists->walk_misses++;
    if (misses % 4 != 0) return;
    i = misses / 4 % RXT_WALK_SET;
  }
  rxt_known_walk new;
  memset(&new, 0, offsetof(rxt_known_walk, sizes));
  new.key = *key;
  new.chain = chain;
  if (fill_in(&new, frame, thread->stack_high, task_frame, addresses, count)) known[i] = new;
}

// MARK: After a crash

static bool is_record(uintptr_t frame) { return is_readable(frame, true) && rxt_keeps_frames(((const uintptr_t *)frame)[1]); }

// Functions of the C library keep no frame, and may use the frame-pointer register for something else. If one of them has
// crashed, or raised the signal, the stack itself is searched for the saved frame pointer of the caller, and below that for the
// return address into the program.
static uintptr_t find_caller(uintptr_t stack, uintptr_t frame, uint64_t *returns_to) {
  enum { farthest = 64 * 1024 };
  uintptr_t end = (stack & ~(uintptr_t)7) + farthest, first = (stack + 7) & ~(uintptr_t)7;
  // If the stack has overflowed, the stack pointer may point below it.
  if (!is_readable(first & ~(uintptr_t)15, true)) first = (first | 4095) + 1;
  uintptr_t place = first;
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
  uintptr_t task_frame = 0;
  return count + walk(frame, 0, addresses + count, limit - count, &task_frame, true);
}

// MARK: Tasks that do not run

// The offsets in a task of the function with which it continues, and of that function's context.
enum { task_function = 56, task_context = 64 };

bool rxt_read_word(uintptr_t address, size_t size, void *word) {
  struct iovec to = {word, size}, from = {(void *)address, size};
  return syscall(SYS_process_vm_readv, (long)getpid(), &to, 1L, &from, 1L, 0L) == (long)size;
}

uint32_t rxt_walk_suspended(uintptr_t task, uint64_t *addresses, uint32_t limit) {
  uint64_t function = 0, context = 0;
  if (limit == 0 || !rxt_read_word(task + task_function, sizeof function, &function)) return 0;
  if (!rxt_read_word(task + task_context, sizeof context, &context)) return 0;
  uint32_t count = 0;
  bool is_runtime = rxt_is_runtime(function + 1);
  if (!is_runtime && !rxt_is_code(function)) return 0;
  if (!is_runtime) addresses[count++] = function + 1;
  return append_contexts(context, addresses, count, limit, true);
}
