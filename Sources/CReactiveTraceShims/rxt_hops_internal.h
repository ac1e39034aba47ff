// Shared by the files of the hooks. `rxt_hops.h` describes their purpose.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rxt_hops.h"
#include "rxt_hops_names.h"

// A function whose calls are redirected to a hook.
typedef struct rxt_hook {
  const char *name;
  void *replacement;
  // Where the pointer to the original function is stored.
  void **real;
  // The entry through which a program that has the Swift libraries linked into its own file calls the function; null if even
  // such a program calls it through the dynamic linker's table.
  rxt_entry *entry;
} rxt_hook;

#define RXT_HOOK(name, replacement, real) {#name, (void *)replacement, (void **)&real, &rxt_entry_##name}

// A method that is called through the vtable in the metadata of its class.
typedef struct rxt_method_hook {
  const char *type;
  // The class metadata, if it was linked into the program's file; otherwise null.
  const uintptr_t *linked_type;
  rxt_hook hook;
} rxt_method_hook;

// The hooks for calls by programs and libraries, and, in rxt_runtime_hooks, for calls by the concurrency runtime.
extern const rxt_hook rxt_dispatch_hooks[];
extern const rxt_hook rxt_task_hooks[];
extern const rxt_hook rxt_foundation_hooks[];
extern const rxt_method_hook rxt_method_hooks[];
extern const rxt_hook rxt_runtime_hooks[];

// Functions that are not replaced by hooks: each is redirected to an entry that notes the caller and then jumps to the
// function.
extern const rxt_hook rxt_frameless_hooks[];

// Additional preparation for the hooks of tasks; called before any hook is installed.
void rxt_prepare_tasks(void);

// The stack pointer and the frame pointer when this thread last entered a function of the Swift overlay of dispatch that
// requests work. Those functions set up no stack frame, so their caller can only be found with these values.
typedef struct rxt_hop_entry_point {
  uintptr_t stack;
  uintptr_t frame;
  // The return address of the function. If it is no longer at `stack`, these values are outdated.
  uintptr_t address;
} rxt_hop_entry_point;
extern _Thread_local rxt_hop_entry_point rxt_hop_entry __attribute__((tls_model("initial-exec"), visibility("hidden")));
// Where the overlay, with these functions, is loaded; 0 and 0 if it is not loaded, or if its functions set up stack frames.
extern uint64_t rxt_frameless_base;
extern uint64_t rxt_frameless_size;

// MARK: Programs in one file

// Whether the Swift libraries are linked into the program's file, so that calls of the functions in rxt_hops_names.h are
// redirected through entries.
extern bool rxt_is_one_file;
// Determines which library each function of the program's file belongs to, by the file's symbols; returns false if there are no
// symbols.
bool rxt_parts_read(uint64_t bias);
// The library (RXT_PART_…) to which the code at a return address in the program's file belongs.
uint32_t rxt_part_at(uint64_t return_address);
// Whether the caller is code of the very library that performs this kind of hop (how work got to where it runs), rather than of
// the program. If that library were a separate file, such a call would not go through a hook.
bool rxt_asks_itself(uint64_t return_address, uint32_t kind);

static inline bool rxt_is_within(uint64_t return_address, uint64_t base, uint64_t size, uint32_t part) {
  return return_address - base < size && (!rxt_is_one_file || rxt_part_at(return_address) == part);
}

// MARK: Queries of hooks

// The chain of the work that the caller of a hook requests; 0 if nothing is recorded, or if the library itself requests it.
static inline uint32_t rxt_capture(uintptr_t frame, uint32_t kind) {
  uint32_t recording = __atomic_load_n(&rxt_is_recording, __ATOMIC_RELAXED);
  if ((recording != 1 && recording != 2) || rxt_current.hops_pass) return 0;
  uintptr_t entered[2];
  uintptr_t caller = ((const uintptr_t *)frame)[1];
  if (rxt_is_one_file && rxt_asks_itself(caller, kind)) return 0;
  if (rxt_is_within(caller, rxt_frameless_base, rxt_frameless_size, RXT_PART_OVERLAY)) {
    rxt_hop_entry_point entry = rxt_hop_entry;
    if (entry.stack > frame && entry.stack - frame < 4096 && *(const uintptr_t *)entry.stack == entry.address) {
      entered[0] = entry.frame;
      entered[1] = entry.address;
      frame = (uintptr_t)entered;
    }
  }
  rxt_current.hops_pass = 1;
  uint32_t chain = rxt_hop_captured(frame, kind);
  rxt_current.hops_pass = 0;
  return chain;
}

#define RXT_FRAME ((uintptr_t)__builtin_frame_address(0))

// The address range of a function of a library; 0 and 0 if it is unknown.
typedef struct rxt_function_range {
  uintptr_t start;
  uintptr_t size;
} rxt_function_range;
rxt_function_range rxt_range_of(const char *function);
// Where the Swift overlay of dispatch is loaded.
extern rxt_function_range rxt_swift_dispatch;

// Where the program itself is loaded.
extern rxt_function_range rxt_executable;
bool rxt_is_other_code(uint64_t address);
// Whether an address belongs to code that was loaded when the hooks were installed.
static inline bool rxt_is_code(uint64_t address) {
  return address - rxt_executable.start < rxt_executable.size || rxt_is_other_code(address);
}
// Whether an address belongs to the program or to one of its libraries, and whether the code there keeps frame pointers.
bool rxt_is_code_of_program(uint64_t address);
bool rxt_keeps_frames(uint64_t address);
// The address of the word that points to the function which destroys tasks; `value` receives the replacement to store there.
// Returns 0 if the word is unknown, or was replaced already.
uintptr_t rxt_destructor_of_tasks(uintptr_t *value);

// Where the concurrency runtime is loaded; 0 and 0 if it is unknown.
extern uint64_t rxt_runtime_base;
extern uint64_t rxt_runtime_size;
static inline bool rxt_is_runtime(uint64_t return_address) {
  return rxt_is_within(return_address, rxt_runtime_base, rxt_runtime_size, RXT_PART_RUNTIME);
}
// The function of the runtime that runs a task.
extern rxt_function_range rxt_job_run;
// Reads a word in memory that may have been unmapped.
bool rxt_read_word(uintptr_t address, size_t size, void *word);
// Handles a call of `dispatch_async_f` by the concurrency runtime, from the function with frame `frame`.
void rxt_hand_on(void *queue, void *job, void *function, uintptr_t frame);
