// What becomes of an access to a mapped trace where its file has lost the page: a handler of SIGBUS that covers only such mappings.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// From now on a page of that mapping that is gone, because the file was cut or because the disk cannot store it, is replaced by an
// empty one of the process's own, `lost` is called (with true for the first of them), and the thread goes on. Any other SIGBUS is for
// the handler that was there before, or for the system.
//
// `lost` runs in the handler, with the signal unblocked, so that it may itself touch a page that is gone. Does nothing where four
// mappings are guarded already; a forked child is not covered. A thread that has blocked the signal is ended by the system all the same.
void rxt_mapping_guard(void *_Nonnull base, size_t byte_count, void (*_Nullable lost)(bool is_first));

// The mapping is about to be given back.
void rxt_mapping_unguard(void *_Nonnull base);

// Whether a page of the guarded mapping has been lost.
bool rxt_mapping_is_lost(const void *_Nonnull base);

// Notes that one has; true for the first of them.
bool rxt_mapping_note_loss(const void *_Nonnull base);
