# SPDX-License-Identifier: MIT
# A shell prompt with the status of the last build, from any terminal. In ~/.bashrc or ~/.zshrc: . prompt.sh
# Without a daemon it is empty, and a prompt never waits longer than 50 ms.
build_status() {
    observectl --timeout 50ms get --exists --raw build.status 2>/dev/null | sed 's/.*/[&] /'
}
if [ -n "${ZSH_VERSION:-}" ]; then setopt PROMPT_SUBST; fi
PS1='$(build_status)'"${PS1:-$ }"
