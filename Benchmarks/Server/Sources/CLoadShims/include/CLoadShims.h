#ifndef C_LOAD_SHIMS_H
#define C_LOAD_SHIMS_H

#include <poll.h>

/// As `poll`, but waits for so many nanoseconds at most: requests at a fixed rate are due between milliseconds.
int load_poll(struct pollfd *descriptors, unsigned long count, long nanoseconds);

#endif
