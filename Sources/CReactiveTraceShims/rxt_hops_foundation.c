// Hooks (functions that are called in place of those of a library) for work that a program requests from Foundation: timers,
// blocks performed by run loops, and operations.
//
// A Swift closure is wrapped in another one, which runs it with its chain (the asynchronous backtrace of the work). The context
// of the wrapper is an object of the Swift runtime, whose type is declared here.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "rxt_hops_internal.h"
#include "rxt_lock.h"

#define SWIFTCC __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void *swift_allocObject(const void *, size_t, size_t) __attribute__((weak));
extern void swift_deallocObject(void *, size_t, size_t) __attribute__((weak));
extern void *swift_retain(void *) __attribute__((weak));
extern void swift_release(void *) __attribute__((weak));

// MARK: Closures that carry a chain

typedef struct closure {
  void *function;
  void *context;
} closure;

typedef struct closure_carrier {
  const void *type;
  uint64_t references;
  closure inner;
  uint32_t chain;
} closure_carrier;

static SWIFTCC void destroy_carrier(SELF closure_carrier *gone) {
  swift_release(gone->inner.context);
  swift_deallocObject(gone, sizeof *gone, 7);
}

// The type of the wrapper's context, which only determines how the context is destroyed.
static const struct {
  SWIFTCC void (*destroy)(SELF closure_carrier *);
  const void *witnesses;
  uint64_t kind;
  uint32_t offset;
  const void *captured;
} carrier_type = {destroy_carrier, 0, 0x400, 16, 0};

static SWIFTCC void rxt_run_carried(SELF closure_carrier *self) {
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, self->chain);
  ((SWIFTCC void (*)(SELF void *))self->inner.function)(self->inner.context);
  rxt_chain_end(&rxt_current, outer);
}

static SWIFTCC void rxt_run_carried_with(void *argument, SELF closure_carrier *self) {
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, self->chain);
  ((SWIFTCC void (*)(void *, SELF void *))self->inner.function)(argument, self->inner.context);
  rxt_chain_end(&rxt_current, outer);
}

// Wraps a closure, and takes ownership of its context.
static closure carry(closure inner, void *function, uint32_t chain) {
  closure_carrier *made = swift_allocObject(&carrier_type.kind, sizeof *made, 7);
  made->inner = inner;
  made->chain = chain;
  return (closure){function, made};
}

static bool can_carry(void) { return swift_allocObject && swift_deallocObject && swift_retain && swift_release; }

// MARK: Timers

static SWIFTCC void *(*real_timer)(double, bool, void *, void *, SELF void *);
static SWIFTCC void *make_timer(double interval, bool repeats, void *function, void *context, SELF void *type) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_TIMER) : 0;
  closure block = {function, context};
  // An initializer takes ownership of its arguments.
  if (chain) block = carry(block, (void *)rxt_run_carried_with, chain);
  return real_timer(interval, repeats, block.function, block.context, type);
}
static SWIFTCC void *(*real_timer_at)(double, double, bool, void *, void *, SELF void *);
static SWIFTCC void *make_timer_at(double date, double interval, bool repeats, void *function, void *context, SELF void *type) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_TIMER) : 0;
  closure block = {function, context};
  if (chain) block = carry(block, (void *)rxt_run_carried_with, chain);
  return real_timer_at(date, interval, repeats, block.function, block.context, type);
}
// The same initializer for an object that is already allocated, which optimised programs call.
static SWIFTCC void *(*real_set_up_timer)(double, double, bool, void *, void *, SELF void *);
static SWIFTCC void *set_up_timer(double date, double interval, bool repeats, void *function, void *context, SELF void *object) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_TIMER) : 0;
  closure block = {function, context};
  if (chain) block = carry(block, (void *)rxt_run_carried_with, chain);
  return real_set_up_timer(date, interval, repeats, block.function, block.context, object);
}
static SWIFTCC void *(*real_scheduled_timer)(double, bool, void *, void *, SELF void *);
static SWIFTCC void *make_scheduled_timer(double interval, bool repeats, void *function, void *context, SELF void *type) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_TIMER) : 0;
  if (!chain) return real_scheduled_timer(interval, repeats, function, context, type);
  // Unlike an initializer, a function borrows its arguments.
  closure block = carry((closure){function, swift_retain(context)}, (void *)rxt_run_carried_with, chain);
  void *timer = real_scheduled_timer(interval, repeats, block.function, block.context, type);
  swift_release(block.context);
  return timer;
}

// MARK: Run loops

static SWIFTCC void (*real_perform)(void *, void *, SELF void *);
static SWIFTCC void perform(void *function, void *context, SELF void *loop) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_RUN_LOOP) : 0;
  if (!chain) return real_perform(function, context, loop);
  closure block = carry((closure){function, swift_retain(context)}, (void *)rxt_run_carried, chain);
  real_perform(block.function, block.context, loop);
  swift_release(block.context);
}
static SWIFTCC void (*real_perform_in_modes)(void *, void *, void *, SELF void *);
static SWIFTCC void perform_in_modes(void *modes, void *function, void *context, SELF void *loop) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_RUN_LOOP) : 0;
  if (!chain) return real_perform_in_modes(modes, function, context, loop);
  closure block = carry((closure){function, swift_retain(context)}, (void *)rxt_run_carried, chain);
  real_perform_in_modes(modes, block.function, block.context, loop);
  swift_release(block.context);
}

// MARK: Operations

// An entry in the table of operations that were enqueued and have not started, with the chain of the operation.
typedef struct operation {
  const void *object;
  uint32_t chain;
  struct operation *next;
} operation;

enum { operation_buckets = 256, most_operations = 1 << 16 };
static operation *operations[operation_buckets];
static uint32_t operation_count;
static rxt_lock operations_lock;

static operation **operations_of(const void *object) {
  return &operations[((uint64_t)(uintptr_t)object * 0x9FB21C651E98DF25ull) >> 56];
}

static void note_operation(const void *object, uint32_t chain) {
  operation *made = malloc(sizeof *made);
  if (!made) return;
  rxt_lock_take(&operations_lock);
  operation *known = *operations_of(object);
  while (known && known->object != object) known = known->next;
  if (known) {
    known->chain = chain;
  } else if (operation_count < most_operations) {
    *made = (operation){object, chain, *operations_of(object)};
    *operations_of(object) = made;
    operation_count++;
    made = 0;
  } else if (*operations_of(object)) {
    // The table is full of operations that never start, or whose class starts them in its own way.
    (*operations_of(object))->object = object;
    (*operations_of(object))->chain = chain;
  }
  rxt_lock_give(&operations_lock);
  free(made);
}

static uint32_t take_operation(const void *object) {
  operation *found = 0;
  rxt_lock_take(&operations_lock);
  for (operation **place = operations_of(object); *place; place = &(*place)->next) {
    if ((*place)->object == object) {
      found = *place;
      *place = found->next;
      operation_count--;
      break;
    }
  }
  rxt_lock_give(&operations_lock);
  uint32_t chain = found ? found->chain : 0;
  free(found);
  return chain;
}

static SWIFTCC void (*real_add)(void *, SELF void *);
static SWIFTCC void add(void *object, SELF void *queue) {
  uint32_t chain = rxt_capture(RXT_FRAME, RXT_HOP_OPERATION);
  if (chain) note_operation(object, chain);
  real_add(object, queue);
}
// In an array, the count is two words after the beginning, followed by the capacity and the elements.
static SWIFTCC void (*real_add_all)(void *, bool, SELF void *);
static SWIFTCC void add_all(void *array, bool waits, SELF void *queue) {
  uint32_t chain = rxt_capture(RXT_FRAME, RXT_HOP_OPERATION);
  size_t count = chain ? ((const size_t *)array)[2] : 0;
  for (size_t i = 0; i < count; i++) note_operation(((void *const *)array)[4 + i], chain);
  real_add_all(array, waits, queue);
}
static SWIFTCC void (*real_add_block)(void *, void *, SELF void *);
static SWIFTCC void add_block(void *function, void *context, SELF void *queue) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_OPERATION) : 0;
  if (!chain) return real_add_block(function, context, queue);
  closure block = carry((closure){function, swift_retain(context)}, (void *)rxt_run_carried, chain);
  real_add_block(block.function, block.context, queue);
  swift_release(block.context);
}
static SWIFTCC void (*real_add_barrier)(void *, void *, SELF void *);
static SWIFTCC void add_barrier(void *function, void *context, SELF void *queue) {
  uint32_t chain = can_carry() ? rxt_capture(RXT_FRAME, RXT_HOP_OPERATION) : 0;
  if (!chain) return real_add_barrier(function, context, queue);
  closure block = carry((closure){function, swift_retain(context)}, (void *)rxt_run_carried, chain);
  real_add_barrier(block.function, block.context, queue);
  swift_release(block.context);
}
static SWIFTCC void (*real_start)(SELF void *);
static SWIFTCC void start(SELF void *object) {
  uint32_t chain = take_operation(object);
  if (!chain) return real_start(object);
  rxt_outer_chain outer = rxt_chain_begin(&rxt_current, chain);
  real_start(object);
  rxt_chain_end(&rxt_current, outer);
}

const rxt_hook rxt_foundation_hooks[] = {
  RXT_HOOK($s10Foundation5TimerC12timeInterval7repeats5blockACSd_SbyACYbctcfC, make_timer, real_timer),
  RXT_HOOK($s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfC, make_timer_at, real_timer_at),
  RXT_HOOK($s10Foundation5TimerC4fire8interval7repeats5blockAC0A10Essentials4DateV_SdSbyACYbctcfc, set_up_timer, real_set_up_timer),
  RXT_HOOK($s10Foundation5TimerC09scheduledB016withTimeInterval7repeats5blockACSd_SbyACYbctFZ, make_scheduled_timer, real_scheduled_timer),
  RXT_HOOK($s10Foundation7RunLoopC7performyyyyYbcF, perform, real_perform),
  RXT_HOOK($s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF, perform_in_modes, real_perform_in_modes),
  // For the vtables of the program's own subclasses of Operation.
  RXT_HOOK($s10Foundation9OperationC5startyyF, start, real_start),
  {0},
};

// The classes whose vtables contain the methods; null if the program does not use them, or if they have to be looked up with
// the dynamic linker.
extern const uintptr_t $s10Foundation14OperationQueueCN[] __attribute__((weak));
extern const uintptr_t $s10Foundation9OperationCN[] __attribute__((weak));
extern const uintptr_t $s10Foundation14BlockOperationCN[] __attribute__((weak));
extern const uintptr_t $s8Dispatch0A8WorkItemCN[] __attribute__((weak));

#define METHOD(type, name, replacement, real) {#type, type, RXT_HOOK(name, replacement, real)}
// A method without a hook: it is redirected to an entry that notes the caller and then jumps to the method.
#define NOTED_METHOD(type, name) {#type, type, {#name, 0, 0, &rxt_entry_##name}}

const rxt_method_hook rxt_method_hooks[] = {
  METHOD($s10Foundation14OperationQueueCN, $s10Foundation14OperationQueueC03addB0yyAA0B0CF, add, real_add),
  METHOD($s10Foundation14OperationQueueCN, $s10Foundation14OperationQueueC03addB0yyyyYbcF, add_block, real_add_block),
  METHOD($s10Foundation14OperationQueueCN, $s10Foundation14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF, add_all, real_add_all),
  METHOD($s10Foundation14OperationQueueCN, $s10Foundation14OperationQueueC15addBarrierBlockyyyyYbcF, add_barrier, real_add_barrier),
  METHOD($s10Foundation9OperationCN, $s10Foundation9OperationC5startyyF, start, real_start),
  METHOD($s10Foundation14BlockOperationCN, $s10Foundation9OperationC5startyyF, start, real_start),
  NOTED_METHOD($s8Dispatch0A8WorkItemCN, $s8Dispatch0A8WorkItemC6notify3qos5flags5queue7executeyAA0A3QoSV_AA0abC5FlagsVAA0A5QueueCyyXBtF),
  NOTED_METHOD($s8Dispatch0A8WorkItemCN, $s8Dispatch0A8WorkItemC6notify5queue7executeyAA0A5QueueC_ACtF),
  {0},
};
