# SPDX-License-Identifier: MIT
# Completes command lines of observectl in fish. `observectl complete` knows the candidates.

function __observectl_complete
    set -l words (commandline -opc) (commandline -ct | string unescape)
    if test (count $words) -lt 2; or test -z (commandline -ct)
        set words (commandline -opc) ""
    end
    set -l lines ($words[1] complete fish -- $words[2..] 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (commandline -ct)
    else if set -q lines[2]
        printf '%s\n' $lines[2..]
    end
end

complete -c observectl -f -a '(__observectl_complete)'
