// SPDX-License-Identifier: MIT
// Gives a process the same random bytes each time: those in SAME_RANDOM, a number. To be preloaded.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

// Swift's standard library gets its random numbers by this call.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_getrandom) {
        const char *text = getenv("SAME_RANDOM");
        unsigned long long bytes = (text ? strtoull(text, 0, 10) : 0) * 0x9E3779B97F4A7C15 + 0x7F4A7C15;
        unsigned char *place = (unsigned char *)arguments[0];
        for (long i = 0; i < arguments[1]; i++) place[i] = (unsigned char)(bytes >> (i % 8 * 8));
        return arguments[1];
    }
    static long (*next)(long, ...);
    if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
