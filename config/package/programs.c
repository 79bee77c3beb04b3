// SPDX-License-Identifier: MIT
// Both programs in one file, which is half the size: the name that starts it is the program.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern int observed_main(int, char **);
extern int observectl_main(int, char **);
extern int __nss_configure_lookup(const char *, const char *);

static int is_tool(int count, char **words) {
    const char *name = count > 0 ? words[0] : "";
    const char *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, "observectl") == 0;
}

#ifdef STATIC
// Swift's runtime would abort before `main`, so this comes before the runtime. The sentence and the status are those of
// `CurrentProcess.requireProc`.
__attribute__((constructor(101))) static void require_proc(int count, char **words) {
    if (access("/proc/self/cmdline", R_OK) == 0) return;
    const char *program = is_tool(count, words) ? "observectl" : "observed";
    dprintf(2, "%s: /proc is not mounted, and %s needs it\n", program, program);
    _exit(is_tool(count, words) ? 74 : 1);
}
#endif

int main(int count, char **words) {
#ifdef STATIC
    // The C library would load modules that /etc/nsswitch.conf names, and those of another version may crash.
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
    __nss_configure_lookup("hosts", "files dns");
#endif
    return is_tool(count, words) ? observectl_main(count, words) : observed_main(count, words);
}
