// SPDX-License-Identifier: MIT
// What the tool's end says to a shell. Does not know how it came to that.

import ObserveCore

/// The exit statuses of contract §7, and one of our own.
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
        case .refused: "the daemon said no; its message is on standard error"
        case .usage: "the command line is wrong"
        case .unavailable: "the daemon can't be reached, or has gone"
        case .inputOutput: "standard input can't be read, or standard output not written"
        case .timedOut: "timed out"
        }
    }
}

/// How the process ends.
enum Ending: Equatable {
    case status(ExitStatus)
    /// By that signal, which a shell sees as 128 + its number.
    case signal(Int32)

    static let brokenPipe = Ending.signal(CurrentProcess.brokenPipe)
}
