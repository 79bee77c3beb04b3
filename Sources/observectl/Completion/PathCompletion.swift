// SPDX-License-Identifier: MIT
// Completes a key path with what the daemon describes. Independent of command lines and shells.

import ObserveCore

/// Asks a daemon for the properties at which a path may continue.
///
/// - Errors: none; without a daemon, or an answer in time, there are no candidates.
struct PathCompletion {
    private static let mostElements: Int64 = 100

    /// Asks `describe` for a path; nil without an answer.
    let describe: (String) -> RawJSON?

    func candidates(for typed: String) -> [Candidate] {
        let (parent, partial) = PathCompletion.split(typed)
        guard let answer = describe(parent) else { return [] }
        let prefix = parent.isEmpty ? "" : "\(parent)."
        var found: [Candidate] = []
        for property in answer.member("properties")?.elements ?? [] {
            guard let name = property.string("name") else { continue }
            let word = prefix + DottedKeyPath.text(of: [name])
            let kind = property.string("kind") ?? ""
            found.append(
                Candidate(
                    word: word,
                    description: PathCompletion.type(property),
                    continues: kind == "model" || kind == "array"
                )
            )
        }
        if answer.string("kind") == "array" { found += elements(of: answer, prefix) }
        if !parent.isEmpty, partial.hasPrefix("@") { found += operators(prefix) }
        return found.filter { $0.word.hasPrefix(typed) }
    }

    private func elements(of array: RawJSON, _ prefix: String) -> [Candidate] {
        let type = array.string("type") ?? ""
        let element = type.hasPrefix("[") && type.hasSuffix("]") ? String(type.dropFirst().dropLast()) : ""
        return (0..<min(array.int("count") ?? 0, PathCompletion.mostElements)).map {
            Candidate(word: "\(prefix)\($0)", description: element, continues: true)
        }
    }

    private func operators(_ prefix: String) -> [Candidate] {
        ["count", "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects"].map {
            Candidate(word: "\(prefix)@\($0)", description: "collection operator", continues: $0 != "count")
        }
    }

    /// The declared type, or else the kind of the present value.
    private static func type(_ property: RawJSON) -> String {
        let type = property.string("type") ?? "Any"
        let kind = property.string("kind") ?? ""
        let shown = type == "Any" ? kind : type
        return property.member("computed")?.text == "true" ? "\(shown), computed" : shown
    }

    /// The path before the last dot that no backslash precedes, and the text after that.
    private static func split(_ typed: String) -> (parent: String, partial: String) {
        var dot: String.Index?
        var isEscaped = false
        for index in typed.utf8.indices {
            let byte = typed.utf8[index]
            if byte == 0x2E, !isEscaped { dot = index }
            isEscaped = byte == 0x5C && !isEscaped
        }
        guard let dot else { return ("", typed) }
        return (String(typed[..<dot]), String(typed[typed.utf8.index(after: dot)...]))
    }
}
