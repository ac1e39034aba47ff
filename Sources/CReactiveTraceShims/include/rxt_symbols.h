// Names of functions, as far as the running program can determine them itself.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The location of an address.
typedef struct rxt_place {
  // The difference between addresses in memory and in the image's file; and the first address of the image.
  uint64_t bias;
  uint64_t base;
  // The path known to the loader: empty for the program itself.
  char path[1024];
  // The image's build identifier; the size is 0 if it has none.
  uint8_t build_id[32];
  uint32_t build_id_size;
} rxt_place;

// Finds the loaded image (the executable or a library) that contains `address`; returns 0 if there is none.
int rxt_find_place(uint64_t address, rxt_place *_Nonnull place);

// The name in the dynamic symbol table of the function that holds `address`, and where the function begins; null if it has none.
const char *_Nullable rxt_dynamic_symbol(uint64_t address, uint64_t *_Nonnull start);

// A demangled name, to be freed; null if the Swift runtime cannot demangle it.
char *_Nullable rxt_demangle(const char *_Nonnull name, size_t length);
