// SPDX-License-Identifier: MIT
// Adds to a refusal what a conflict found, or the command that can do what was refused for its size.

import ObserveCore

/// The rest of a refusal's sentence, for a command line.
struct RefusalAdvice {
    private static let shownBytes = 200

    let arguments: ParsedArguments

    /// The error with the advice, if there is any.
    func adding(to error: CommandError) -> CommandError {
        guard case .client(.refused(let refusal)) = error, let advice = advice(for: refusal) else {
            return error
        }
        let message = "\(refusal.message)\(advice)"
        return .client(.refused(DaemonError(code: refusal.code, message: message, data: refusal.data)))
    }

    private func advice(for refusal: DaemonError) -> String? {
        switch refusal.code {
        case .conflict: found(by: refusal)
        case .limitExceeded where arguments.command == "get" && refusal.message.contains("maxRenderedBytes"):
            arguments.operands.count == 1
                ? "; 'observectl dump --json \(path)' prints it"
                : "; 'observectl dump --json PATH' prints one of any size"
        case .limitExceeded where refusal.message.contains("maxTreeBytes"):
            "; 'observectl status' shows how much is in use, and the daemon's configuration sets the limit"
        case .invalidRequest where arguments.command == "set":
            "; 'observectl load --json \(path) FILE' sets a value of any length"
        case .invalidRequest where ["merge", "insert", "transaction", "call"].contains(arguments.command):
            "; the daemon's configuration sets the limit (maxLineBytes)"
        default: nil
        }
    }

    private var path: String { (arguments.operands.first ?? "PATH").quotedForShell }

    /// The value and the revision that a conflict found.
    private func found(by refusal: DaemonError) -> String? {
        guard let data = refusal.data, let value = data.member("value"), let revision = data.int("revision")
        else {
            return nil
        }
        return "; found \(value.text.cut(atBytes: RefusalAdvice.shownBytes)) at revision \(revision)"
    }
}
