# SPDX-License-Identifier: MIT
# Completes command lines of observectl in bash. `observectl complete` knows the candidates.

_observectl() {
    local typed=${COMP_LINE:0:COMP_POINT} cur="" head line
    local -a words=() found=()
    # COMP_WORDS is cut at characters like @ and =, which key paths have.
    read -ra words <<<"$typed"
    if [[ $typed == *[[:space:]] || ${#words[@]} -lt 2 ]]; then words+=(""); else cur=${words[-1]}; fi
    {
        read -r head
        while IFS= read -r line; do found+=("$line"); done
    } < <("${words[0]}" complete bash -- "${words[@]:1}" 2>/dev/null)
    case $head in
        :files) compopt -o default 2>/dev/null; COMPREPLY=(); return ;;
        :nospace) compopt -o nospace 2>/dev/null ;;
    esac
    # The shell replaces only the part after the last = or :, or from the last @ on.
    local part=${cur##*[=:]}
    if [[ $part == *@* ]]; then part=@${part##*@}; fi
    local kept=${cur%"$part"}
    COMPREPLY=()
    for line in "${found[@]}"; do
        printf -v line %q "$line"
        COMPREPLY+=("${line#"$kept"}")
    done
}

complete -F _observectl observectl
