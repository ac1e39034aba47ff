// Determines which library a function belongs to, by the function's name, in a program that has the Swift libraries linked into
// its own file.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rxt_hops_internal.h"

bool rxt_is_one_file;

// MARK: Names

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

typedef struct part_prefix {
  const char *prefix;
  uint32_t part;
} part_prefix;

// Prefixes of C names, without leading underscores; the first match counts.
static const part_prefix names_of_c[] = {
  {"swift_task", RXT_PART_RUNTIME},     {"swift_job", RXT_PART_RUNTIME},          {"swift_async", RXT_PART_RUNTIME},
  {"swift_run_job", RXT_PART_RUNTIME},  {"swift_continuation", RXT_PART_RUNTIME}, {"swift_dispatch", RXT_PART_RUNTIME},
  {"swift_executor", RXT_PART_RUNTIME}, {"swift_defaultActor", RXT_PART_RUNTIME}, {"swift_distributed", RXT_PART_RUNTIME},
  {"task_serial", RXT_PART_RUNTIME},    {"swift_", RXT_PART_SWIFT},               {"dispatch_", RXT_PART_DISPATCH},
  {"libdispatch_", RXT_PART_DISPATCH},  {"os_object_", RXT_PART_DISPATCH},        {"voucher_", RXT_PART_DISPATCH},
  {"Block_", RXT_PART_DISPATCH},        {"CF", RXT_PART_FOUNDATION},              {0},
};
// Prefixes of mangled Swift names, after `$s`: of standard types, of thunks, and of modules.
static const part_prefix names_of_swift[] = {
  {"s", RXT_PART_SWIFT}, {"S", RXT_PART_SWIFT}, {"I", RXT_PART_SWIFT}, {"x", RXT_PART_SWIFT}, {"y", RXT_PART_SWIFT},
  {"8Dispatch", RXT_PART_OVERLAY},
  {"10Foundation", RXT_PART_FOUNDATION}, {"20FoundationEssentials", RXT_PART_FOUNDATION}, {"22_Foundation", RXT_PART_FOUNDATION},
  {"30FoundationInternationalization", RXT_PART_FOUNDATION}, {"20FoundationNetworking", RXT_PART_FOUNDATION},
  {"12_", RXT_PART_SWIFT}, {"17_", RXT_PART_SWIFT}, {"11Observation", RXT_PART_SWIFT}, {"15Synchronization", RXT_PART_SWIFT}, {0},
};

static uint32_t part_with(const char *name, const part_prefix *prefixes) {
  for (; prefixes->prefix; prefixes++) {
    if (has_prefix(name, prefixes->prefix)) return prefixes->part;
  }
  return RXT_PART_PROGRAM;
}

// Whether a mangled name belongs to a program's extension of a library's type: in such a name, the type is followed by the
// module of the extension and an E.
static bool is_extended(const char *name) {
  static const char *const own[] = {"Foundation", "Essentials", "Internationalization", "Dispatch", "Swift", "_", 0};
  for (const char *at = name; *at;) {
    if (*at < '1' || *at > '9') {
      at++;
      continue;
    }
    char before = at > name ? at[-1] : 0;
    size_t length = 0;
    for (; *at >= '0' && *at <= '9' && length < 1000; at++) length = length * 10 + (size_t)(*at - '0');
    // After A or S, a number is the count of repetitions of a substitution, not a length; but SS is the type String.
    if (before == 'A' || (before == 'S' && !(at - name > 2 && at[-3] == 'S'))) continue;
    if (strnlen(at, length + 1) <= length) return false;
    // A zero before the length means that substituted words precede the rest of an identifier.
    if (at[length] == 'E' && before != '0') {
      int i = 0;
      while (own[i] && !has_prefix(at, own[i])) i++;
      if (!own[i]) return true;
    }
    at += length;
  }
  return false;
}

uint32_t rxt_part_named(const char *name) {
  if (name[0] == '$' && name[1] == 's') {
    uint32_t part = part_with(name + 2, names_of_swift);
    return part != RXT_PART_PROGRAM && is_extended(name + 2) ? RXT_PART_PROGRAM : part;
  }
  if (name[0] == '_' && name[1] == 'Z') {
    if (has_prefix(name, "_ZN6icu_") || has_prefix(name, "_ZNK6icu_")) return RXT_PART_FOUNDATION;
    // A C++ function belongs to the runtime if it is in one of the runtime's namespaces, takes one of the runtime's types as a
    // parameter, or is one of the runtime's functions outside any namespace.
    bool is_runtime = strstr(name, "5swift") || strstr(name, "swift_task") || strstr(name, "TaskGroup");
    return is_runtime ? RXT_PART_RUNTIME : RXT_PART_PROGRAM;
  }
  while (*name == '_') name++;
  return part_with(name, names_of_c);
}

// MARK: Ranges

// The starts of functions, in ascending order. The low byte of an entry is the library that the function belongs to
// (RXT_PART_…); the other bits are the function's offset from where the file is loaded. A function of the same library as the
// one before it is left out.
static uint64_t *starts;
static size_t start_count;
static uint64_t start_bias;

static void sort(uint64_t *keys, uint64_t *spare, size_t count) {
  // A radix sort, one byte at a time from the lowest: the library's byte, then the four bytes of the offset.
  for (int shift = 0; shift < 40; shift += 8) {
    size_t places[257] = {0};
    for (size_t i = 0; i < count; i++) places[((keys[i] >> shift) & 255) + 1]++;
    for (int i = 0; i < 256; i++) places[i + 1] += places[i];
    for (size_t i = 0; i < count; i++) spare[places[(keys[i] >> shift) & 255]++] = keys[i];
    uint64_t *sorted = spare;
    spare = keys;
    keys = sorted;
  }
}

static bool is_inside(uint64_t offset, uint64_t byte_count, size_t file) { return offset <= file && byte_count <= file - offset; }

static size_t whole_pages(size_t byte_count) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (byte_count + page - 1) / page * page;
}

static void *pages(size_t byte_count) {
  void *made = mmap(0, byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? 0 : made;
}

static void read_symbols(const uint8_t *file, size_t byte_count) {
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file;
  if (byte_count < sizeof *header || header->e_shentsize != sizeof(ElfW(Shdr))) return;
  if (!is_inside(header->e_shoff, (uint64_t)header->e_shnum * sizeof(ElfW(Shdr)), byte_count)) return;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(file + header->e_shoff), *table = 0;
  for (int i = 0; i < header->e_shnum && !table; i++) {
    if (sections[i].sh_type == SHT_SYMTAB) table = &sections[i];
  }
  if (!table || table->sh_link >= header->e_shnum || !is_inside(table->sh_offset, table->sh_size, byte_count)) return;
  const ElfW(Shdr) *texts = &sections[table->sh_link];
  if (texts->sh_size == 0 || !is_inside(texts->sh_offset, texts->sh_size, byte_count)) return;
  const char *names = (const char *)file + texts->sh_offset;
  if (names[texts->sh_size - 1]) return;
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)(file + table->sh_offset);
  size_t count = table->sh_size / sizeof *symbols;
  size_t room = whole_pages((count + 1) * sizeof(uint64_t));
  uint64_t *keys = pages(room), *sorted = pages(room);
  if (!keys || !sorted) return;
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    const ElfW(Sym) *symbol = &symbols[i];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || symbol->st_name >= texts->sh_size) continue;
    if (symbol->st_value >> 32) continue;
    keys[found++] = symbol->st_value << 8 | rxt_part_named(names + symbol->st_name);
  }
  sort(keys, sorted, found);
  size_t kept = 0;
  for (size_t i = 0; i < found; i++) {
    // A function with several names belongs to the program if one of the names does.
    bool is_known = i > 0 && sorted[i - 1] >> 8 == sorted[i] >> 8;
    bool goes_on = kept > 0 && (keys[kept - 1] & 255) == (sorted[i] & 255);
    if (!is_known && !goes_on) keys[kept++] = sorted[i];
  }
  munmap(sorted, room);
  size_t used = whole_pages((kept + 1) * sizeof(uint64_t));
  munmap((char *)keys + used, room - used);
  starts = keys;
  start_count = kept;
}

bool rxt_parts_read(uint64_t bias) {
  if (starts) return true;
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat status;
  size_t byte_count = fstat(file, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size : 0;
  void *bytes = byte_count ? mmap(0, byte_count, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED) return false;
  read_symbols(bytes, byte_count);
  munmap(bytes, byte_count);
  start_bias = bias;
  return starts != 0;
}

uint32_t rxt_part_at(uint64_t return_address) {
  // The call may be the last instruction of a function, so that the return address is in the next one.
  uint64_t key = (return_address - 1 - start_bias) << 8 | 255;
  size_t low = 0, high = start_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (starts[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low ? starts[low - 1] & 255 : RXT_PART_PROGRAM;
}

bool rxt_asks_itself(uint64_t return_address, uint32_t kind) {
  if (return_address - rxt_runtime_base >= rxt_runtime_size) return false;
  uint32_t part = rxt_part_at(return_address);
  switch (kind) {
    case RXT_HOP_TASK: case RXT_HOP_DETACHED_TASK: case RXT_HOP_CHILD_TASK: case RXT_HOP_ASYNC_LET: return part == RXT_PART_RUNTIME;
    case RXT_HOP_TIMER: case RXT_HOP_RUN_LOOP: case RXT_HOP_OPERATION: return part == RXT_PART_FOUNDATION;
    default: return part == RXT_PART_DISPATCH;
  }
}
