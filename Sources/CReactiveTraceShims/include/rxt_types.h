// Information about types that the Swift runtime has and the standard library does not expose.
#pragma once

#pragma clang assume_nonnull begin

// The witness table of a type for a protocol, by the addresses of the type's metadata and of the protocol's descriptor; null if
// the type does not conform, or the runtime cannot be queried. A conformance that is isolated to an actor is found from
// anywhere, not only on that actor.
const void *_Nullable rxt_conformance(const void *type, const void *protocol);

#pragma clang assume_nonnull end
