// Functions for the victim of `Scripts/attack` that cannot be written in Swift.
#ifndef C_VICTIM_SHIMS_H
#define C_VICTIM_SHIMS_H

/// Called when the calling thread enters a signal handler, and when it leaves it.
void rxv_handler_begins(void);
void rxv_handler_ends(void);

/// The number of times that handlers have allocated or freed memory, which a handler must not do: a
/// handler that interrupted the allocator waits forever for a lock that its own thread holds.
long rxv_handlers_at_heap(void);

#endif
