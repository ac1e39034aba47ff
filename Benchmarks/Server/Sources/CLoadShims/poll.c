#define _GNU_SOURCE
#include "CLoadShims.h"

#include <stddef.h>
#include <time.h>

int load_poll(struct pollfd *descriptors, unsigned long count, long nanoseconds) {
  struct timespec pause = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(descriptors, count, &pause, NULL);
}
