// What the victim of `Scripts/attack` cannot say in Swift.
#ifndef C_VICTIM_SHIMS_H
#define C_VICTIM_SHIMS_H

/// The calling thread enters a signal handler, and leaves it.
void rxv_handler_begins(void);
void rxv_handler_ends(void);

/// How often handlers have asked for memory or given some back, which a handler may not do: where it has interrupted the
/// allocator, it waits for itself for ever.
long rxv_handlers_at_heap(void);

#endif
