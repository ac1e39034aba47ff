// Names of functions, as far as the running program can tell them by itself.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Where an address lies.
typedef struct rxt_place {
  // What addresses in the file of the image are lower by; and the first address of the image.
  uint64_t bias;
  uint64_t base;
  // The path the loader knows it by: empty for the program itself.
  char path[1024];
  // Its build identifier; the count is 0 if it has none.
  uint8_t build_id[32];
  uint32_t build_id_size;
} rxt_place;

// Finds the loaded image that `address` lies in; returns 0 if there is none.
int rxt_find_place(uint64_t address, rxt_place *_Nonnull place);

// The name in the dynamic symbol table of the function that holds `address`, and where the function begins; null if it has none.
const char *_Nullable rxt_dynamic_symbol(uint64_t address, uint64_t *_Nonnull start);

// A mangled name for people, to be freed; null if it is not one that the Swift runtime knows how to read.
char *_Nullable rxt_demangle(const char *_Nonnull name, size_t length);
