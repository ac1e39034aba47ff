#include "rxt_types.h"

#include <stddef.h>

extern const void *swift_conformsToProtocol(const void *, const void *) __attribute__((weak));

const void *rxt_conformance(const void *type, const void *protocol) {
  return swift_conformsToProtocol ? swift_conformsToProtocol(type, protocol) : NULL;
}
