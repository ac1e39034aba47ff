#include "rxt_thread.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "rxt_lock.h"

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

// Memory for the lists of a thread, from `mmap`: a thread may register with the recorder at any point of its execution, even
// inside `malloc`.
typedef union list_place {
  rxt_lists lists;
  union list_place *next;
} list_place;

enum { CHUNK_SIZE = 1024 * 1024 };
static rxt_lock lists_lock;
static list_place *free_lists;

static void make_lists(void) {
  list_place *places = mmap(0, CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (places == MAP_FAILED) return;
  for (size_t i = CHUNK_SIZE / sizeof *places; i > 0; i--) {
    places[i - 1].next = free_lists;
    free_lists = &places[i - 1];
  }
}

bool rxt_take_lists(void) {
  if (rxt_current.lists) return true;
  int before = errno;
  rxt_lock_take(&lists_lock);
  if (!free_lists) make_lists();
  list_place *place = free_lists;
  if (place) free_lists = place->next;
  rxt_lock_give(&lists_lock);
  errno = before;
  if (!place) return false;
  memset(place, 0, offsetof(rxt_lists, walks));
  rxt_current.lists = &place->lists;
  return true;
}

void rxt_give_lists_back(void) {
  list_place *place = (list_place *)rxt_current.lists;
  if (!place) return;
  rxt_current.lists = 0;
  rxt_lock_take(&lists_lock);
  place->next = free_lists;
  free_lists = place;
  rxt_lock_give(&lists_lock);
}
