#ifndef C_LOAD_SHIMS_H
#define C_LOAD_SHIMS_H

#include <poll.h>

/// Like `poll`, but with a timeout in nanoseconds, because requests at a fixed rate are due at
/// fractions of a millisecond.
int load_poll(struct pollfd *descriptors, unsigned long count, long nanoseconds);

#endif
