// Hooks for a program that has Swift's libraries linked into its own file. Its calls to them do not go through the dynamic
// linker's table of addresses, so they cannot be redirected there.
//
// If a program is linked with `--wrap=NAME`, all calls to NAME lead to `__wrap_NAME`, and `__real_NAME` is the function
// itself. `__wrap_NAME` jumps to the address in a variable, which is `__real_NAME` until hooks are installed; this costs one
// jump per call. Without the option, nothing calls `__wrap_NAME`, and `__real_NAME` is null.
#include "rxt_hops_internal.h"

#if defined(__x86_64__)
#define JUMP(name) "jmpq *rxt_entry_" #name "(%rip)\n"
#elif defined(__aarch64__)
// x16 is a register that any call may change.
#define JUMP(name) "adrp x16, rxt_entry_" #name "\nldr x16, [x16, :lo12:rxt_entry_" #name "]\nbr x16\n"
#endif

#ifdef JUMP
#define ENTRY(name)                                                                                     \
  extern void __real_##name(void) __attribute__((weak));                                               \
  rxt_entry rxt_entry_##name = {(void *)__real_##name, (void *)__real_##name};                         \
  __asm__(".text\n.p2align 4\n.hidden __wrap_" #name "\n.globl __wrap_" #name "\n.type __wrap_" #name  \
          ", %function\n__wrap_" #name ":\n.cfi_startproc\n" JUMP(name) ".cfi_endproc\n.size __wrap_" #name ", .-__wrap_" #name "\n");
#else
#define ENTRY(name) rxt_entry rxt_entry_##name;
#endif

RXT_WRAPPED_FUNCTIONS(ENTRY)
RXT_WRAPPED_FRAMELESS(ENTRY)

#define NOTED(name) {#name, 0, 0, &rxt_entry_##name},
const rxt_hook rxt_frameless_hooks[] = {RXT_WRAPPED_FRAMELESS(NOTED){0}};
