# SPDX-License-Identifier: MIT
# A shell prompt with the status of the last build, from any terminal. In ~/.bashrc or ~/.zshrc: . prompt.sh
# Without a daemon it is empty, and a prompt never waits longer than 50 ms. A terminal executes control characters, and zsh
# expands '%' in its prompt: the format keeps a status from doing so.
if [ -n "${ZSH_VERSION:-}" ]; then
    setopt PROMPT_SUBST
    build_status_format=zsh
else
    build_status_format=plain
fi
build_status() {
    observectl --timeout 50ms get --exists --format "[{:$build_status_format}] " build.status 2>/dev/null || :
}
PS1='$(build_status)'"${PS1:-$ }"
