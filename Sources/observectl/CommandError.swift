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
        case .client(.refused): .status(.refused)
        case .client(.timedOut), .output(.timedOut): .status(.timedOut)
        case .client(.abandoned), .output(.readerGone): .brokenPipe
        case .client: .status(.unavailable)
        case .output, .input: .status(.inputOutput)
        case .failed: .status(.refused)
        }
    }

    /// What to tell people, line by line; nothing where silence is the custom.
    var lines: [String] {
        switch self {
        case .usage(let sentence, let command):
            [sentence, "Try 'observectl \(command.map { "\($0) " } ?? "")--help' for more information."]
        case .client(.abandoned), .output(.readerGone), .output(.done): []
        case .client(let error): [error.description]
        case .output(.timedOut): [ClientError.timedOut.description]
        case .output(.failed(let code)): ["standard output: \(SocketError.text(of: code))"]
        case .input(let error): [error.description]
        case .failed(let sentence): [sentence]
        }
    }
}
