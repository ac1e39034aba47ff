#define _GNU_SOURCE
#include "rxt_platform.h"

#include "rxt_clock.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t rxt_own_clock = 0;

const char *rxt_environment(const char *name) { return secure_getenv(name); }

int rxt_above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int failure = errno;
  close(descriptor);
  errno = failure;
  return copy;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

int rxt_populate(void *start, size_t byte_count) {
  int before = errno;
  int failure = madvise(start, byte_count, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  errno = before;
  // The system returns "bad address" where a store would have raised SIGBUS.
  return failure == EFAULT ? ENOSPC : failure;
}

void rxt_thread_name(char *name, size_t byte_count) { pthread_getname_np(pthread_self(), name, byte_count); }

uintptr_t rxt_stack_end(void) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *start = 0;
  size_t byte_count = 0;
  int failure = pthread_attr_getstack(&attributes, &start, &byte_count);
  pthread_attr_destroy(&attributes);
  return failure ? 0 : (uintptr_t)start + byte_count;
}

typedef struct {
  void (*body)(const rxt_image *, void *);
  void *context;
} visit;

static void find_build_id(rxt_image *image, const uint8_t *note, size_t byte_count) {
  while (byte_count >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
    size_t name = ((size_t)header->n_namesz + 3) & ~(size_t)3;
    size_t description = ((size_t)header->n_descsz + 3) & ~(size_t)3;
    if (byte_count - sizeof *header < name || byte_count - sizeof *header - name < description) return;
    const uint8_t *bytes = note + sizeof *header;
    if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 && memcmp(bytes, "GNU", 4) == 0) {
      image->build_id = bytes + name;
      image->build_id_size = header->n_descsz;
      return;
    }
    note += sizeof *header + name + description;
    byte_count -= sizeof *header + name + description;
  }
}

static int visit_image(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  const visit *visit = data;
  rxt_image image = {.path = info->dlpi_name ? info->dlpi_name : "", .base = UINT64_MAX, .bias = info->dlpi_addr};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD) {
      if (start < image.base) image.base = start & ~(uint64_t)4095;
      if ((header->p_flags & PF_X) && start + header->p_memsz > image.end_of_text) {
        image.end_of_text = start + header->p_memsz;
      }
    } else if (header->p_type == PT_NOTE && !image.build_id) {
      find_build_id(&image, (const uint8_t *)start, header->p_memsz);
    }
  }
  if (image.base != UINT64_MAX) visit->body(&image, visit->context);
  return 0;
}

void rxt_each_image(void (*body)(const rxt_image *, void *), void *context) {
  visit visit = {body, context};
  dl_iterate_phdr(visit_image, &visit);
}
