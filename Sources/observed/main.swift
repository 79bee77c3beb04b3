// SPDX-License-Identifier: MIT
// The start of the daemon; `run` does the rest.
//
// Top-level code belongs to the main actor, and so would closures in it. Closures in a function do not.

internal import BuildCommit
internal import ObserveCore

Platform.separateLargeBlocks()
StandardStreams.fillGaps()
CurrentProcess.requireProc(of: "observed", elseExit: 1)
let line = versionLine(commit: unsafe String(cString: build_commit()))
CurrentProcess.exit(run(CurrentProcess.arguments, versionLine: line))
