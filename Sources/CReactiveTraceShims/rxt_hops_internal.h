// What the files of the hooks share. `rxt_hops.h` says what they are for.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "rxt_hops.h"
#include "rxt_hops_names.h"

// A function that is led elsewhere.
typedef struct rxt_hook {
  const char *name;
  void *replacement;
  // Where the function itself is stored.
  void **real;
  // What a program calls it by that has Swift's libraries in its own file; null where that asks the dynamic linker, too.
  rxt_entry *entry;
} rxt_hook;

#define RXT_HOOK(name, replacement, real) {#name, (void *)replacement, (void **)&real, &rxt_entry_##name}

// A method that is called through the table in the type of its class.
typedef struct rxt_method_hook {
  const char *type;
  // The type as it was linked; null where it was not.
  const uintptr_t *linked_type;
  rxt_hook hook;
} rxt_method_hook;

// Those that programs and libraries call, and those that only the concurrency runtime does.
extern const rxt_hook rxt_dispatch_hooks[];
extern const rxt_hook rxt_task_hooks[];
extern const rxt_hook rxt_foundation_hooks[];
extern const rxt_method_hook rxt_method_hooks[];
extern const rxt_hook rxt_runtime_hooks[];

// Functions that are led to entries which note the caller: their real addresses are those that they were linked with.
extern const rxt_hook rxt_frameless_hooks[];

// What the hooks of tasks need beside; called before any hook is led here.
void rxt_prepare_tasks(void);

// The stack and the frame pointer as they were when this thread last entered a function of dispatch for Swift that asks for work. Those
// functions keep no frames: where one of them asks, its caller is found by these alone.
typedef struct rxt_hop_entry_point {
  uintptr_t stack;
  uintptr_t frame;
  // Where the function returns to: tells an entry that is over.
  uintptr_t address;
} rxt_hop_entry_point;
extern _Thread_local rxt_hop_entry_point rxt_hop_entry __attribute__((tls_model("initial-exec"), visibility("hidden")));
// Where these functions are loaded; 0 and 0 where they need no help.
extern uint64_t rxt_frameless_base;
extern uint64_t rxt_frameless_size;

// MARK: Programs in one file

// Whether the libraries of Swift are in the file of the program, and calls of the functions in rxt_hops_names.h lead here.
extern bool rxt_is_one_file;
// Reads from the symbols of the program's file whose code its functions are; false where there are none.
bool rxt_parts_read(uint64_t bias);
// Whose code control returns to; of the program's file alone.
uint32_t rxt_part_at(uint64_t return_address);
// Whether one of these libraries asks, of which nothing would be seen if it were a file of its own.
bool rxt_asks_itself(uint64_t return_address, uint32_t kind);

static inline bool rxt_is_within(uint64_t return_address, uint64_t base, uint64_t size, uint32_t part) {
  return return_address - base < size && (!rxt_is_one_file || rxt_part_at(return_address) == part);
}

// MARK: What hooks ask

// The chain of the work that the caller asks for; 0 where nothing is recorded, and where the library itself asks.
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

// Where a function of a library lies; 0 and 0 where that is not known.
typedef struct rxt_function_range {
  uintptr_t start;
  uintptr_t size;
} rxt_function_range;
rxt_function_range rxt_range_of(const char *function);
// Where dispatch for Swift is loaded.
extern rxt_function_range rxt_swift_dispatch;

// Where the program itself lies.
extern rxt_function_range rxt_executable;
bool rxt_is_other_code(uint64_t address);
// Whether an address is one of code that was loaded when the hooks were installed.
static inline bool rxt_is_code(uint64_t address) {
  return address - rxt_executable.start < rxt_executable.size || rxt_is_other_code(address);
}
// Whether it is the program's own, or of a library of its own; and whether that code keeps frames.
bool rxt_is_code_of_program(uint64_t address);
bool rxt_keeps_frames(uint64_t address);
// Where it stands what destroys a task, and what is to be stored there; 0 where that is not known, or done already.
uintptr_t rxt_destructor_of_tasks(uintptr_t *value);

// Where the concurrency runtime is loaded; 0 and 0 where that is not known.
extern uint64_t rxt_runtime_base;
extern uint64_t rxt_runtime_size;
static inline bool rxt_is_runtime(uint64_t return_address) {
  return rxt_is_within(return_address, rxt_runtime_base, rxt_runtime_size, RXT_PART_RUNTIME);
}
// As the hook of `dispatch_async_f` for the runtime, which `frame` is called by.
void rxt_hand_on(void *queue, void *job, void *function, uintptr_t frame);
