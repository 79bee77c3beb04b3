// SPDX-License-Identifier: MIT
// The C library, and the calls and macros that Swift can't use of it. Headers and inline helpers only: nothing is compiled.
// SwiftPM does not notice edits of this file: touch a Swift file of this layer after one.
#pragma once
// The library's own module has each declaration once. What it lacks is in headers.
#if __has_include(<gnu/libc-version.h>)
#pragma clang module import SwiftGlibc
#else
#pragma clang module import SwiftMusl
#endif
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

// No _GNU_SOURCE: with it, fd_set and others would differ from what Swift's Glibc module saw. So declarations that need it
// are repeated here.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int[2], int);
extern int memfd_create(const char *, unsigned);
extern int fallocate64(int, int, int64_t, int64_t);
extern char **environ;

// Swift calls no function with any number of arguments, and has no macros like `errno` and `SIG_IGN`.

static inline int linux_errno(void) { return errno; }
static inline int linux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int linux_fcntl(int descriptor, int command, int value) { return fcntl(descriptor, command, value); }
static inline void linux_signal_ignore(int number) { signal(number, SIG_IGN); }
static inline void linux_signal_default(int number) { signal(number, SIG_DFL); }
static inline char **linux_environment(void) { return environ; }

// The next name of a folder; null with errno 0 at its end.
static inline const char *linux_next_name(DIR *folder) {
    errno = 0;
    struct dirent *entry = readdir(folder);
    return entry ? entry->d_name : NULL;
}

// Pages that are zero; null if there are none.
static inline void *linux_map(size_t count) {
    void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

// struct epoll_event is packed on x86-64 only, so only C accesses its layout.

static inline size_t linux_epoll_event_size(void) { return sizeof(struct epoll_event); }

static inline int linux_epoll_ctl(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.u64 = token;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline int linux_epoll_wait(int epoll, void *events, int capacity, int milliseconds) {
    return epoll_wait(epoll, (struct epoll_event *)events, capacity, milliseconds);
}

static inline uint64_t linux_epoll_token(const void *events, size_t index) {
    return ((const struct epoll_event *)events)[index].data.u64;
}

static inline uint32_t linux_epoll_flags(const void *events, size_t index) {
    return ((const struct epoll_event *)events)[index].events;
}

// Unix socket addresses. Refuses a path that does not fit with its final zero; never truncates it.

static inline size_t linux_unix_path_limit(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

static inline int linux_unix_address(struct sockaddr_un *address, const char *path) {
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length > linux_unix_path_limit()) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address->sun_path, path, length + 1);
    return 0;
}

static inline int linux_unix_bind(int descriptor, const char *path) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, path) < 0) return -1;
    return bind(descriptor, (struct sockaddr *)&address, sizeof address);
}

static inline int linux_unix_connect(int descriptor, const char *path) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, path) < 0) return -1;
    return connect(descriptor, (struct sockaddr *)&address, sizeof address);
}

// Sends a datagram to a path, or to an abstract name after "@".
static inline ssize_t linux_unix_send(
    int descriptor, const char *name, size_t length, const char *text, size_t count, int now) {
    struct sockaddr_un address;
    if (linux_unix_address(&address, name) < 0) return -1;
    socklen_t size = sizeof address;
    if (name[0] == '@') {
        // The kernel counts every byte of an abstract name, which has no zero at its end.
        address.sun_path[0] = 0;
        size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    }
    int flags = MSG_NOSIGNAL | (now ? MSG_DONTWAIT : 0);
    return sendto(descriptor, text, count, flags, (struct sockaddr *)&address, size);
}

// The path of a socket, with its final zero; -1 with errno EINVAL if the socket is abstract or has no address.
static inline int linux_unix_path(int descriptor, char *out, size_t capacity) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) < 0) return -1;
    size_t length = strnlen(address.sun_path, sizeof address.sun_path);
    if (address.sun_family != AF_UNIX || length == 0 || length >= capacity) {
        errno = EINVAL;
        return -1;
    }
    memcpy(out, address.sun_path, length);
    out[length] = 0;
    return 0;
}

// An option of a socket; -1 if the descriptor is not a socket.
static inline int linux_socket_option(int descriptor, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) < 0 ? -1 : value;
}

static inline int linux_is_listening_unix_stream(int descriptor) {
    return linux_socket_option(descriptor, SO_DOMAIN) == AF_UNIX &&
        linux_socket_option(descriptor, SO_TYPE) == SOCK_STREAM &&
        linux_socket_option(descriptor, SO_ACCEPTCONN) == 1;
}

// The peer's pid, uid and gid at the time of the connect (struct ucred needs _GNU_SOURCE).
static inline int linux_peer_credentials(int descriptor, int32_t out[3]) {
    socklen_t size = 3 * sizeof(int32_t);
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, out, &size);
}

// The number of the peer's groups; -1 with errno ERANGE if there are more than `capacity`.
static inline int linux_peer_groups(int descriptor, uint32_t *out, size_t capacity) {
    socklen_t size = (socklen_t)(capacity * sizeof(uint32_t));
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, out, &size) < 0) return -1;
    return (int)(size / sizeof(uint32_t));
}

// Arms at an absolute CLOCK_MONOTONIC time; zero disarms.
static inline int linux_timer_set(int descriptor, uint64_t nanoseconds) {
    struct itimerspec setting;
    memset(&setting, 0, sizeof setting);
    setting.it_value.tv_sec = (time_t)(nanoseconds / 1000000000u);
    setting.it_value.tv_nsec = (long)(nanoseconds % 1000000000u);
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &setting, NULL);
}

// Removes a folder and its contents. Removes links without following them.
struct FTW;
extern int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int);

static inline int linux_remove_entry(
    const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

static inline int linux_remove_tree(const char *path) {
    return nftw(path, linux_remove_entry, 16, 8 /* FTW_DEPTH */ | 1 /* FTW_PHYS */);
}

// A signal increments an event counter, which is safe in a signal handler. A slot holds the counter's descriptor plus one;
// zero means none. Invalid signal numbers have no slot.

static inline int *linux_signal_slot(int number) {
    static int slots[64];
    return number >= 1 && number <= 64 ? &slots[number - 1] : NULL;
}

static inline void linux_signal_handler(int number) {
    int saved = errno;
    int *slot = linux_signal_slot(number);
    int raised = slot ? __atomic_load_n(slot, __ATOMIC_ACQUIRE) : 0;
    uint64_t one = 1;
    if (raised > 0 && write(raised - 1, &one, sizeof one) < 0) { /* the counter is full, and readable */ }
    errno = saved;
}

static inline int linux_signal_catch(int number, int counter) {
    int *slot = linux_signal_slot(number);
    if (!slot) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = linux_signal_handler;
    action.sa_flags = SA_RESTART;
    __atomic_store_n(slot, counter + 1, __ATOMIC_RELEASE);
    if (sigaction(number, &action, NULL) < 0) return -1;
    // The process may have inherited a mask that blocks it.
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, number);
    errno = pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
    return errno ? -1 : 0;
}

static inline void linux_signal_release(int number) {
    int *slot = linux_signal_slot(number);
    if (!slot) return;
    signal(number, SIG_DFL);
    __atomic_store_n(slot, 0, __ATOMIC_RELEASE);
}

// Programs: the file of this process, a child on three descriptors, and the replacement of this process.

// A child that the kernel kills when the calling thread ends, however it ends (PR_SET_PDEATHSIG). `streams` replace its standard
// streams, except negative ones. `program` is searched in $PATH unless the child is `alone`: then it leads a group of processes.
// No signal is ignored or blocked in the child. If the program can't be executed, the child writes the errno to `report`, which
// closes otherwise.
extern int prctl(int, ...);
extern int execvpe(const char *, char *const *, char *const *);

static inline pid_t linux_start(
    const char *program, char *const *arguments, char *const *variables, const int streams[3], int alone, int report) {
    pid_t parent = getpid();
    sigset_t all, none, former;
    sigfillset(&all);
    sigemptyset(&none);
    // Until it is another program, the child has the memory of this one: no handler may run in it.
    pthread_sigmask(SIG_BLOCK, &all, &former);
    pid_t child = vfork();
    if (child == 0) {
        prctl(1 /* PR_SET_PDEATHSIG */, SIGKILL);
        if (getppid() != parent) _exit(127);
        if (alone) setpgid(0, 0);
        for (int number = 1; number <= 64; number++) signal(number, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        int isReady = 1;
        for (int stream = 0; stream < 3; stream++) {
            if (streams[stream] >= 0 && dup2(streams[stream], stream) < 0) isReady = 0;
        }
        if (isReady && alone) execve(program, arguments, variables);
        if (isReady && !alone) execvpe(program, arguments, variables);
        int code = errno;
        if (write(report, &code, sizeof code) < 0) { /* the parent has gone */ }
        _exit(127);
    }
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    errno = code;
    return child;
}

// A descriptor that becomes readable when the child has ended.
extern long syscall(long, ...);

static inline int linux_child_descriptor(pid_t child) { return (int)syscall(434 /* SYS_pidfd_open */, child, 0); }

// Signals that arrive from now on wait for the next program of this process, which unblocks what it catches.
static inline void linux_signals_block(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

// Replaces this process by the program at `path`, or else by its own program again. The descriptors become 3, 4, …; the others
// close if they are marked so. Returns only if both fail.
static inline int linux_replace(
    const char *path, char *const *arguments, int *descriptors, int count) {
    for (int index = 0; index < count; index++) {
        // First out of the way of each other. The limit of descriptors may be low.
        int copy = fcntl(descriptors[index], F_DUPFD_CLOEXEC, 3 + count);
        if (copy < 0) return -1;
        descriptors[index] = copy;
    }
    for (int index = 0; index < count; index++) {
        if (dup2(descriptors[index], 3 + index) < 0) return -1;
    }
    execve(path, arguments, environ);
    int code = errno;
    execve("/proc/self/exe", arguments, environ);
    errno = code;
    return -1;
}

// The columns of a terminal, and its rows times 65,536; 0 if the descriptor is not one, or its size is unknown.
static inline uint32_t linux_terminal_size(int descriptor) {
    unsigned short size[4] = {0};
    return ioctl(descriptor, TIOCGWINSZ, size) < 0 ? 0 : size[1] | (uint32_t)size[0] << 16;
}

// A terminal that a program draws on: its former modes return when the program ends by any signal that can be caught.
// These are the modes as the kernel has them; <termios.h> has more.

struct linux_modes {
    uint32_t input, output, control, local;
    unsigned char line, characters[19];
};

struct linux_drawn {
    int descriptor; // -1 while the modes are the former ones
    struct linux_modes former;
    char farewell[64];
    size_t count;
    struct sigaction actions[65];
};

static inline struct linux_drawn *linux_drawn(void) {
    static struct linux_drawn drawn = {.descriptor = -1};
    return &drawn;
}

static inline void linux_terminal_restore(void) {
    struct linux_drawn *drawn = linux_drawn();
    int descriptor = __atomic_exchange_n(&drawn->descriptor, -1, __ATOMIC_ACQ_REL);
    if (descriptor < 0) return;
    if (write(descriptor, drawn->farewell, drawn->count) < 0) { /* the terminal has gone */ }
    ioctl(descriptor, TCSETSW, &drawn->former);
}

static inline void linux_terminal_handler(int number) {
    int saved = errno;
    linux_terminal_restore();
    // The former action ends the process, once this function has returned.
    sigaction(number, &linux_drawn()->actions[number], NULL);
    raise(number);
    errno = saved;
}

// Signals that end a process. Those that are ignored stay so.
static inline int linux_ends_process(int number) {
    switch (number) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT: case SIGCHLD: case SIGURG:
    case SIGWINCH: return 0;
    default: return number < 32 || number >= 34;
    }
}

// Passes on each key at once, and shows none. `farewell` is what the terminal gets at the end.
static inline int linux_terminal_draw(int descriptor, const char *farewell, size_t count) {
    struct linux_drawn *drawn = linux_drawn();
    if (count > sizeof drawn->farewell || ioctl(descriptor, TCGETS, &drawn->former) < 0) return -1;
    memcpy(drawn->farewell, farewell, count);
    drawn->count = count;
    struct linux_modes raw = drawn->former;
    raw.input &= ~(uint32_t)02753; // IGNBRK BRKINT PARMRK ISTRIP INLCR IGNCR ICRNL IXON
    raw.output &= ~(uint32_t)01; // OPOST
    raw.control = (raw.control & ~(uint32_t)0460) | 060; // CSIZE PARENB, CS8
    raw.local &= ~(uint32_t)0100113; // ISIG ICANON ECHO ECHONL IEXTEN
    raw.characters[6] = 1; // VMIN
    raw.characters[5] = 0; // VTIME
    if (ioctl(descriptor, TCSETSW, &raw) < 0) return -1;
    __atomic_store_n(&drawn->descriptor, descriptor, __ATOMIC_RELEASE);
    for (int number = 1; number < 65; number++) {
        if (!linux_ends_process(number) || sigaction(number, NULL, &drawn->actions[number]) < 0) continue;
        if (drawn->actions[number].sa_handler == SIG_IGN || drawn->actions[number].sa_handler == linux_terminal_handler)
            continue;
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = linux_terminal_handler;
        sigaction(number, &action, NULL);
    }
    return 0;
}

static inline void linux_terminal_end(void) {
    linux_terminal_restore();
    for (int number = 1; number < 65; number++) {
        struct sigaction now;
        if (linux_ends_process(number) && sigaction(number, NULL, &now) == 0 && now.sa_handler == linux_terminal_handler)
            sigaction(number, &linux_drawn()->actions[number], NULL);
    }
}

// CRC-32C by a processor instruction: eight bytes in the time of one multiplication.

#if defined(__x86_64__)
#include <cpuid.h>

static inline int linux_has_crc32c(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2) != 0;
}

__attribute__((target("sse4.2"))) static inline uint32_t linux_crc32c(const void *bytes, size_t count, uint32_t before) {
    const unsigned char *next = (const unsigned char *)bytes;
    uint64_t sum = (uint32_t)~before;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        sum = __builtin_ia32_crc32di(sum, word);
    }
    uint32_t rest = (uint32_t)sum;
    for (; count > 0; count--, next++) rest = __builtin_ia32_crc32qi(rest, *next);
    return ~rest;
}
#else
static inline int linux_has_crc32c(void) { return 0; }
static inline uint32_t linux_crc32c(const void *bytes, size_t count, uint32_t before) {
    (void)bytes;
    (void)count;
    (void)before;
    return 0;
}
#endif
