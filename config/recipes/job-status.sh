#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a long job or an agent, and lists it as jobs.PID while it runs: job-status.sh NAME COMMAND…. Its lines of output are its
# status. The entry is gone however the job ends, with kill -9 too. 'observectl watch jobs.**' shows all jobs.
set -e
name=$1
shift
observectl call merge '{"path": "jobs", "value": {}}' > /dev/null
"$@" 2>&1 | jq --unbuffered -Rc --arg name "$name" '{name: $name, status: .}' | observectl publish "jobs.$$"
