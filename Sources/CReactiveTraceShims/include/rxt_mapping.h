// Handles access to a mapped trace whose file has lost the page: a handler of SIGBUS that covers only such mappings.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// From now on a page of that mapping that is lost, because the file was cut or because the disk cannot store it, is replaced by
// an empty private page, `lost` is called (with true for the first of them), and the thread continues. Any other SIGBUS is left
// to the previous handler, or to the system.
//
// `lost` runs in the handler, with the signal unblocked, so that it may itself touch a lost page. Does nothing if four mappings
// are guarded already; a forked child is not covered. A thread that has blocked the signal is nevertheless ended by the system.
void rxt_mapping_guard(void *_Nonnull base, size_t byte_count, void (*_Nullable lost)(bool is_first));

// Must be called before the mapping is unmapped.
void rxt_mapping_unguard(void *_Nonnull base);

// Whether a page of the guarded mapping has been lost.
bool rxt_mapping_is_lost(const void *_Nonnull base);

// Notes that a page was lost; returns true for the first one.
bool rxt_mapping_note_loss(const void *_Nonnull base);
