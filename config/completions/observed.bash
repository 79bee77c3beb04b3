# SPDX-License-Identifier: MIT
# Completes command lines of observed in bash.

_observed() {
    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    # The shell cuts --option=VALUE at the =.
    if [[ $cur == = ]]; then cur=""; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    case $before in
        --socket | --check-config) compopt -o default; COMPREPLY=() ;;
        --config) compopt -o filenames; COMPREPLY=($(compgen -W none -- "$cur") $(compgen -f -- "$cur")) ;;
        --state) compopt -o filenames; COMPREPLY=($(compgen -W none -- "$cur") $(compgen -d -- "$cur")) ;;
        --log-level) COMPREPLY=($(compgen -W "error warning info debug" -- "$cur")) ;;
        *)
            COMPREPLY=($(compgen -W "--socket --config --state --adapt --salvage --log-level --check-config
                --check-state --check-upgrade --version --help" -- "$cur"))
            ;;
    esac
}

complete -F _observed observed
