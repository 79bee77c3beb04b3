// SPDX-License-Identifier: MIT
// The exit statuses and endings of the tool. Independent of commands.

import ObserveCore

/// The exit statuses that docs/observectl.1 lists.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case refused = 1
    case usage = 2
    case unavailable = 69
    case inputOutput = 74
    case timedOut = 124

    var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "the daemon refused the request; its message is on standard error"
        case .usage: "the command line is wrong"
        case .unavailable: "the daemon can't be reached, or has gone"
        case .inputOutput: "standard input, standard output or a file can't be read or written"
        case .timedOut: "timed out"
        }
    }
}

enum Ending: Equatable {
    case status(ExitStatus)
    /// With the status of a command that ran as a child.
    case command(Int32)
    /// By that signal, which a shell shows as 128 + its number.
    case signal(Int32)

    static let brokenPipe = Ending.signal(CurrentProcess.brokenPipe)
}
