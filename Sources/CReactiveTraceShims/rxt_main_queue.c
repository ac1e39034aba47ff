#include <stddef.h>

#include "rxt_hops.h"

// Functions of dispatch; null if the program does not use it.
extern const char *dispatch_queue_get_label(const void *) __attribute__((weak));
extern const char _dispatch_main_q[] __attribute__((weak));

// Determined by the first caller, or by several at once: the result is always the same.
static const char *main_label(void) {
  static const char *known;
  const char *label = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (label || !dispatch_queue_get_label || !_dispatch_main_q) return label;
  label = dispatch_queue_get_label(_dispatch_main_q);
  __atomic_store_n(&known, label, __ATOMIC_RELAXED);
  return label;
}

uint32_t rxt_runs_on(void) {
  const char *label = main_label();
  if (!label) return 0;
  // The label of each queue has a unique address. Null means the current queue.
  return dispatch_queue_get_label(NULL) == label ? RXT_ON_MAIN_QUEUE : RXT_OFF_MAIN_QUEUE;
}
