/*
 * Loaded into the service with LD_PRELOAD. It makes the disk and the clock misbehave as the first bytes of CONTROL_FILE
 * say, and keeps in SYNCED_FOLDER a copy of each file of DISK_FOLDER with only what was synced: what a power loss would
 * leave. disk.ts has the other end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  uint8_t forgets_syncs;    /* A sync does nothing, and reports success. */
  uint8_t sync_error;       /* The errno with which every sync fails; 0 for none. */
  uint8_t write_error;      /* The errno with which every write fails; 0 for none. */
  uint8_t unused[5];
  int64_t clock_offset_s;   /* Added to the time of day. */
};

static struct control no_fault;
static volatile struct control *control = &no_fault;
static const char *disk_folder, *synced_folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What was written to a file since its last sync: from `begin` up to `end`. */
static struct file {
  char path[512];
  int copy;
  off_t begin, end;
} files[64];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void prepare(void) {
  disk_folder = getenv("DISK_FOLDER");
  synced_folder = getenv("SYNCED_FOLDER");
  const char *path = getenv("CONTROL_FILE");
  int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) control = shared;
  close(fd);
}

/* The record of an open file of DISK_FOLDER; NULL for any other. Call it with the lock. */
static struct file *file_of(int fd) {
  char link[64], path[512];
  if (disk_folder == NULL) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  size_t folder = strlen(disk_folder);
  if (length < 0 || strncmp(path, disk_folder, folder) != 0) return NULL;
  path[length] = 0;
  for (size_t at = 0; at < sizeof files / sizeof *files; at++) {
    if (strcmp(files[at].path, path) == 0) return &files[at];
    if (files[at].path[0] != 0) continue;
    char copy[1024];
    snprintf(copy, sizeof copy, "%s%s", synced_folder, path + folder);
    strcpy(files[at].path, path);
    files[at].copy = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return &files[at];
  }
  abort();
}

static void note_write(int fd, off_t begin, ssize_t written) {
  if (written <= 0) return;
  pthread_mutex_lock(&lock);
  struct file *file = file_of(fd);
  if (file != NULL) {
    if (file->begin == file->end || begin < file->begin) file->begin = begin;
    if (begin + written > file->end) file->end = begin + written;
  }
  pthread_mutex_unlock(&lock);
}

static void note_sync(int fd) {
  pthread_mutex_lock(&lock);
  struct file *file = file_of(fd);
  struct stat is;
  if (file != NULL && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
    int source = open(file->path, O_RDONLY | O_CLOEXEC);
    char block[65536];
    for (off_t at = file->begin; at < file->end;) {
      size_t rest = file->end - at;
      ssize_t length = pread(source, block, rest < sizeof block ? rest : sizeof block, at);
      if (length <= 0) break;
      REAL(pwrite)(file->copy, block, length, at);
      at += length;
    }
    close(source);
    REAL(ftruncate)(file->copy, is.st_size);
    file->begin = file->end = 0;
  }
  pthread_mutex_unlock(&lock);
}

static int is_on_disk(int fd) {
  pthread_mutex_lock(&lock);
  int found = file_of(fd) != NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

static int fails(int fd, int error) {
  if (error == 0 || !is_on_disk(fd)) return 0;
  errno = error;
  return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
  if (fails(fd, control->write_error)) return -1;
  ssize_t written = REAL(pwrite64)(fd, bytes, length, at);
  note_write(fd, at, written);
  return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  return pwrite64(fd, bytes, length, at);
}

static int sync_with(int fd, int (*real)(int)) {
  if (fails(fd, control->sync_error)) return -1;
  if (control->forgets_syncs && is_on_disk(fd)) return 0;
  int result = real(fd);
  if (result == 0) note_sync(fd);
  return result;
}

int fsync(int fd) { return sync_with(fd, REAL(fsync)); }
int fdatasync(int fd) { return sync_with(fd, REAL(fdatasync)); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = REAL(clock_gettime)(clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += control->clock_offset_s;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  int result = REAL(gettimeofday)(now, zone);
  now->tv_sec += control->clock_offset_s;
  return result;
}
