// A handler of SIGBUS that lets the program continue after access to a page that the trace file no longer has. It covers only
// the mappings of trace files.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Guards a mapping: if one of its pages is lost, because the file was cut or the disk cannot store it, the page is replaced by
// an empty private one, `lost` is called (with true for the first such page), and the thread continues. Any other SIGBUS is
// left to the previous handler, or to the system.
//
// `lost` runs in the handler, with the signal unblocked, so that it may itself touch a lost page. The call does nothing if four
// mappings are guarded already. A mapping is not guarded in a forked child, nor against access by a thread that has blocked
// SIGBUS: then the system ends the process.
void rxt_mapping_guard(void *_Nonnull base, size_t byte_count, void (*_Nullable lost)(bool is_first));

// Whether an address is in a mapping that this process guards.
bool rxt_mapping_is_guarded(const void *_Nullable place);

// Must be called before the mapping is unmapped.
void rxt_mapping_unguard(void *_Nonnull base);

// Whether a page of the guarded mapping has been lost.
bool rxt_mapping_is_lost(const void *_Nonnull base);

// Notes that a page was lost; returns true for the first one.
bool rxt_mapping_note_loss(const void *_Nonnull base);
