// SPDX-License-Identifier: MIT
// Adds to a refusal what a conflict found, or the command line that does what was refused.

import ObserveCore

struct RefusalAdvice {
    private static let shownBytes = 200

    let arguments: ParsedArguments
    /// All words as they were typed, and the position of the command's name among them.
    var words: [String] = []
    var commandIndex = 0

    func adding(to error: CommandError) -> CommandError {
        guard case .client(.refused(let refusal)) = error else { return error }
        return .refused(refusal, saying: sentence(of: refusal))
    }

    func sentence(of refusal: DaemonError) -> String { message(of: refusal) + (advice(for: refusal) ?? "") }

    /// The daemon's message, with the command line's words for params: those who write params themselves know them.
    private func message(of refusal: DaemonError) -> String {
        let message = refusal.message
        if ["call", "transaction"].contains(arguments.command) { return message }
        for name in ["--at", "--since"] {
            guard let typed = arguments.options[name], message.hasPrefix("-"),
                let rest = message.firstRange(of: " ms are before ")
            else { continue }
            return "\(name) \(typed) is before \(message[rest.upperBound...])"
        }
        // The faulty place is in the data.
        if message.hasPrefix("column "), let path = refusal.data?.string("path") {
            return "the path '\(path)': \(message)"
        }
        return message.replacing(/the param ([A-Za-z]+)/) { param in
            let name = param.1
            return arguments.has("--\(name)") ? "--\(name)" : name == "by" ? "BY" : "the \(name)"
        }
    }

    private func advice(for refusal: DaemonError) -> String? {
        let isRendered = refusal.message.contains("maxRenderedBytes")
        switch refusal.code {
        case .conflict: return found(by: refusal)
        case .methodNotFound: return "; 'observectl call rpc.discover' lists the methods"
        case .notFound where arguments.command == "unbind": return "; 'observectl bindings' lists them"
        case .invalidParams where refusal.message.hasSuffix(" a dump"):
            return arguments.has("--json") ? nil : "; ordinary JSON is for 'observectl load --json PATH'"
        case .typeMismatch where refusal.message.hasSuffix(", found null"):
            guard let type = refusal.data?.string("declared") else { return nil }
            return ": it is never null; set another value, or declare \(type)?"
        case .notFound, .typeMismatch: return waysToWrite(at: refusal)
        case .limitExceeded where arguments.command == "get" && isRendered:
            if arguments.operands.count == 1 { return "; 'observectl dump --json \(path)' prints it" }
            return "; 'observectl dump --json PATH' prints one of any size"
        case .limitExceeded where refusal.message.contains("maxTreeBytes"):
            return
                "; 'observectl status' shows how much is in use, and the daemon's configuration sets the limit"
        case .invalidRequest where arguments.command == "set":
            return "; 'observectl load --json \(path) FILE' sets a value of any length"
        case .invalidRequest where ["merge", "insert", "transaction", "call"].contains(arguments.command):
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
            guard refusal.message.contains("is null, and elements") else { return nil }
            return "; first make the array: observectl set \(place.quotedForShell) '[]'"
        }
        guard names.starts(with: found), refusal.message.hasSuffix("can't be written") else { return nil }
        let value = model(writesValue ? rest : rest.dropLast())
        if refusal.code == .typeMismatch {
            return "; to replace it by a model: \(line(writesValue ? arguments.command : nil, place, value))"
        }
        let array = DottedKeyPath.text(of: found.dropLast())
        let isElement = found.count > 1 && found.last.map { $0.allSatisfy(\.isNumber) } == true
        // Elements have no lifetime.
        let mayBeElement = isElement && arguments.command != "hold" && !arguments.has("--lifetime")
        let other = mayBeElement ? "if \(array) is an array: \(line("insert", array, value))" : nil
        let end = other.map { ", or, \($0)" } ?? ""
        guard writesValue || arguments.command == "publish"
        else { return "; first make it: \(line(nil, place, value))\(end)" }
        // It made no element.
        if arguments.has("--parents") { return other.map { "; \($0)" } }
        var all = words.map(\.quotedForShell)
        all.insert("--parents", at: commandIndex + 1)
        return "; to make it too: observectl \(all.joined(separator: " "))\(end)"
    }

    private var writesValue: Bool { ["set", "hold"].contains(arguments.command) }

    /// A command line that writes JSON, by this command with its options, or by `set` alone.
    private func line(_ command: String?, _ place: String, _ json: String) -> String {
        let kept = command == nil ? ["--socket"] : ["--socket", "--lifetime", "--ready", "--dry-run"]
        let options = kept.flatMap { name in
            arguments.options[name].map { $0.isEmpty ? [name] : [name, $0.quotedForShell] } ?? []
        }
        let rest = command == "hold" ? arguments.operands.dropFirst(2).map(\.quotedForShell) : []
        let words = ["observectl", command ?? "set"] + options + [place.quotedForShell, "'\(json)'"] + rest
        return words.joined(separator: " ")
    }

    /// A model with models in it, down to the value of the command line.
    private func model(_ names: ArraySlice<String>) -> String {
        var leaf = "{}"
        if writesValue, arguments.operands.count > 1 {
            let text = arguments.operands[1].bytes
            let json =
                try? arguments.has("--string")
                ? ValueArgument.string(text, of: arguments) : ValueArgument.read(text, of: arguments)
            leaf = arguments.isInput(1) ? "…" : json?.text ?? "…"
        }
        return names.reversed().reduce(leaf) { inner, name in
            "{\(RawJSON(.string(name)).text):\(inner)}"
        }.replacing("'", with: "'\\''")
    }

    private var path: String { (arguments.operands.first ?? "PATH").quotedForShell }

    private func found(by refusal: DaemonError) -> String? {
        guard let data = refusal.data, let value = data.member("value"), let revision = data.int("revision")
        else { return nil }
        return "; found \(value.text.cut(atBytes: RefusalAdvice.shownBytes)) at revision \(revision)"
    }
}
