// SPDX-License-Identifier: MIT
// Both programs in one file, which is half the size: the name that starts it is the program.

#include <string.h>

extern int observed_main(int, char **);
extern int observectl_main(int, char **);
extern int __nss_configure_lookup(const char *, const char *);

int main(int count, char **words) {
#ifdef STATIC
    // The C library would load modules that /etc/nsswitch.conf names, and those of another version may crash.
    __nss_configure_lookup("passwd", "files");
    __nss_configure_lookup("group", "files");
    __nss_configure_lookup("hosts", "files dns");
#endif
    const char *name = count > 0 ? words[0] : "";
    const char *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, "observectl") == 0 ? observectl_main(count, words)
                                                               : observed_main(count, words);
}
