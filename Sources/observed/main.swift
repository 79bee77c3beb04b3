// SPDX-License-Identifier: MIT
// The daemon's first and last line. Everything between is in `run`.
//
// Code at the top level belongs to the main actor, so what it would hand to other queues had to be sendable to
// them and back; a function is free of that.

internal import Glibc

exit(run(CommandLine.arguments, endingOn: [SIGTERM, SIGINT], reloadingOn: SIGHUP))
