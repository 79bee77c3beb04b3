#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a command without disturbance: do-not-disturb.sh zoom. However the command ends, the former state is back, also if
# several commands hold it at once. Without a command it lasts until Ctrl-C. A notification daemon follows it with
#   observectl exec --initial desktop.dnd -- sh -c 'test "$OBSERVED_VALUE" = true && makoctl mode -a dnd || makoctl mode -r dnd'
if [ $# -eq 0 ]; then exec observectl hold --parents desktop.dnd true; fi
exec observectl hold --parents desktop.dnd true -- "$@"
