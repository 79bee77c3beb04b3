// SPDX-License-Identifier: MIT
// Adds to a refusal what a conflict found, or the command line that does what was refused.

import ObserveCore

/// The rest of a refusal's sentence, for a command line.
struct RefusalAdvice {
    private static let shownBytes = 200

    let arguments: ParsedArguments

    /// The error with the advice, if there is any.
    func adding(to error: CommandError) -> CommandError {
        guard case .client(.refused(let refusal)) = error else { return error }
        let message = message(of: refusal) + (advice(for: refusal) ?? "")
        return .client(.refused(DaemonError(code: refusal.code, message: message, data: refusal.data)))
    }

    /// The daemon's message for people: those who write params themselves alone know of params.
    private func message(of refusal: DaemonError) -> String {
        if ["call", "transaction"].contains(arguments.command) { return refusal.message }
        return refusal.message.replacing("the param ", with: "the ")
    }

    private func advice(for refusal: DaemonError) -> String? {
        let isRendered = refusal.message.contains("maxRenderedBytes")
        switch refusal.code {
        case .conflict: return found(by: refusal)
        case .methodNotFound: return "; 'observectl call rpc.discover' lists the methods"
        case .notFound where arguments.command == "unbind": return "; 'observectl bindings' lists them"
        case .invalidParams where refusal.message.hasSuffix("is not the first line of a dump"):
            return arguments.has("--json") ? nil : "; ordinary JSON is for 'observectl load --json PATH'"
        case .notFound, .typeMismatch: return waysToWrite(at: refusal)
        case .limitExceeded where arguments.command == "get" && isRendered:
            return arguments.operands.count == 1
                ? "; 'observectl dump --json \(path)' prints it"
                : "; 'observectl dump --json PATH' prints one of any size"
        case .limitExceeded where refusal.message.contains("maxTreeBytes"):
            return
                "; 'observectl status' shows how much is in use, and the daemon's configuration sets the limit"
        case .invalidRequest where arguments.command == "set":
            return "; 'observectl load --json \(path) FILE' sets a value of any length"
        case .invalidRequest
        where ["merge", "insert", "transaction", "call"].contains(arguments.command):
            return "; the daemon's configuration sets the limit (maxLineBytes)"
        default: return nil
        }
    }

    // MARK: Missing models

    /// The command line that makes what the write at a path lacks.
    private func waysToWrite(at refusal: DaemonError) -> String? {
        guard let typed = arguments.operands.first, let place = refusal.data?.string("path"),
            let names = GraphPaths.names(of: typed), let found = GraphPaths.names(of: place)
        else { return nil }
        let rest = names.dropFirst(found.count)
        if rest.isEmpty {
            if refusal.message.contains(" has no element "), arguments.command == "set" {
                let array = DottedKeyPath.text(of: names.dropLast())
                return "; to add one: observectl insert \(array.quotedForShell) VALUE"
            }
            let isMissingArray = arguments.command == "insert" && refusal.message.contains("is null")
            return isMissingArray
                ? "; first make the array: observectl set \(place.quotedForShell) '[]'" : nil
        }
        guard names.starts(with: found), refusal.message.hasSuffix("can't be written") else { return nil }
        if refusal.code == .typeMismatch {
            return "; to replace it by a model: observectl set \(place.quotedForShell) '\(model(rest))'"
        }
        guard arguments.command.map({ ["set", "hold", "publish"].contains($0) }) == true else {
            return "; first make it: observectl set \(place.quotedForShell) '\(model(rest.dropLast()))'"
        }
        let words = arguments.operands.prefix(2).map(\.quotedForShell).joined(separator: " ")
        let command = "observectl \(arguments.command ?? "set")"
        let parents = "; to make it too: \(command) --parents \(words)"
        return arguments.command == "publish"
            ? parents : "\(parents), or: \(command) \(place.quotedForShell) '\(model(rest))'"
    }

    /// A model with models in it, down to the value of the command line.
    private func model(_ names: ArraySlice<String>) -> String {
        let isSet = arguments.command == "set" || arguments.command == "hold"
        let value = isSet && arguments.operands.count > 1 ? arguments.operands[1] : ""
        let json = try? ValueArgument.read(Array(value.utf8), of: arguments)
        return names.reversed().reduce(value.isEmpty ? "{}" : json?.text ?? "…") { inner, name in
            "{\(RawJSON(.string(name)).text):\(inner)}"
        }.replacing("'", with: "'\\''")
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
