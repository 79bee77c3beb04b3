# SPDX-License-Identifier: MIT
# Completes command lines of observectl in bash. `observectl complete` knows the candidates.

# Splits a command line into $words without quotes. $open is the quote that the last word has not closed.
_observectl_split() {
    local line=$1 word="" char has="" i
    for ((i = 0; i < ${#line}; i++)); do
        char=${line:i:1}
        # In double quotes, a backslash escapes a few characters alone.
        if [[ $char == "\\" && $open != "'" && ( -z $open || ${line:i+1:1} == [\$\`\"\\] ) ]]; then
            ((i += 1))
            has=1 word+=${line:i:1}
        elif [[ -n $open ]]; then
            if [[ $char == "$open" ]]; then open=""; else word+=$char; fi
        elif [[ $char == [\'\"] ]]; then
            has=1 open=$char
        elif [[ $char == [[:space:]] ]]; then
            if [[ -n $has ]]; then words+=("$word"); fi
            has="" word=""
        else
            has=1 word+=$char
        fi
    done
    words+=("$word")
}

_observectl() {
    local open="" cur head line
    local -a words=() found=()
    # COMP_WORDS is cut at characters like @ and =, which key paths have.
    _observectl_split "${COMP_LINE:0:COMP_POINT}"
    cur=${words[-1]}
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
    # In quotes, the shell replaces the whole word, and quotes it.
    if [[ -n $open ]]; then
        COMPREPLY=("${found[@]}")
        return
    fi
    if [[ -n $kept ]]; then printf -v kept %q "$kept"; fi
    for line in "${found[@]}"; do
        printf -v line %q "$line"
        COMPREPLY+=("${line#"$kept"}")
    done
}

complete -F _observectl observectl
