/* A C library to be preloaded: below one folder, calls of the system that write can be made to fail, and what the
   calendar says can be moved. The tests set it through ctypes, in the process itself. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char folder[4096];
static int error, only_creating;
static long skipped, most, seen, failed;
static long calendar_s;

/* From now on, after `skip` calls below `below` that write, the next `count` fail with this error; 0: none does. */
void faulty_fail(const char *below, int with, long skip, long count, int creating) {
    strncpy(folder, below, sizeof folder - 1);
    error = with, skipped = skip, most = count, only_creating = creating;
    seen = failed = 0;
}

long faulty_seen(void) { return seen; }
long faulty_failed(void) { return failed; }
void faulty_calendar(long seconds) { calendar_s = seconds; }

static int fails_at(const char *path, int creating) {
    if (!folder[0] || strncmp(path, folder, strlen(folder)) || (only_creating && !creating)) return 0;
    long number = seen++;
    if (!error || number < skipped || number >= skipped + most) return 0;
    failed++;
    errno = error;
    return 1;
}

static int fails(int descriptor) {
    char link[64], path[4096];
    if (!folder[0]) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return fails_at(path, 0);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int d, const void *b, size_t n) { return fails(d) ? -1 : NEXT(write)(d, b, n); }
ssize_t pwrite(int d, const void *b, size_t n, off_t o) { return fails(d) ? -1 : NEXT(pwrite)(d, b, n, o); }
ssize_t pwrite64(int d, const void *b, size_t n, off64_t o) { return fails(d) ? -1 : NEXT(pwrite64)(d, b, n, o); }
int fsync(int d) { return fails(d) ? -1 : NEXT(fsync)(d); }
int fdatasync(int d) { return fails(d) ? -1 : NEXT(fdatasync)(d); }
int ftruncate(int d, off_t n) { return fails(d) ? -1 : NEXT(ftruncate)(d, n); }
int ftruncate64(int d, off64_t n) { return fails(d) ? -1 : NEXT(ftruncate64)(d, n); }
int rename(const char *a, const char *b) { return fails_at(a, 1) ? -1 : NEXT(rename)(a, b); }
int link(const char *a, const char *b) { return fails_at(a, 1) ? -1 : NEXT(link)(a, b); }
int linkat(int d, const char *a, int e, const char *b, int f) { return fails_at(a, 1) ? -1 : NEXT(linkat)(d, a, e, b, f); }
int unlink(const char *a) { return fails_at(a, 0) ? -1 : NEXT(unlink)(a); }
int mkdir(const char *a, mode_t m) { return fails_at(a, 1) ? -1 : NEXT(mkdir)(a, m); }

static int opened(int (*next)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if ((flags & O_CREAT) && access(path, F_OK) && fails_at(path, 1)) return -1;
    return next(path, flags, mode);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                      \
        va_end(rest);                                                                                                  \
        return opened(NEXT(name), path, flags, mode);                                                                  \
    }
OPEN(open)
OPEN(open64)

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = NEXT(clock_gettime)(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += calendar_s;
    return result;
}

time_t time(time_t *at) {
    time_t now = NEXT(time)(NULL) + calendar_s;
    if (at) *at = now;
    return now;
}

int gettimeofday(struct timeval *now, void *zone) {
    int result = NEXT(gettimeofday)(now, zone);
    now->tv_sec += calendar_s;
    return result;
}
