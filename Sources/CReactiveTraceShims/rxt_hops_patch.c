// Redirects functions of loaded images, through the tables from which they call functions of other images.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rxt_hops_internal.h"
#include "rxt_lock.h"
#include "rxt_platform.h"

#if defined(__x86_64__)
enum { jump_slot = R_X86_64_JUMP_SLOT, global_data = R_X86_64_GLOB_DAT, word = R_X86_64_64 };
#elif defined(__aarch64__)
enum { jump_slot = R_AARCH64_JUMP_SLOT, global_data = R_AARCH64_GLOB_DAT, word = R_AARCH64_ABS64 };
#endif

rxt_function_range rxt_swift_dispatch;
rxt_function_range rxt_executable;
uint64_t rxt_runtime_base;
uint64_t rxt_runtime_size;

enum { most_ranges = 256 };
typedef struct rxt_range {
  uint64_t start;
  uint64_t size;
  bool is_of_the_system;
  // One of Swift's own libraries, whose frames may lie between the program and the task that it resumes.
  bool is_swift;
  bool is_dispatch;
  // The C library and its companions, which keep no frame pointers.
  bool is_of_c;
} rxt_range;
static rxt_range ranges[most_ranges];
static _Atomic uint32_t range_count;
static rxt_lock install_lock;
static _Atomic bool is_installed;

static bool has_prefix(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

static bool is_of_c(const char *name) {
  static const char *const prefixes[] = {"libc.", "libpthread", "libm.", "ld-", "libstdc++", "libgcc"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (has_prefix(name, prefixes[i])) return true;
  }
  return false;
}

static bool is_of_the_system(const char *name) {
  static const char *const prefixes[] = {"libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (has_prefix(name, prefixes[i])) return true;
  }
  return is_of_c(name);
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// MARK: Functions without frames

_Thread_local rxt_hop_entry_point rxt_hop_entry __attribute__((tls_model("initial-exec"), visibility("hidden")));
uint64_t rxt_frameless_base;
uint64_t rxt_frameless_size;

#if defined(__x86_64__)
enum { entry_limit = 64, entry_size = 64 };
// The functions to which the entries jump.
void *rxt_hop_entry_targets[entry_limit] __attribute__((visibility("hidden")));
extern const char rxt_hop_entries[] __attribute__((visibility("hidden")));

// Each entry notes the stack pointer and the frame pointer, and jumps to its function. The only register it changes is one
// that any call into another image may change.
__asm__(
  ".text\n"
  ".p2align 6\n"
  ".hidden rxt_hop_entries\n"
  ".globl rxt_hop_entries\n"
  "rxt_hop_entries:\n"
  ".set rxt_entry, 0\n"
  ".rept 64\n"
  ".p2align 6\n"
  "movq rxt_hop_entry@gottpoff(%rip), %r11\n"
  "movq %rsp, %fs:(%r11)\n"
  "movq %rbp, %fs:8(%r11)\n"
  "pushq (%rsp)\n"
  "popq %fs:16(%r11)\n"
  "jmpq *rxt_hop_entry_targets+8*rxt_entry(%rip)\n"
  ".set rxt_entry, rxt_entry + 1\n"
  ".endr\n");

static void note_frameless(const rxt_image *image) {
  rxt_frameless_base = image->base;
  rxt_frameless_size = image->end_of_text - image->base;
}

static bool asks_for_work(const char *name) {
  static const char *const words[] = {"async", "notify", "concurrentPerform", "setEventHandler", "setCancelHandler",
                                      "setRegistrationHandler"};
  if (!has_prefix(name, "$s8Dispatch")) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strstr(name, words[i])) return true;
  }
  return false;
}

// The entry that leads to a function; null if none is left.
static const void *entry_to(void *function) {
  int entry = 0;
  while (entry < entry_limit && rxt_hop_entry_targets[entry] && rxt_hop_entry_targets[entry] != function) entry++;
  if (entry == entry_limit || !function) return 0;
  rxt_hop_entry_targets[entry] = function;
  return rxt_hop_entries + entry * entry_size;
}
#else
// On other architectures, all functions set up stack frames.
static void note_frameless(const rxt_image *image) { (void)image; }
static bool asks_for_work(const char *name) { return name == 0; }
static const void *entry_to(void *function) { return function ? 0 : function; }
#endif

static void note_range(const rxt_image *image, void *context) {
  (void)context;
  uint32_t count = range_count;
  for (uint32_t i = 0; i < count; i++) {
    if (ranges[i].start == image->base) return;
  }
  if (count == most_ranges || image->end_of_text <= image->base) return;
  const char *name = file_name(image->path);
  ranges[count] = (rxt_range){
    .start = image->base,
    .size = image->end_of_text - image->base,
    .is_of_the_system = is_of_the_system(name),
    .is_swift = has_prefix(name, "libswift") && !has_prefix(name, "libswiftDispatch"),
    .is_dispatch = has_prefix(name, "libdispatch"),
    .is_of_c = is_of_c(name),
  };
  range_count = count + 1;
  if (!*image->path) rxt_executable = (rxt_function_range){image->base, image->end_of_text - image->base};
  if (has_prefix(name, "libswiftDispatch.so")) {
    rxt_swift_dispatch = (rxt_function_range){image->base, image->end_of_text - image->base};
    note_frameless(image);
  }
  if (has_prefix(name, "libswift_Concurrency.so")) {
    rxt_runtime_base = image->base;
    rxt_runtime_size = image->end_of_text - image->base;
  }
}

static const rxt_range *file_of(uint64_t address) {
  uint32_t count = range_count;
  for (uint32_t i = 0; i < count; i++) {
    if (address - ranges[i].start < ranges[i].size) return &ranges[i];
  }
  return 0;
}

bool rxt_is_other_code(uint64_t address) { return file_of(address) != 0; }

static const rxt_range *range_of(uint64_t return_address) {
  // The ranges that the libraries would have if each were a separate file.
  static const rxt_range parts[] = {
    [RXT_PART_RUNTIME] = {.is_of_the_system = true, .is_swift = true},
    [RXT_PART_SWIFT] = {.is_of_the_system = true, .is_swift = true},
    [RXT_PART_OVERLAY] = {.is_of_the_system = true},
    [RXT_PART_DISPATCH] = {.is_of_the_system = true, .is_dispatch = true},
    [RXT_PART_FOUNDATION] = {.is_of_the_system = true},
  };
  if (rxt_is_one_file && return_address - rxt_runtime_base < rxt_runtime_size) return &parts[rxt_part_at(return_address)];
  return file_of(return_address);
}

bool rxt_is_code_of_program(uint64_t address) {
  const rxt_range *range = range_of(address);
  return range && !range->is_of_the_system;
}

bool rxt_keeps_frames(uint64_t address) {
  const rxt_range *range = range_of(address);
  return range && !range->is_of_c;
}

rxt_function_range rxt_range_of(const char *function) {
  Dl_info info;
  const ElfW(Sym) *symbol = 0;
  void *start = dlsym(RTLD_DEFAULT, function);
  if (!start || !dladdr1(start, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) return (rxt_function_range){0, 0};
  return (rxt_function_range){(uintptr_t)start, symbol->st_size};
}

bool rxt_is_called_by_program(const uint64_t *addresses, uint32_t count) {
  uint32_t i = 0;
  const rxt_range *range = 0;
  while (i < count && (range = range_of(addresses[i])) && range->is_swift) i++;
  if (i == count || (range && range->is_of_the_system)) return false;
  // A sanitizer adds one function of the program's file between dispatch and the runtime's work; work that the program passes
  // to dispatch has at least two.
  if (i + 1 == count) return false;
  const rxt_range *next = range_of(addresses[i + 1]);
  return !(next && next->is_dispatch);
}

// The program's file, if it contains both this code and the Swift libraries.
static rxt_image one_file;

// MARK: One image

typedef struct image_tables {
  const ElfW(Sym) *symbols;
  const char *names;
  const ElfW(Rela) *relocations[2];
  size_t counts[2];
  // The part that the dynamic linker has made read-only.
  uintptr_t sealed_start;
  uintptr_t sealed_end;
  uintptr_t text_start;
  uintptr_t text_end;
} image_tables;

static bool read_tables(const struct dl_phdr_info *info, image_tables *tables) {
  const ElfW(Dyn) *dynamic = 0;
  memset(tables, 0, sizeof *tables);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
    if (header->p_type == PT_GNU_RELRO) {
      tables->sealed_start = start;
      tables->sealed_end = start + header->p_memsz;
    }
    if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
      if (!tables->text_start || start < tables->text_start) tables->text_start = start;
      if (start + header->p_memsz > tables->text_end) tables->text_end = start + header->p_memsz;
    }
  }
  // The dynamic linker seals whole pages.
  tables->sealed_end &= ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  if (!dynamic) return false;
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    // The dynamic linker has replaced the offsets in these entries by addresses.
    switch (dynamic->d_tag) {
      case DT_SYMTAB: tables->symbols = (const ElfW(Sym) *)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: tables->names = (const char *)dynamic->d_un.d_ptr; break;
      case DT_JMPREL: tables->relocations[0] = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: tables->counts[0] = dynamic->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_RELA: tables->relocations[1] = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: tables->counts[1] = dynamic->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_PLTREL: if (dynamic->d_un.d_val != DT_RELA) return false; break;
    }
  }
  // In the vDSO, which the kernel maps into each process, these entries are still offsets.
  return tables->symbols && tables->names && (uintptr_t)tables->symbols > info->dlpi_addr
      && (uintptr_t)tables->names > info->dlpi_addr;
}

static bool store(const image_tables *tables, uintptr_t place, uintptr_t value) {
  bool is_sealed = place >= tables->sealed_start && place < tables->sealed_end;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)(place & ~(page - 1));
  if (is_sealed && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return false;
  __atomic_store_n((uintptr_t *)place, value, __ATOMIC_RELEASE);
  if (is_sealed) mprotect(start, page, PROT_READ);
  return true;
}

// Redirects an entry of a table to a hook, unless that has been done already.
static void lead(const image_tables *tables, uintptr_t place, const rxt_hook *hook) {
  uintptr_t now = __atomic_load_n((uintptr_t *)place, __ATOMIC_RELAXED);
  // With lazy binding, the entry of a function that has not been called yet points into the image itself, to code that
  // resolves it.
  bool is_unknown = now >= tables->text_start && now < tables->text_end;
  if (now != (uintptr_t)*hook->real && !is_unknown) return;
  store(tables, place, (uintptr_t)hook->replacement);
}

// MARK: Functions found by name
//
// No function is looked up by name while images are visited. A visit holds a lock of the dynamic linker; a thread in dlopen takes that
// lock while it holds another one, which dlsym takes. So a visit notes the names that it needs, and images are visited once more when
// these have been looked up.

enum { most_names = 64, longest_name = 255, most_methods = 16 };
typedef struct named_function {
  char name[longest_name + 1];
  void *function;
} named_function;
static named_function named_functions[most_names];
static uint32_t noted_names, found_names;

// Returns the function of a name; null if it is unknown, or was not looked up yet.
static void *function_named(const char *name) {
  for (uint32_t i = 0; i < noted_names; i++) {
    if (strcmp(named_functions[i].name, name) == 0) return named_functions[i].function;
  }
  if (noted_names < most_names && strlen(name) <= longest_name) strcpy(named_functions[noted_names++].name, name);
  return 0;
}

// Looks up the functions whose names were noted since the last call; returns whether there are any.
static bool look_up_names(void) {
  if (found_names == noted_names) return false;
  for (; found_names < noted_names; found_names++) {
    named_functions[found_names].function = dlsym(RTLD_DEFAULT, named_functions[found_names].name);
  }
  return true;
}

// The class metadata and the functions of `rxt_method_hooks`.
static struct {
  const uintptr_t *type;
  void *real;
} methods[most_methods];

static void look_up_methods(void) {
  const rxt_method_hook *method = rxt_method_hooks;
  for (int i = 0; i < most_methods && method->type; i++, method++) {
    methods[i].type = rxt_is_one_file ? method->linked_type : dlsym(RTLD_DEFAULT, method->type);
    methods[i].real = rxt_is_one_file ? method->hook.entry->linked : dlsym(RTLD_DEFAULT, method->hook.name);
  }
}

static void lead_all(const struct dl_phdr_info *info, const rxt_hook *hooks) {
  image_tables tables;
  if (!read_tables(info, &tables)) return;
  for (int kind = 0; kind < 2; kind++) {
    if (!tables.relocations[kind]) continue;
    for (size_t i = 0; i < tables.counts[kind]; i++) {
      const ElfW(Rela) *relocation = &tables.relocations[kind][i];
      uint64_t type = ELF64_R_TYPE(relocation->r_info);
      if (type != jump_slot && type != global_data && (type != word || relocation->r_addend != 0)) continue;
      const ElfW(Sym) *symbol = &tables.symbols[ELF64_R_SYM(relocation->r_info)];
      const char *name = tables.names + symbol->st_name;
      // Skips nearly all symbols cheaply: names of hooked functions begin with one of these characters.
      if (symbol->st_shndx != SHN_UNDEF || !strchr("dsp$_", name[0])) continue;
      if ((type == jump_slot || type == word) && asks_for_work(name)) {
        void *function = function_named(name);
        const void *entry = entry_to(function);
        const rxt_hook hook = {name, (void *)entry, &function, 0};
        if (entry) lead(&tables, info->dlpi_addr + relocation->r_offset, &hook);
        continue;
      }
      for (const rxt_hook *hook = hooks; hook->name; hook++) {
        if (*hook->real && strcmp(name, hook->name) == 0) {
          lead(&tables, info->dlpi_addr + relocation->r_offset, hook);
          break;
        }
      }
    }
  }
}

// Redirects the calls that a program makes to functions in its own file.
static void lead_entry(const rxt_hook *hook) {
  rxt_entry *entry = hook->entry;
  if (!entry || !entry->linked || entry->function != entry->linked) return;
  const void *replacement = hook->replacement ? hook->replacement : entry_to(entry->linked);
  if (replacement) __atomic_store_n(&entry->function, (void *)replacement, __ATOMIC_RELEASE);
}

static void lead_entries(const rxt_hook *hooks) {
  for (const rxt_hook *hook = hooks; hook->name; hook++) lead_entry(hook);
}

// Redirects methods in the class metadata of one image.
static void lead_methods(const struct dl_phdr_info *info) {
  image_tables tables;
  if (!read_tables(info, &tables)) return;
  for (int i = 0; i < most_methods && rxt_method_hooks[i].type; i++) {
    const rxt_method_hook *method = &rxt_method_hooks[i];
    const uintptr_t *type = methods[i].type;
    void *real = methods[i].real;
    if (!type || !real || (uintptr_t)real < tables.text_start || (uintptr_t)real >= tables.text_end) continue;
    // After the flags of the class metadata come its size, and how much of it precedes this address.
    uint32_t size = ((const uint32_t *)type)[8], before = ((const uint32_t *)type)[9];
    if (size <= before || size > 16384) continue;
    const void *replacement = method->hook.replacement;
    if (!replacement) replacement = entry_to(real);
    if (!replacement) continue;
    if (method->hook.real) *method->hook.real = real;
    for (size_t word = 0; word < (size - before) / sizeof *type; word++) {
      if (type[word] == (uintptr_t)real) store(&tables, (uintptr_t)&type[word], (uintptr_t)replacement);
    }
  }
}

// MARK: Words of other tables

typedef struct one_word {
  uintptr_t place;
  uintptr_t function;
  uintptr_t replacement;
  bool is_led;
} one_word;

static bool is_variable(const struct dl_phdr_info *info, uintptr_t place) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_W) || (header->p_flags & PF_X)) continue;
    if (place - (info->dlpi_addr + header->p_vaddr) < header->p_filesz) return true;
  }
  return false;
}

// Redirects the word if it is in this image and points to the expected function of the image; returns whether it is in this
// image.
static int lead_word(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  one_word *word = context;
  image_tables tables;
  if (!is_variable(info, word->place)) return 0;
  if (!read_tables(info, &tables) || word->function < tables.text_start || word->function >= tables.text_end) return 1;
  uintptr_t now = __atomic_load_n((const uintptr_t *)word->place, __ATOMIC_RELAXED);
  word->is_led = now == word->function && store(&tables, word->place, word->replacement);
  return 1;
}

bool rxt_hops_lead(const void *place, uintptr_t function, uintptr_t replacement) {
  one_word word = {(uintptr_t)place, function, replacement, false};
  if (word.place % sizeof word.place != 0) return false;
  rxt_lock_take(&install_lock);
  dl_iterate_phdr(lead_word, &word);
  rxt_lock_give(&install_lock);
  return word.is_led;
}

uint32_t rxt_hops_capture(uintptr_t frame, uint32_t kind) { return rxt_capture(frame, kind); }

enum { most_others = 16 };
static void (*others[most_others])(void);
static uint32_t other_count;

static void let_begin(void (*begin)(void)) {
  // Work that `begin` itself requests is not a request of the program, so its hops are not recorded.
  rxt_current.hops_pass++;
  begin();
  rxt_current.hops_pass--;
}

void rxt_hops_also(void (*begin)(void)) {
  rxt_lock_take(&install_lock);
  bool begins = is_installed;
  if (other_count < most_others) others[other_count++] = begin;
  rxt_lock_give(&install_lock);
  if (begins) let_begin(begin);
}

static void let_others_begin(void) {
  rxt_lock_take(&install_lock);
  uint32_t count = other_count;
  rxt_lock_give(&install_lock);
  for (uint32_t i = 0; i < count; i++) let_begin(others[i]);
}

// MARK: All images

static void lead_destructor(const struct dl_phdr_info *info) {
  image_tables tables;
  uintptr_t value = 0, place = rxt_destructor_of_tasks(&value);
  if (place && read_tables(info, &tables)) store(&tables, place, value);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  const char *name = file_name(info->dlpi_name ? info->dlpi_name : "");
  // Work that dispatch or the C library requests is not requested by the program.
  if (has_prefix(name, "libdispatch.so") || has_prefix(name, "libc.") || has_prefix(name, "ld-") || has_prefix(name, "linux-vdso")) {
    return 0;
  }
  if (has_prefix(name, "libswift_Concurrency.so")) {
    lead_all(info, rxt_runtime_hooks);
    lead_destructor(info);
    return 0;
  }
  lead_all(info, rxt_dispatch_hooks);
  if (rxt_is_one_file && info->dlpi_addr == one_file.bias) {
    // The order matters: if the runtime and the program share a function, only its first hook is installed, so the hooks that
    // distinguish callers come first.
    lead_entries(rxt_dispatch_hooks);
    lead_entries(rxt_runtime_hooks);
    lead_entries(rxt_task_hooks);
    lead_entries(rxt_foundation_hooks);
    lead_entries(rxt_frameless_hooks);
    lead_methods(info);
    // Some linkers let class metadata point to the wrapped functions, so these are redirected, too.
    for (const rxt_method_hook *method = rxt_method_hooks; method->type; method++) {
      if (method->hook.real && *method->hook.real) lead_entry(&method->hook);
    }
    lead_destructor(info);
    return 0;
  }
  lead_all(info, rxt_task_hooks);
  // Work that Foundation requests of itself is not requested by the program.
  if (!has_prefix(name, "libFoundation.so")) lead_all(info, rxt_foundation_hooks);
  if (has_prefix(name, "libFoundation.so") || has_prefix(name, "libswiftDispatch.so")) lead_methods(info);
  return 0;
}

static void look_for_one_file(const rxt_image *image, void *context) {
  uint64_t runtime = (uint64_t)(uintptr_t)rxt_entry_swift_task_create.linked, own = (uint64_t)(uintptr_t)context;
  uint64_t size = image->end_of_text - image->base;
  if (runtime && runtime - image->base < size && own - image->base < size) one_file = *image;
}

// If the program has the Swift libraries in its own file and has symbols, reads which library each function belongs to.
static void look_for_parts(void) {
  static bool has_looked;
  // Only the first call can determine this. In a program that uses shared libraries but was linked with the `--wrap` options,
  // rxt_entry.linked is also a word that the dynamic linker fills in, so later it points to a hook, which is in the program's
  // own file.
  if (has_looked) return;
  has_looked = true;
  rxt_each_image(look_for_one_file, (void *)rxt_hops_install);
  if (!one_file.end_of_text || !rxt_parts_read(one_file.bias)) return;
  rxt_runtime_base = one_file.base;
  rxt_runtime_size = one_file.end_of_text - one_file.base;
  note_frameless(&one_file);
  rxt_is_one_file = true;
}

static void find(const rxt_hook *hooks) {
  for (const rxt_hook *hook = hooks; hook->name; hook++) {
    if (*hook->real) continue;
    *hook->real = rxt_is_one_file && hook->entry ? hook->entry->linked : dlsym(RTLD_DEFAULT, hook->name);
  }
}

void rxt_hops_install(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  if (!rxt_hop_captured) return;
  rxt_lock_take(&install_lock);
  rxt_each_image(note_range, ranges);
  look_for_parts();
  find(rxt_dispatch_hooks);
  find(rxt_task_hooks);
  find(rxt_foundation_hooks);
  find(rxt_runtime_hooks);
  rxt_prepare_tasks();
  look_up_methods();
  is_installed = true;
  do {
    dl_iterate_phdr(visit, 0);
  } while (look_up_names());
  rxt_lock_give(&install_lock);
  let_others_begin();
#endif
}

void rxt_hops_scan_images(void) {
  rxt_lock_take(&install_lock);
  rxt_each_image(note_range, ranges);
  rxt_lock_give(&install_lock);
}

bool rxt_hops_see_tasks(void) { return is_installed && rxt_runtime_size != 0; }

const char *rxt_hops_unseen(void) {
  if (!is_installed || rxt_runtime_size != 0) return 0;
  const rxt_range *own = file_of((uint64_t)(uintptr_t)rxt_hops_unseen);
  if (!own || own != file_of((uint64_t)(uintptr_t)swift_task_getCurrent)) return 0;
  if (one_file.end_of_text) {
    return "hops of tasks, queues and Foundation are not seen: the program was stripped, and the symbols of its file would tell whose its "
           "functions are";
  }
  return "hops of tasks, queues and Foundation are not seen: the program is linked with -static-stdlib, but without the options that "
         "Scripts/static-hops of this package prints";
}

// Runs when the program is loaded: recording begins with the first signal, but the work in which that signal is made may have
// been requested before.
__attribute__((constructor)) static void begin(void) {
  const char *text = rxt_hop_captured ? rxt_environment("RXTRACE") : 0;
  if (!text || !*text || strcmp(text, "0") == 0 || has_prefix(text, "off")) return;
  if (strstr(text, "stacks=off") || strstr(text, "hops=own")) return;
  rxt_hops_install();
}
