#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a build and shares its status with all terminals: build-status.sh make -j8. While it runs, build.status is "running";
# then it is "passed" or "failed". If the build is killed, the former result is back. Without a daemon, nothing is built.
# prompt.sh shows the status, and
# 'observectl wait build.status = passed' waits for it.
observectl hold --no-wait --parents build.status running -- "$@"
status=$?
case $status in
0) observectl set --parents build.status passed ;;
*) observectl set --parents build.status failed ;;
esac
exit $status
