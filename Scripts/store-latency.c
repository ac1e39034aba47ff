// Measures stores into a mapped file: see Scripts/store-latency.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { size = 64 << 20, stride = 64, buckets = 1 << 16 };

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  char path[4096];
  snprintf(path, sizeof path, "%s/store-latency-XXXXXX", arguments[1]);
  int file = mkstemp(path);
  if (file < 0) return perror(path), 1;
  unlink(path);
  if (posix_fallocate(file, 0, size) != 0) return fprintf(stderr, "%s: no room for 64 MiB\n", arguments[1]), 1;
  volatile uint64_t *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) return perror("mmap"), 1;
  for (size_t byte = 0; byte < size; byte += stride) memory[byte / 8] = 1;

  // The number of stores by nanoseconds; the last element counts all that took longer.
  static uint64_t histogram[buckets];
  uint64_t longest = 0, stores = 0, end = now() + strtoull(arguments[2], 0, 10) * 1000000000ull;
  uint64_t before = now();
  for (size_t byte = 0; before < end; byte = (byte + stride) % size) {
    memory[byte / 8] = before;
    uint64_t after = now(), took = after - before;
    histogram[took < buckets ? took : buckets - 1]++;
    if (took > longest) longest = took;
    stores++;
    before = after;
  }
  uint64_t half = 0, most = 0, seen = 0;
  for (uint64_t took = 0; took < buckets; took++) {
    seen += histogram[took];
    if (!half && seen * 2 >= stores) half = took;
    if (!most && seen * 1000 >= stores * 999) most = took;
  }
  printf("%10llu %10llu %12llu %12llu", (unsigned long long)half, (unsigned long long)most, (unsigned long long)longest,
         (unsigned long long)stores);
  return 0;
}
