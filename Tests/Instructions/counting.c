// SPDX-License-Identifier: MIT
// Counts a process's system calls, the bytes that it moves and copies, and its memory. To be preloaded.
//
// The counts are in the file COUNTS, which others read while the process runs. Order: see `Counts`. A wait for events counts
// only if it finds some: how often an idle daemon polls depends on time.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <unistd.h>

typedef struct {
    uint64_t calls, moved, copied;
    int64_t allocated;
} Counts;

static Counts early;
static Counts *counts = &early;

#define NEXT(result, name, ...)                                                                                      \
    static result (*next_##name)(__VA_ARGS__);                                                                       \
    static void find_##name(void) {                                                                                  \
        if (!next_##name) next_##name = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                            \
    }

NEXT(ssize_t, read, int, void *, size_t)
NEXT(ssize_t, write, int, const void *, size_t)
NEXT(ssize_t, send, int, const void *, size_t, int)
NEXT(ssize_t, sendmsg, int, const struct msghdr *, int)
NEXT(ssize_t, recv, int, void *, size_t, int)
NEXT(int, epoll_wait, int, struct epoll_event *, int, int)
NEXT(int, epoll_ctl, int, int, int, struct epoll_event *)
NEXT(int, accept4, int, struct sockaddr *, socklen_t *, int)
NEXT(int, timerfd_settime, int, int, const struct itimerspec *, struct itimerspec *)
NEXT(int, close, int)
NEXT(void *, mmap, void *, size_t, int, int, int, off_t)
NEXT(int, munmap, void *, size_t)
NEXT(void *, memmove, void *, const void *, size_t)

__attribute__((constructor)) static void begin(void) {
    find_memmove();
    find_mmap();
    find_close();
    const char *path = getenv("COUNTS");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *shared = next_mmap(0, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) return;
    *(Counts *)shared = early;
    counts = shared;
    next_close(file);
}

static ssize_t moved(ssize_t bytes) {
    counts->calls++;
    if (bytes > 0) counts->moved += (uint64_t)bytes;
    return bytes;
}

ssize_t read(int file, void *bytes, size_t count) {
    find_read();
    return moved(next_read(file, bytes, count));
}
ssize_t write(int file, const void *bytes, size_t count) {
    find_write();
    return moved(next_write(file, bytes, count));
}
ssize_t send(int file, const void *bytes, size_t count, int flags) {
    find_send();
    return moved(next_send(file, bytes, count, flags));
}
ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    find_sendmsg();
    return moved(next_sendmsg(file, message, flags));
}
ssize_t recv(int file, void *bytes, size_t count, int flags) {
    find_recv();
    return moved(next_recv(file, bytes, count, flags));
}
int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
    find_epoll_wait();
    int ready = next_epoll_wait(set, events, most, timeout);
    if (ready > 0) counts->calls++;
    return ready;
}
int epoll_ctl(int set, int operation, int file, struct epoll_event *event) {
    find_epoll_ctl();
    counts->calls++;
    return next_epoll_ctl(set, operation, file, event);
}
int accept4(int file, struct sockaddr *address, socklen_t *length, int flags) {
    find_accept4();
    counts->calls++;
    return next_accept4(file, address, length, flags);
}
int timerfd_settime(int file, int flags, const struct itimerspec *time, struct itimerspec *old) {
    find_timerfd_settime();
    counts->calls++;
    return next_timerfd_settime(file, flags, time, old);
}
int close(int file) {
    find_close();
    counts->calls++;
    return next_close(file);
}

// Before the constructor. Volatile, lest the compiler makes a call of `memmove` of it.
static void *move_bytes(void *to, const void *from, size_t count) {
    volatile char *target = to;
    const volatile char *source = from;
    if (target < source) {
        for (size_t i = 0; i < count; i++) target[i] = source[i];
    } else {
        while (count-- > 0) target[count] = source[count];
    }
    return to;
}

static void *copied(void *to, const void *from, size_t count) {
    counts->copied += count;
    return next_memmove ? next_memmove(to, from, count) : move_bytes(to, from, count);
}
void *memmove(void *to, const void *from, size_t count) { return copied(to, from, count); }
void *memcpy(void *restrict to, const void *restrict from, size_t count) { return copied(to, from, count); }

// Memory: the C library's blocks, and pages that the program asks for itself.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *gained(void *block) {
    if (block) counts->allocated += (int64_t)malloc_usable_size(block) + (int64_t)sizeof(size_t);
    return block;
}
static void lost(void *block) {
    if (block) counts->allocated -= (int64_t)malloc_usable_size(block) + (int64_t)sizeof(size_t);
}

void *malloc(size_t count) { return gained(__libc_malloc(count)); }
void *calloc(size_t number, size_t size) { return gained(__libc_calloc(number, size)); }
void free(void *block) {
    lost(block);
    __libc_free(block);
}
void *realloc(void *block, size_t count) {
    lost(block);
    void *moved = __libc_realloc(block, count);
    gained(moved || count == 0 ? moved : block);
    return moved;
}
int posix_memalign(void **result, size_t alignment, size_t count) {
    void *block = gained(__libc_memalign(alignment, count));
    if (!block) return 12;
    *result = block;
    return 0;
}
void *aligned_alloc(size_t alignment, size_t count) { return gained(__libc_memalign(alignment, count)); }

void *mmap(void *place, size_t count, int protection, int flags, int file, off_t offset) {
    find_mmap();
    void *pages = next_mmap(place, count, protection, flags, file, offset);
    if (pages != MAP_FAILED && flags & MAP_ANONYMOUS) counts->allocated += (int64_t)count;
    return pages;
}
int munmap(void *pages, size_t count) {
    find_munmap();
    counts->allocated -= (int64_t)count;
    return next_munmap(pages, count);
}
