# SPDX-License-Identifier: MIT
# Completes command lines of observed in fish.

complete -c observed -f
complete -c observed -l socket -r -F -d 'where to listen'
complete -c observed -l config -r -F -a none -d 'the models to begin with'
complete -c observed -l state -x -a 'none (__fish_complete_directories)' -d 'where models persist'
complete -c observed -l adapt -d 'drop or reset what does not fit changed types'
complete -c observed -l salvage -d 'keep the commits before the damage of a journal'
complete -c observed -l log-level -x -a 'error warning info debug' -d 'what to log'
complete -c observed -l check-config -r -F -d 'print the faults of a configuration'
complete -c observed -l check-state -d 'check the state, as a start would'
complete -c observed -l check-upgrade -d 'check a handover on standard input'
complete -c observed -l version -d 'print the version'
complete -c observed -l help -d 'print a summary of the options'
