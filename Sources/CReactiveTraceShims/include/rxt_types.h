// What the Swift runtime knows of types, and the standard library does not tell.
#pragma once

#pragma clang assume_nonnull begin

// The witness table of a type for a protocol, by the addresses of the type's metadata and of the protocol's descriptor; null if the
// type does not conform, or the runtime cannot be asked. Also that of a conformance which belongs to an actor, wherever it is asked.
const void *_Nullable rxt_conformance(const void *type, const void *protocol);

#pragma clang assume_nonnull end
