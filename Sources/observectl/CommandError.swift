// SPDX-License-Identifier: MIT
// Why a command did not do what it was told, and how the process ends for it. Knows no command.

import ObserveCore

enum CommandError: Error, Equatable {
    /// The command line is wrong: one sentence, and whose help tells more.
    case usage(String, command: String?)
    case client(ClientError)
    case output(StandardStreams.WriteOutcome)
    case input(SocketError)
    /// What the command checks did not hold.
    case failed(String)

    var ending: Ending {
        switch self {
        case .usage: .status(.usage)
        case .client(.refused), .client(.goodbye("accessDenied")): .status(.refused)
        case .client(.timedOut), .output(.timedOut): .status(.timedOut)
        case .client(.abandoned), .output(.readerGone): .brokenPipe
        case .client: .status(.unavailable)
        case .output, .input: .status(.inputOutput)
        case .failed: .status(.refused)
        }
    }

    /// What to tell people; nil where silence is the custom.
    var sentence: String? {
        switch self {
        case .usage(let sentence, _), .failed(let sentence): sentence
        case .client(.abandoned), .output(.readerGone), .output(.done): nil
        case .client(let error): error.description
        case .output(.timedOut): ClientError.timedOut.description
        case .output(.failed(let code)): "standard output: \(SocketError.text(of: code))"
        case .input(let error): error.description
        }
    }

    /// Where to read more.
    var hint: String? {
        guard case .usage(_, let command) = self else { return nil }
        return "Try 'observectl \(command.map { "\($0) " } ?? "")--help' for more information."
    }
}
