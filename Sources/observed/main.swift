// SPDX-License-Identifier: MIT
// The daemon's first and last line. Everything between is in `run`.
//
// Code at the top level belongs to the main actor, so closures made here would be tied to it; a function's are not.

internal import Glibc
internal import ObserveCore

StandardStreams.fillGaps()
exit(run(CurrentProcess.arguments, endingOn: [SIGTERM, SIGINT], reloadingOn: SIGHUP))
