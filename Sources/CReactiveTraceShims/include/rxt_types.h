// What the Swift runtime knows about types, and the standard library does not expose.
#pragma once

#pragma clang assume_nonnull begin

// The witness table of a type for a protocol, by the addresses of the type's metadata and of the protocol's descriptor; null if
// the type does not conform, or the runtime cannot be queried. It includes a conformance that is isolated to an actor, wherever
// it is queried.
const void *_Nullable rxt_conformance(const void *type, const void *protocol);

#pragma clang assume_nonnull end
