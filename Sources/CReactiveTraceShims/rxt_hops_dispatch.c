// Hooks (functions that are called in place of those of a library) for work that a program passes to dispatch queues, and for
// threads that it starts.
//
// A hook captures the chain of the work (rxt_hops.h explains chains), and enqueues a block that sets this chain while the
// program's block runs: the program's block itself, marked as described below, or a wrapper. The layout of blocks is part of
// the ABI of C compilers. If the wrapped block is on the stack, it is copied when dispatch copies the wrapper.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rxt_hops_internal.h"
#include "rxt_lock.h"

typedef struct block block;
typedef struct block_descriptor {
  unsigned long reserved;
  unsigned long size;
  void (*copy)(void *, const void *);
  void (*dispose)(const void *);
} block_descriptor;

struct block {
  const void *isa;
  int flags;
  // Nothing else uses this field, so a wrapper or a marked block keeps its chain here.
  uint32_t reserved;
  void (*invoke)(block *);
  const block_descriptor *descriptor;
};

extern void *_Block_copy(const void *) __attribute__((weak));
extern void _Block_release(const void *) __attribute__((weak));
extern void *_NSConcreteMallocBlock[] __attribute__((weak));
extern void *_NSConcreteStackBlock[] __attribute__((weak));
extern void *_dispatch_block_special_invoke[] __attribute__((weak));

enum { has_copy_dispose = 1 << 25, needs_free = 1 << 24, is_global = 1 << 28, one_reference = 2 };

// MARK: Marked blocks

// Nearly all blocks are used only by the code that enqueues them: either they are on its stack, and dispatch copies them, or
// that code holds the only reference to them. Such a block needs no wrapper. It is marked: its function is replaced by
// rxt_run_marked, and its reserved field holds the chain and the index of the original function. A program has few different
// functions of this kind, because Swift uses the same one for all closures of a type.
enum { most_functions = 256, chain_bits = 24, reference_bits = 0xFFFF };
static void (*_Atomic functions[most_functions])(block *);

static void rxt_run_marked(block *self);

// The index of a function in the table, to which it is added if necessary; negative if there is no room.
static int place_of(void (*function)(block *)) {
  uint32_t start = (uint32_t)(((uint64_t)(uintptr_t)function * 0x9FB21C651E98DF25ull) >> 56);
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t place = (start + i) % most_functions;
    void (*known)(block *) = __c11_atomic_load(&functions[place], __ATOMIC_RELAXED);
    if (!known && __c11_atomic_compare_exchange_strong(&functions[place], &known, function, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return (int)place;
    }
    if (known == function) return (int)place;
  }
  return -1;
}

static void (*function_of(const block *block))(struct block *) {
  if (block->invoke != rxt_run_marked) return block->invoke;
  return __c11_atomic_load(&functions[block->reserved >> chain_bits], __ATOMIC_RELAXED);
}

static void rxt_run_marked(block *self) {
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, self->reserved & ((1u << chain_bits) - 1));
  function_of(self)(self);
  rxt_chain_end(&rxt_current, outer);
}

static bool is_on_stack(const block *block) { return (block->flags & (needs_free | is_global)) == 0; }

// Whether only the code that enqueues the block refers to it. The Swift overlay of dispatch (libswiftDispatch) may have two
// references, because it adds one while it enqueues a block.
static bool is_sole(const block *block, uintptr_t frame) {
  int references = block->flags & reference_bits;
  bool is_of_swift = ((const uintptr_t *)frame)[1] - rxt_swift_dispatch.start < rxt_swift_dispatch.size;
  return (block->flags & needs_free) && (references == one_reference || (is_of_swift && references == 2 * one_reference));
}

static bool mark(block *block, uint32_t chain, uintptr_t frame) {
  if (!(is_sole(block, frame) || is_on_stack(block)) || chain >> chain_bits) return false;
  int place = place_of(function_of(block));
  if (place < 0) return false;
  block->reserved = (uint32_t)place << chain_bits | chain;
  block->invoke = rxt_run_marked;
  return true;
}

// MARK: Wrapped blocks

// The wrapper that is enqueued in place of a block to which other code refers, too.
typedef struct carrier {
  block block;
  struct block *inner;
} carrier;

static void copy_carrier(void *to, const void *from) { ((carrier *)to)->inner = _Block_copy(((const carrier *)from)->inner); }
static void dispose_carrier(const void *gone) { _Block_release(((const carrier *)gone)->inner); }
static void rxt_run_carrier(block *self) {
  block *inner = ((carrier *)self)->inner;
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, self->reserved);
  // If the block is marked, another caller has enqueued it as well. Its original function is called directly, so that it runs
  // with the chain of this wrapper and not with the one in the mark.
  function_of(inner)(inner);
  rxt_chain_end(&rxt_current, outer);
}
static const block_descriptor carrier_descriptor = {0, sizeof(carrier), copy_carrier, dispose_carrier};

static bool can_carry(const block *inner) {
  return inner && _Block_copy && _Block_release && _NSConcreteMallocBlock && _NSConcreteStackBlock;
}

// MARK: Work items

// The wrapper from which a work item is made in place of the program's block. It runs that block with the chain of the caller
// that enqueued the item last: an item may be enqueued several times, by different callers.
typedef struct item_carrier {
  block block;
  block *inner;
  uint32_t chain;
  // The work item, which is the key in the table of carriers, and the next entry in the same bucket.
  const void *item;
  struct item_carrier *next;
} item_carrier;

enum { item_buckets = 256 };
static item_carrier *items[item_buckets];
static rxt_lock items_lock;

static item_carrier **items_of(const void *item) {
  return &items[((uint64_t)(uintptr_t)item * 0x9FB21C651E98DF25ull) >> 56];
}

static void copy_nothing(void *to, const void *from) {
  (void)to;
  (void)from;
}
static void dispose_item(const void *gone) {
  const item_carrier *carrier = gone;
  rxt_lock_take(&items_lock);
  for (item_carrier **place = items_of(carrier->item); *place; place = &(*place)->next) {
    if (*place == carrier) {
      *place = carrier->next;
      break;
    }
  }
  rxt_lock_give(&items_lock);
  _Block_release(carrier->inner);
}
static void rxt_run_item(block *self) {
  item_carrier *carrier = (item_carrier *)self;
  uint32_t chain = __atomic_load_n(&carrier->chain, __ATOMIC_RELAXED);
  if (!chain) return carrier->inner->invoke(carrier->inner);
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, chain);
  carrier->inner->invoke(carrier->inner);
  rxt_chain_end(&rxt_current, outer);
}
static const block_descriptor item_descriptor = {0, sizeof(item_carrier), copy_nothing, dispose_item};

static item_carrier *carry_item(block *inner) {
  uint32_t recording = __atomic_load_n(&rxt_is_recording, __ATOMIC_RELAXED);
  if ((recording != 1 && recording != 2) || !can_carry(inner)) return 0;
  item_carrier *made = malloc(sizeof *made);
  if (!made) return 0;
  *made = (item_carrier){
    .block = {_NSConcreteMallocBlock, has_copy_dispose | needs_free | one_reference, 0, rxt_run_item, &item_descriptor},
    .inner = _Block_copy(inner),
  };
  return made;
}

static block *note_item(item_carrier *made, block *item) {
  if (made && item) {
    rxt_lock_take(&items_lock);
    made->item = item;
    made->next = *items_of(item);
    *items_of(item) = made;
    rxt_lock_give(&items_lock);
  }
  if (made) _Block_release(made);
  return item;
}

// Whether a block is a work item, which must be enqueued as it is. If the item was made while hooks were installed, its
// carrier gets the chain of the caller that enqueues it.
static bool is_item(const block *block, uintptr_t frame) {
  if (!_dispatch_block_special_invoke || (void *)block->invoke != *(void **)_dispatch_block_special_invoke) return false;
  uint32_t chain = rxt_capture(frame, RXT_HOP_WORK_ITEM);
  if (!chain) return true;
  rxt_lock_take(&items_lock);
  for (item_carrier *one = *items_of(block); one; one = one->next) {
    if (one->item == block) __atomic_store_n(&one->chain, chain, __ATOMIC_RELAXED);
  }
  rxt_lock_give(&items_lock);
  return true;
}

// The block to enqueue in place of `block`: a wrapper in `place`, or `block` itself if there is no chain, if `block` could be
// marked, or if it is a work item.
static block *carried(carrier *place, block *block, uintptr_t frame, uint32_t kind) {
  if (!can_carry(block) || is_item(block, frame)) return block;
  uint32_t chain = rxt_capture(frame, kind);
  if (!chain || mark(block, chain, frame)) return block;
  *place = (carrier){{_NSConcreteStackBlock, has_copy_dispose, chain, rxt_run_carrier, &carrier_descriptor}, block};
  return &place->block;
}

// Enqueues a block with `call`. If the block is on the stack, its mark is removed afterwards, because the caller may continue
// to use it; any other block may be freed by then. While `call` runs, no chain is captured: if the Swift libraries are linked
// into the program's file, dispatch's calls to its own functions also go through these hooks, but they are not requests of the
// program.
#define CARRY(block, kind, call)                                            \
  carrier place;                                                            \
  const bool on_stack = block && is_on_stack(block);                        \
  struct block before = block ? *block : (struct block){0};                 \
  struct block *work = carried(&place, block, RXT_FRAME, kind);             \
  uint32_t pass = rxt_current.hops_pass;                                    \
  rxt_current.hops_pass = 1;                                                \
  call;                                                                     \
  rxt_current.hops_pass = pass;                                             \
  if (on_stack && work == block && before.invoke != block->invoke) {        \
    block->reserved = before.reserved;                                      \
    block->invoke = before.invoke;                                          \
  }

// MARK: Functions that take blocks

static void (*real_async)(void *, block *);
static void async(void *queue, block *block) {
  CARRY(block, RXT_HOP_ASYNC, real_async(queue, work))
}
static void (*real_barrier)(void *, block *);
static void barrier(void *queue, block *block) {
  CARRY(block, RXT_HOP_BARRIER, real_barrier(queue, work))
}
static void (*real_after)(uint64_t, void *, block *);
static void after(uint64_t when, void *queue, block *block) {
  CARRY(block, RXT_HOP_AFTER, real_after(when, queue, work))
}
static void (*real_group)(void *, void *, block *);
static void group(void *group, void *queue, block *block) {
  CARRY(block, RXT_HOP_GROUP, real_group(group, queue, work))
}
static void (*real_group_notify)(void *, void *, block *);
static void group_notify(void *group, void *queue, block *block) {
  CARRY(block, RXT_HOP_GROUP, real_group_notify(group, queue, work))
}
static void (*real_item_notify)(void *, void *, block *);
static void item_notify(void *item, void *queue, block *block) {
  CARRY(block, RXT_HOP_WORK_ITEM, real_item_notify(item, queue, work))
}
static void (*real_event_handler)(void *, block *);
static void event_handler(void *source, block *block) {
  CARRY(block, RXT_HOP_SOURCE, real_event_handler(source, work))
}
static void (*real_cancel_handler)(void *, block *);
static void cancel_handler(void *source, block *block) {
  CARRY(block, RXT_HOP_SOURCE, real_cancel_handler(source, work))
}
static void (*real_registration_handler)(void *, block *);
static void registration_handler(void *source, block *block) {
  CARRY(block, RXT_HOP_SOURCE, real_registration_handler(source, work))
}

static block *(*real_item)(unsigned long, block *);
static block *make_item(unsigned long flags, block *block) {
  item_carrier *made = carry_item(block);
  return note_item(made, real_item(flags, made ? &made->block : block));
}
static block *(*real_item_with_class)(unsigned long, unsigned, int, block *);
static block *make_item_with_class(unsigned long flags, unsigned class, int priority, block *block) {
  item_carrier *made = carry_item(block);
  return note_item(made, real_item_with_class(flags, class, priority, made ? &made->block : block));
}

// MARK: Functions that take function pointers

typedef struct call {
  void (*function)(void *);
  void *context;
  uint32_t chain;
} call;

static call *call_of(void *context, void (*function)(void *), uintptr_t frame, uint32_t kind) {
  uint32_t chain = rxt_capture(frame, kind);
  call *made = chain ? malloc(sizeof *made) : 0;
  if (made) *made = (call){function, context, chain};
  return made;
}
static void rxt_run_call(void *made) {
  call call = *(struct call *)made;
  free(made);
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, call.chain);
  call.function(call.context);
  rxt_chain_end(&rxt_current, outer);
}

static void (*real_async_f)(void *, void *, void (*)(void *));
static void async_f(void *queue, void *context, void (*function)(void *)) {
  // If the Swift libraries are linked into the program's file, the concurrency runtime's calls also go through this hook.
  if (rxt_is_one_file && rxt_is_runtime(((const uintptr_t *)RXT_FRAME)[1])) {
    return rxt_hand_on(queue, context, (void *)function, RXT_FRAME);
  }
  call *made = call_of(context, function, RXT_FRAME, RXT_HOP_ASYNC);
  real_async_f(queue, made ? made : context, made ? rxt_run_call : function);
}
static void (*real_barrier_f)(void *, void *, void (*)(void *));
static void barrier_f(void *queue, void *context, void (*function)(void *)) {
  call *made = call_of(context, function, RXT_FRAME, RXT_HOP_BARRIER);
  real_barrier_f(queue, made ? made : context, made ? rxt_run_call : function);
}
static void (*real_after_f)(uint64_t, void *, void *, void (*)(void *));
static void after_f(uint64_t when, void *queue, void *context, void (*function)(void *)) {
  call *made = call_of(context, function, RXT_FRAME, RXT_HOP_AFTER);
  real_after_f(when, queue, made ? made : context, made ? rxt_run_call : function);
}
static void (*real_group_f)(void *, void *, void *, void (*)(void *));
static void group_f(void *group, void *queue, void *context, void (*function)(void *)) {
  call *made = call_of(context, function, RXT_FRAME, RXT_HOP_GROUP);
  real_group_f(group, queue, made ? made : context, made ? rxt_run_call : function);
}
static void (*real_group_notify_f)(void *, void *, void *, void (*)(void *));
static void group_notify_f(void *group, void *queue, void *context, void (*function)(void *)) {
  call *made = call_of(context, function, RXT_FRAME, RXT_HOP_GROUP);
  real_group_notify_f(group, queue, made ? made : context, made ? rxt_run_call : function);
}

// MARK: Parallel loops

typedef struct rounds {
  void (*function)(void *, size_t);
  void *context;
  uint32_t chain;
  const rxt_thread *thread;
} rounds;

static void rxt_run_round(void *context, size_t index) {
  const rounds *rounds = context;
  // On the requesting thread, no chain is needed, because its stack shows the request.
  if (rounds->thread == &rxt_current) return rounds->function(rounds->context, index);
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, rounds->chain);
  rounds->function(rounds->context, index);
  rxt_chain_end(&rxt_current, outer);
}
static void (*real_apply_f)(size_t, void *, void *, void (*)(void *, size_t));
static void apply_f(size_t count, void *queue, void *context, void (*function)(void *, size_t)) {
  rounds rounds = {function, context, rxt_capture(RXT_FRAME, RXT_HOP_APPLY), &rxt_current};
  if (rounds.chain) return real_apply_f(count, queue, &rounds, rxt_run_round);
  real_apply_f(count, queue, context, function);
}
static void (*real_apply)(size_t, void *, block *);
static void apply(size_t count, void *queue, block *block) {
  rounds rounds = {(void (*)(void *, size_t))block->invoke, block, rxt_capture(RXT_FRAME, RXT_HOP_APPLY), &rxt_current};
  if (rounds.chain && real_apply_f) return real_apply_f(count, queue, &rounds, rxt_run_round);
  real_apply(count, queue, block);
}

// MARK: Threads

typedef struct thread_call {
  void *(*function)(void *);
  void *context;
  uint32_t chain;
} thread_call;

static void *rxt_run_thread(void *made) {
  thread_call call = *(thread_call *)made;
  free(made);
  rxt_chain_begin(&rxt_current, call.chain);
  return call.function(call.context);
}
static int (*real_thread)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int make_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *context) {
  uint32_t chain = rxt_capture(RXT_FRAME, RXT_HOP_THREAD);
  thread_call *made = chain ? malloc(sizeof *made) : 0;
  if (!made) return real_thread(thread, attributes, function, context);
  *made = (thread_call){function, context, chain};
  int failure = real_thread(thread, attributes, rxt_run_thread, made);
  if (failure) free(made);
  return failure;
}

const rxt_hook rxt_dispatch_hooks[] = {
  RXT_HOOK(dispatch_async, async, real_async),
  RXT_HOOK(dispatch_async_f, async_f, real_async_f),
  RXT_HOOK(dispatch_barrier_async, barrier, real_barrier),
  RXT_HOOK(dispatch_barrier_async_f, barrier_f, real_barrier_f),
  RXT_HOOK(dispatch_after, after, real_after),
  RXT_HOOK(dispatch_after_f, after_f, real_after_f),
  RXT_HOOK(dispatch_group_async, group, real_group),
  RXT_HOOK(dispatch_group_async_f, group_f, real_group_f),
  RXT_HOOK(dispatch_group_notify, group_notify, real_group_notify),
  RXT_HOOK(dispatch_group_notify_f, group_notify_f, real_group_notify_f),
  RXT_HOOK(dispatch_block_create, make_item, real_item),
  RXT_HOOK(dispatch_block_create_with_qos_class, make_item_with_class, real_item_with_class),
  RXT_HOOK(dispatch_block_notify, item_notify, real_item_notify),
  RXT_HOOK(dispatch_source_set_event_handler, event_handler, real_event_handler),
  RXT_HOOK(dispatch_source_set_cancel_handler, cancel_handler, real_cancel_handler),
  RXT_HOOK(dispatch_source_set_registration_handler, registration_handler, real_registration_handler),
  RXT_HOOK(dispatch_apply_f, apply_f, real_apply_f),
  RXT_HOOK(dispatch_apply, apply, real_apply),
  {"pthread_create", (void *)make_thread, (void **)&real_thread, 0},
  {0},
};
