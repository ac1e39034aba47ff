#include "rxt_thread.h"

const uint32_t rxt_idle_control = 0;
uint32_t rxt_is_recording = 2;
uint32_t rxt_probe_extras = 0;
void *rxt_the_recorder = 0;
_Thread_local rxt_thread rxt_current __attribute__((tls_model("initial-exec"))) = {
  .control = &rxt_idle_control,
  .seen = UINT32_MAX,
  .time_limit = UINT64_MAX,
  .lease_limit = UINT64_MAX,
};
