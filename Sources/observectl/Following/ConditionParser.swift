// SPDX-License-Identifier: MIT
// The words of conditions: key paths with tests, and expressions. Independent of values at paths.

import ObserveCore

/// Reads `PATH OPERATOR VALUE`, `PATH exists`, `PATH gone`, and expressions, each of which is one word.
/// - Errors: usage errors that name the word at fault. A word that looks like an operator or a value is never a path:
///   a wait for it would have no end.
struct ConditionParser {
    /// The comparisons, also as words that no shell takes for a redirection.
    private static let comparisons: [String: Expression.Operation] = [
        "=": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
        "==": .equal, "eq": .equal, "ge": .greaterOrEqual, "gt": .greater, "le": .lessOrEqual, "lt": .less,
        "ne": .notEqual,
    ]

    /// Whether it is a comparison in letters.
    private static func isName(_ word: String) -> Bool {
        word.first?.isLetter == true && comparisons[word] != nil
    }

    /// All operators that take a value.
    static let operators = comparisons.keys.sorted() + ["~"]
    private static let known =
        "the operators are = != < <= > >= ~, eq ne lt le gt ge, and exists and gone without a VALUE"

    /// Operators of other programs, and what to write instead.
    private static let foreign: [String: String] = [
        "=>": ">=", "=<": "<=", "<>": "!=", "><": "!=", "=!": "!=", "=~": "~", "~=": "~", "~~": "~",
        "===": "=", "!==": "!=", ":=": "=", ":": "=", "≥": ">=", "≤": "<=", "≠": "!=", "is": "=",
        "equals": "=", "equal": "=", "isnt": "!=", "not": "!=", "matches": "~", "contains": "~", "like": "~",
        "exist": "exists", "-eq": "eq", "-ne": "ne", "-lt": "lt", "-le": "le", "-gt": "gt", "-ge": "ge",
    ]
    /// Words that are roots elsewhere: behind a path, they are meant as operators.
    private static let behindPaths: [String: String] = [
        "becomes": "=", "unset": "gone", "absent": "gone", "missing": "gone", "removed": "gone",
        "present": "exists", "starts": "~", "startswith": "~", "ends": "~", "endswith": "~", "has": "~",
        "includes": "~", "!exists": "gone", "!gone": "exists", "!eq": "ne", "!ne": "eq", "!is": "!=",
    ]
    /// Words between conditions, and the remark about each.
    private static let conjunctions: [String: String] = [
        "and": together, "&&": together, "&": together, ",": together, "or": alone, "||": alone, "|": alone,
    ]
    private static let together = "all conditions have to hold, and nothing is between them"
    private static let alone = "with --any, one of the conditions is enough, and nothing is between them"

    private let arguments: ParsedArguments
    private var rest: ArraySlice<String>

    static func parse(_ arguments: ParsedArguments) throws(CommandError) -> [Condition] {
        var parser = ConditionParser(arguments: arguments, rest: arguments.operands[...])
        var conditions: [Condition] = []
        while let word = parser.rest.popFirst() {
            // A whole condition in quotes, which is not an expression.
            let parts = word.split(separator: " ", maxSplits: 2).map(String.init)
            if parts.count > 1, parser.isWord(parts[1]) {
                parser.rest = parts[1...] + parser.rest
                conditions.append(try parser.condition(parts[0]))
            } else {
                conditions.append(try parser.condition(word))
            }
        }
        return conditions
    }

    /// Whether no expression has that operator.
    private func isWord(_ word: String) -> Bool {
        ConditionParser.isName(word) || ["~", "exists", "gone"].contains(word)
            || ConditionParser.foreign[word] != nil && word.contains(where: \.isLetter)
    }

    private mutating func condition(_ word: String) throws(CommandError) -> Condition {
        try refuseOther(word)
        let (path, pattern) = try split(word)
        if pattern.isEmpty {
            if let next = rest.first, let test = try test(next, word) { return test }
            return try expression(word)
        }
        rest = [pattern] + rest
        guard let test = try test(pattern, path) else { throw unknown(pattern) }
        return test
    }

    /// The test that the next word begins; nil if it begins another condition.
    private mutating func test(_ word: String, _ path: String) throws(CommandError) -> Condition? {
        if word == "exists" || word == "gone" {
            rest.removeFirst()
            let isNull: Condition.Test = .comparison(word == "gone" ? .equal : .notEqual, .null)
            return try condition(path, isNull, "\(path) \(word)")
        }
        // In one word, the value follows the operator.
        let symbols = ConditionParser.isName(word) ? word : String(word.prefix { "=!<>~".contains($0) })
        // A sign belongs to an expression.
        guard !symbols.isEmpty, symbols.contains(where: { $0 != "!" }) else {
            if ConditionParser.offer(for: word) != nil { throw unknown(word) }
            return nil
        }
        let comparison = ConditionParser.comparisons[symbols]
        guard comparison != nil || symbols == "~" else { throw unknown(symbols) }
        rest.removeFirst()
        let inline = String(word.dropFirst(symbols.count).drop { $0 == " " })
        guard let value = inline.isEmpty ? rest.popFirst() : inline
        else { throw arguments.usage("'\(path) \(symbols)' needs a VALUE") }
        let text = "\(path) \(symbols) \(value)"
        guard let comparison else { return try condition(path, .matches(try pattern(value)), text) }
        return try condition(path, .comparison(comparison, try self.value(value)), text)
    }

    private func condition(_ path: String, _ test: Condition.Test, _ text: String) throws(CommandError)
        -> Condition
    {
        _ = try arguments.valuePath(path)
        let fault = "is an expression, which has its operator and VALUE in the same word, as in 'a + b > 5'"
        try refuseOperator(in: path, "'\(path)' \(fault); in a name, a backslash precedes such a character")
        return Condition(paths: [path], test: test, text: text)
    }

    /// A path alone exists; another expression is true.
    private func expression(_ word: String) throws(CommandError) -> Condition {
        let syntax = ExpressionSyntax(maxDepth: PathArgument.maxDepth)
        let expression = try attempt(Expression(parsing: word, syntax)) { fault($0, in: word) }
        try arguments.refuseSlashes(in: expression, of: Array(word.unicodeScalars))
        try refuseText(in: expression, word)
        let paths = expression.paths.map(\.text).withoutRepeats
        if case .path(let path) = expression.single {
            return try condition(path, .comparison(.notEqual, .null), "\(path) exists")
        }
        if paths.isEmpty { throw arguments.usage("the condition '\(word)' has no PATH, so it never changes") }
        for path in paths { _ = try arguments.valuePath(path) }
        return Condition(paths: paths, test: .expression(expression), text: word)
    }

    /// The path before the first `~` outside of quotes that no backslash precedes, and the text from its operator on.
    private func split(_ word: String) throws(CommandError) -> (path: String, rest: String) {
        var quote: Character?
        var isEscaped = false
        /// Where the operators begin that lead up to the present character.
        var start: String.Index?
        for index in word.indices {
            let character = word[index]
            defer { isEscaped = character == "\\" && !isEscaped }
            if isEscaped { continue }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if quote == nil, "≥≤≠".contains(character) {
                // An expression would take it as a part of a name.
                throw unknown(String(character))
            } else if quote == nil, character == "~" {
                var path = String(word[..<(start ?? index)])
                while path.last == " " { path.removeLast() }
                let fault = "an expression has no '~': PATH '~' PATTERN is a condition of its own"
                try refuseOperator(in: path, fault)
                return (path, String(word[(start ?? index)...]))
            }
            start = quote == nil && "=!<>:".contains(character) ? start ?? index : nil
        }
        return (word, "")
    }

    // MARK: Refusals

    /// Throws if the word in place of a path is an operator, a word between conditions, or a value.
    private func refuseOther(_ word: String) throws(CommandError) {
        let symbols = String(word.prefix { "=!<>~".contains($0) })
        if symbols.contains(where: { $0 != "!" }) {
            throw arguments.usage("'\(symbols)' has no PATH before it")
        }
        if ConditionParser.isName(word) || word == "exists" || word == "gone" {
            throw arguments.usage("'\(word)' has no PATH before it\(root(word))")
        }
        if let remedy = ConditionParser.conjunctions[word.lowercased()] {
            throw arguments.usage("'\(word)' is not a PATH: \(remedy)\(root(word))")
        }
        let isName = word.contains { $0.isLetter || $0.isNumber || "*@._-\\".contains($0) || !$0.isASCII }
        if !isName || ConditionParser.foreign[word] != nil { throw unknown(word) }
        let isJSON = (try? RawJSON(validating: word.bytes, maxDepth: 100_000)) != nil
        if isJSON || ["{", "["].contains(word.first) {
            throw arguments.usage(
                "'\(word)' is a VALUE, and no operator is before it, as in PATH = \(word)\(root(word))"
            )
        }
    }

    /// Throws if the path before an operator is an expression.
    private func refuseOperator(in path: String, _ sentence: String) throws(CommandError) {
        let syntax = ExpressionSyntax(maxDepth: PathArgument.maxDepth)
        guard let expression = try? Expression(parsing: path, syntax) else { return }
        if case .path = expression.single { return }
        throw arguments.usage(sentence)
    }

    /// The error of an expression, with what to write instead of its operator if that is another program's.
    private func fault(_ error: ExpressionError, in word: String) -> CommandError {
        let scalars = Array(word.unicodeScalars)
        func isSymbol(_ index: Int) -> Bool {
            scalars.indices ~= index && "=!<>:".unicodeScalars.contains(scalars[index])
        }
        var (start, end) = (error.column - 1, error.column - 1)
        while isSymbol(start - 1) { start -= 1 }
        while isSymbol(end) { end += 1 }
        var symbols = String.UnicodeScalarView()
        symbols.append(contentsOf: scalars[start..<end])
        if ConditionParser.foreign[String(symbols)] != nil { return unknown(String(symbols)) }
        if end == scalars.count, ConditionParser.comparisons[String(symbols)] != nil {
            return arguments.usage("'\(word)' needs a VALUE")
        }
        let isCompared = scalars.prefix(error.column - 1).contains { "=<>".unicodeScalars.contains($0) }
        let advice = isCompared ? "; a VALUE in another form is a word of its own, as in PATH = VALUE" : ""
        return arguments.usage("the condition '\(word)': \(error.description)\(advice)")
    }

    /// Throws if a comparison for equality has a name on its right that may be meant as a text.
    private func refuseText(in expression: Expression, _ word: String) throws(CommandError) {
        for (step, operation) in expression.steps.enumerated() {
            guard let path = expression.comparedPath(at: step) else { continue }
            let isName = !path.contains { ".[\\".contains($0) }
            guard isName || !word.contains(" ") && !path.contains(where: { "[\\@".contains($0) })
            else { continue }
            let sign = operation == .apply(.equal) ? "=" : "!="
            let own = "a text is a word of its own, as in PATH \(sign) \(path)"
            let quoted = "or has quotes, as in PATH\(sign)'\(path)'; the path is written \\\(path)"
            throw arguments.usage("'\(path)' in '\(word)' may be a text or a path: \(own), \(quoted)")
        }
    }

    private func unknown(_ word: String) -> CommandError {
        let offer = ConditionParser.offer(for: word).map { "did you mean '\($0)'?" } ?? ConditionParser.known
        let isName = ConditionParser.foreign[word] == nil && word.first?.isLetter == true
        return arguments.usage("'\(word)' is not an operator of wait; \(offer)\(isName ? root(word) : "")")
    }

    /// What to write instead of a word behind a path that looks like an operator and is none; nil for others.
    private static func offer(for word: String) -> String? {
        if let offer = foreign[word] { return offer }
        let plain = word.lowercased()
        if let offer = foreign[plain] ?? behindPaths[plain] { return offer }
        if plain != word, isName(plain) || plain == "exists" || plain == "gone" { return plain }
        // As in `ge50`.
        let (name, value) = (String(plain.prefix(2)), plain.dropFirst(2))
        let isNumber = value.last?.isNumber == true && Double(value) != nil
        return isName(name) && isNumber ? "\(name) \(value)" : nil
    }

    /// The end of a sentence about a word that may be a root all the same.
    private func root(_ word: String) -> String {
        guard word.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return "; a root of that name is written \("\\\(word)".quotedForShell)"
    }

    // MARK: Values

    private func value(_ text: String) throws(CommandError) -> Value {
        let name = "the value '\(text.cut(atBytes: 80))'"
        let json = try ValueArgument.read(text.bytes, of: arguments, as: name, hint: false)
        return try attempt(json.value()) { (error: JSONError) in
            arguments.usage("\(name) can't be compared: \(error)")
        }
    }

    private func pattern(_ text: String) throws(CommandError) -> TextPattern {
        try attempt(TextPattern(text)) { (error: TextPatternError) in
            arguments.usage("the regular expression '\(text)': \(error.sentence)")
        }
    }
}
