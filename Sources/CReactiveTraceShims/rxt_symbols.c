#define _GNU_SOURCE
#include "rxt_symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "rxt_platform.h"

// libswiftCore exports both functions. The first formats names as the toolchain's backtraces do,
// without types; it is undocumented, and may be absent in later versions.
extern char *_swift_backtrace_demangle(const char *, size_t, char *, size_t *) __attribute__((weak));
extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t) __attribute__((weak));

typedef struct {
  uint64_t address;
  rxt_place *place;
  int found;
} search;

static void look_at(const rxt_image *image, void *context) {
  search *search = context;
  if (search->found || search->address < image->base || search->address >= image->end_of_text) return;
  search->found = 1;
  rxt_place *place = search->place;
  place->base = image->base;
  place->bias = image->bias;
  size_t length = strnlen(image->path, sizeof place->path - 1);
  memcpy(place->path, image->path, length);
  place->path[length] = 0;
  place->build_id_size = image->build_id_size <= sizeof place->build_id ? image->build_id_size : 0;
  if (image->build_id && place->build_id_size) memcpy(place->build_id, image->build_id, place->build_id_size);
}

int rxt_find_place(uint64_t address, rxt_place *place) {
  search search = {address, place, 0};
  memset(place, 0, sizeof *place);
  rxt_each_image(look_at, &search);
  return search.found;
}

const char *rxt_dynamic_symbol(uint64_t address, uint64_t *start) {
  Dl_info info;
  if (dladdr((void *)(uintptr_t)address, &info) == 0 || !info.dli_sname || !info.dli_saddr) return 0;
  *start = (uint64_t)(uintptr_t)info.dli_saddr;
  return info.dli_sname;
}

char *rxt_demangle(const char *name, size_t length) {
  if (_swift_backtrace_demangle) return _swift_backtrace_demangle(name, length, 0, 0);
  if (swift_demangle) return swift_demangle(name, length, 0, 0, 0);
  return 0;
}
