// SPDX-License-Identifier: MIT
// Reads the key paths of a command line before anything is connected. Independent of commands.

import ObserveCore

enum PathArgument {
    /// More components than any daemon accepts, so that the daemon refuses deeper paths with its own message.
    static let maxDepth = 100_000

    private static let operators =
        CollectionOperator.allCases.map(\.rawValue) + Choice.allCases.map(\.rawValue)

    fileprivate static func sentence(_ error: KeyPathError, _ text: String) -> String {
        switch error.reason {
        case .emptyPath: "the path is empty; 'observectl ls' lists the roots"
        case .emptyComponent where text.allSatisfy({ "./".contains($0) }):
            "'\(text)' is not a key path; 'observectl ls' lists the roots"
        case .emptyComponent where text.hasSuffix(".") && !text.hasSuffix(".."):
            "the path '\(text)' ends in a dot, and nothing follows it; '\(text.dropLast())' is the path before it"
        case .emptyComponent where text.hasPrefix("."):
            "the path '\(text)' begins with a dot; a path begins with the name of a root, as in '\(fromRoot(text))'"
        case .emptyComponent(let number):
            "the path '\(text)' has two dots with nothing between them, so component \(number) is empty"
        case .unknownOperator(let name):
            "the path '\(text)': \(name) is not a collection operator: known are "
                + "\(operators.joined(separator: ", ")); a name that begins with @ is written \\\(name)"
        default: "the path '\(text)': \(error.description)"
        }
    }

    /// The path without the dots and slashes at its beginning, as in `../home/mode`.
    private static func fromRoot(_ text: String) -> String {
        let rest = String(text.drop { "./".contains($0) })
        return ForeignNotation(in: rest)?.meant ?? rest
    }
}

extension ParsedArguments {
    /// - Throws: a usage error for text that is not a path, and for a path in another program's notation.
    func components(of text: String) throws(CommandError) -> [DottedKeyPath.Component] {
        // An address may have a password, so it is not repeated.
        if text.contains("://") {
            let option = command == "bridge" ? ", which --nats takes" : ""
            throw usage("a PATH is a key path, not the address of a server\(option)")
        }
        try refuse(ForeignNotation(in: text), of: text)
        let maxDepth = PathArgument.maxDepth
        return try attempt(DottedKeyPath.components(of: text, maxDepth: maxDepth)) { (error: KeyPathError) in
            usage(PathArgument.sentence(error, text))
        }
    }

    /// The same for the path of one value, which is not a pattern.
    func valuePath(_ text: String) throws(CommandError) -> [DottedKeyPath.Component] {
        let components = try components(of: text)
        guard !components.contains(where: \.isWildcard) else {
            throw usage(
                "'\(text)' is a pattern, and \(command ?? "it") takes key paths without * and **; a name that is a star is written \\*"
            )
        }
        return components
    }

    /// The names along a path, which has no wildcard, condition, choice or operator.
    func names(of text: String) throws(CommandError) -> [String] {
        var names: [String] = []
        for component in try valuePath(text) {
            guard case .name(let name) = component else {
                throw usage(
                    "the path '\(text)' has \(component.kind), and \(command ?? "it") takes the path of one value"
                )
            }
            names.append(name)
        }
        return names
    }

    /// Throws if a path is in another program's notation.
    func refuse(_ notation: ForeignNotation?, of text: String) throws(CommandError) {
        guard let notation else { return }
        let meant = notation.meant.map { "; did you mean '\($0)'?" } ?? "; 'observectl ls' lists the roots."
        throw usage(
            "the path '\(text)': \(notation.sentence)\(meant) A name with it is written '\(notation.escaped)'"
        )
    }

    /// Throws if a slash alone separates a root from the next path, as in `home/mode`: it may be meant as a path.
    /// - Parameter text: which the columns of the expression count in.
    func refuseSlashes(in expression: Expression, of text: [Unicode.Scalar]) throws(CommandError) {
        let paths = expression.paths
        for (left, right) in zip(paths, paths.dropFirst()) {
            let slash = left.column - 1 + left.text.unicodeScalars.count
            guard text.indices.contains(slash), text[slash] == "/", right.column == slash + 2,
                !left.text.contains(".") || !right.text.contains(".")
            else { continue }
            let path = "names are separated by dots, as in \(left.text).\(right.text)"
            let division = "a division has spaces, as in \(left.text) / \(right.text)"
            let word = "'\(left.text)/\(right.text)'"
            throw usage("\(word) may be a path or a division: \(path), and \(division)")
        }
    }

    /// Throws if a name alone stands where a text is usual, as in `{title ?? none}`: no value is at such a path.
    func refuseWords(in expression: Expression) throws(CommandError) {
        for (step, operation) in expression.steps.enumerated() {
            let paths: [String?]
            switch operation {
            case .apply(.fallback): paths = [expression.path(at: step - 1)]
            // If the last branch is an operand, the step before it ends the first one.
            case .apply(.choose) where expression.operand(at: step - 1) != nil:
                paths = [expression.path(at: step - 2), expression.path(at: step - 1)]
            default: paths = [expression.comparedPath(at: step)]
            }
            let word = paths.compactMap(\.self).first { !$0.contains { ".[*\\".contains($0) } }
            guard let word else { continue }
            throw usage(
                "'\(word)' may be a text or a path: a text has quotes, as in '\(word)'; the path is written \\\(word)"
            )
        }
    }
}

extension DottedKeyPath.Component {
    fileprivate var kind: String {
        if case .collectionOperator = self { "a collection operator" } else { "a condition or a choice" }
    }
}

extension Expression {
    /// The operand that a step pushes; nil for an operation.
    fileprivate func operand(at step: Int) -> Operand? {
        if case .operand(let index) = steps[step] { operands[index] } else { nil }
    }

    /// The key path that a step pushes; nil for another operand, and for an operation.
    fileprivate func path(at step: Int) -> String? {
        if case .path(let path) = operand(at: step) { path } else { nil }
    }

    /// The key path on the right of a comparison for equality, unless a literal is on its left; nil at other steps.
    func comparedPath(at step: Int) -> String? {
        guard [.apply(.equal), .apply(.notEqual)].contains(steps[step]) else { return nil }
        if case .literal = operand(at: step - 2) { return nil }
        return path(at: step - 1)
    }
}
