// SPDX-License-Identifier: MIT
// The start of the daemon; `run` does the rest.
//
// Top-level code belongs to the main actor, and so would closures in it. Closures in a function do not.

internal import Glibc
internal import ObserveCore

Platform.separateLargeBlocks()
StandardStreams.fillGaps()
let signals = DaemonSignals(endings: [SIGTERM, SIGINT], reload: SIGHUP, upgrade: SIGUSR2)
exit(run(CurrentProcess.arguments, on: signals))
