// SPDX-License-Identifier: MIT
// Lets writes or syncs of a daemon's journal fail with EIO. Built by `failing-disk`, and preloaded.
//
// $OBSERVED_FAULT names a file. While it has the word "write" or "sync", that call fails on files named journal-….
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int descriptor, const char *call) {
    char word[16] = "", link[64], path[4096] = "";
    const char *place = getenv("OBSERVED_FAULT");
    int file = place ? open(place, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    ssize_t count = read(file, word, sizeof word - 1);
    close(file);
    if (count <= 0 || strncmp(word, call, strlen(call)) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (readlink(link, path, sizeof path - 1) < 0 || !strstr(path, "/journal")) return 0;
    errno = EIO;
    return 1;
}

int fdatasync(int descriptor) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    return fails(descriptor, "sync") ? -1 : real(descriptor);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    return fails(descriptor, "write") ? -1 : real(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}
