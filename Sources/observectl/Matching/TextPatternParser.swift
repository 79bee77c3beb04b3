// SPDX-License-Identifier: MIT
// Parses regular expressions to instructions. Independent of searches.

/// A fault in a regular expression, as a clause about it.
struct TextPatternError: Error, Equatable {
    let sentence: String

    init(_ fault: String, at column: Int) { sentence = "\(fault) (column \(column))" }
    private init(_ sentence: String) { self.sentence = sentence }

    static let tooLarge = TextPatternError(
        "it is too large: repetitions of repetitions count as many times as they may repeat"
    )
}

/// Reads the syntax of most tools: `.` `[a-z]` `(a|b)` `* + ? {2,5}` `^ $ \b` `\d \w \s` `\p{Lu}` `(?i)`.
struct TextPatternParser {
    private static let deepest = 100
    private static let mostRepetitions = 1000
    private static let mostInstructions = 2000

    /// Instructions whose jumps lead to each other and to the one behind them.
    private typealias Fragment = [TextPattern.Instruction]

    private struct Flags {
        var ignoresCase = false
        var matchesNewlines = false
        var hasLines = false
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private var flags = Flags()

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() throws(TextPatternError) -> [TextPattern.Instruction] {
        let fragment = try choice()
        if peek != nil { throw fault("a ) closes nothing; a parenthesis itself is \\)") }
        return try checked(fragment + [.match])
    }

    private func checked(_ fragment: Fragment) throws(TextPatternError) -> Fragment {
        guard fragment.count <= TextPatternParser.mostInstructions else { throw .tooLarge }
        return fragment
    }

    // MARK: Scalars

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func pop() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        return scalar
    }

    private mutating func pop(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    /// The text before a delimiter, which is removed too; nil without it.
    private mutating func pop(upTo end: Unicode.Scalar) -> String? {
        guard let place = scalars[index...].firstIndex(of: end) else { return nil }
        defer { index = place + 1 }
        return String(String.UnicodeScalarView(scalars[index..<place]))
    }

    private func fault(_ sentence: String, at place: Int? = nil) -> TextPatternError {
        TextPatternError(sentence, at: (place ?? index) + 1)
    }

    private func unsupported(_ name: String, at place: Int) -> TextPatternError {
        fault("\(name) is not supported", at: place)
    }

    // MARK: Structure

    private mutating func choice() throws(TextPatternError) -> Fragment {
        var branches = [try sequence()]
        while pop("|") { branches.append(try sequence()) }
        var choice = branches.removeLast()
        for branch in branches.reversed() {
            choice = try checked([.split(branch.count + 2)] + branch + [.jump(choice.count + 1)] + choice)
        }
        return choice
    }

    private mutating func sequence() throws(TextPatternError) -> Fragment {
        var sequence: Fragment = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            guard let fragment = try atom() else { continue }
            sequence += try repeated(fragment)
            _ = try checked(sequence)
        }
        return sequence
    }

    /// Nil for flags, which match nothing.
    private mutating func atom() throws(TextPatternError) -> Fragment? {
        let start = index
        guard let scalar = pop() else { return nil }
        switch scalar {
        case ".": return [.scalar(flags.matchesNewlines ? .any : .notNewline)]
        case "^": return [.assertion(flags.hasLines ? .lineStart : .start)]
        case "$": return [.assertion(flags.hasLines ? .lineEnd : .end)]
        case "(": return try group(from: start)
        case "[": return [.scalar(try set(from: start))]
        case "\\": return [try escape(from: start)]
        case "*", "+", "?":
            let advice = "the character itself is \\\(scalar)"
            throw fault("nothing is before \(scalar) that it could repeat; \(advice)", at: start)
        case "{": throw fault("nothing is before { that it could repeat; a brace itself is \\{", at: start)
        default: return [.scalar(literal(scalar))]
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> ScalarClass {
        ScalarClass(scalar, ignoresCase: flags.ignoresCase)
    }

    private mutating func repeated(_ fragment: Fragment) throws(TextPatternError) -> Fragment {
        let start = index
        let bounds: (least: Int, most: Int?)
        switch peek {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{": bounds = try self.bounds(from: start)
        default: return fragment
        }
        if index == start { index += 1 }
        // Whether a repetition prefers few does not change whether there is a match.
        if peek == "?" {
            index += 1
        } else if peek == "+" {
            throw unsupported("a possessive quantifier", at: start)
        }
        if let next = peek, "*+?{".unicodeScalars.contains(next) {
            throw fault("two quantifiers follow each other; a group is between them: (…)\(next)")
        }
        var repeated: Fragment = []
        for _ in 0..<bounds.least { repeated = try checked(repeated + fragment) }
        guard let most = bounds.most
        else { return repeated + [.split(fragment.count + 2)] + fragment + [.jump(-fragment.count - 1)] }
        // Each further one is optional, and so are those after it.
        for left in stride(from: most - bounds.least, to: 0, by: -1) {
            repeated = try checked(repeated + [.split(left * (fragment.count + 1))] + fragment)
        }
        return repeated
    }

    /// `{2}`, `{2,}`, `{,5}` or `{2,5}`.
    private mutating func bounds(from start: Int) throws(TextPatternError) -> (least: Int, most: Int?) {
        index += 1
        let parts = pop(upTo: "}").map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        let numbers = parts.map { $0.utf8.allSatisfy(\.isDigit) && $0.utf8.count < 10 ? Int($0) : nil }
        let least = numbers.first ?? nil
        let most = numbers.last ?? nil
        guard (1...2).contains(parts.count), least != nil || parts[0].isEmpty && most != nil,
            most != nil || parts.count == 2 && parts[1].isEmpty
        else { throw fault("{ begins a number of repetitions, like {2,5}; a brace itself is \\{", at: start) }
        guard (least ?? 0) <= (most ?? .max)
        else { throw fault("{\(least ?? 0),\(most ?? 0)} ends before it begins", at: start) }
        let limit = TextPatternParser.mostRepetitions
        guard max(least ?? 0, most ?? 0) <= limit
        else { throw fault("more than \(limit) repetitions are not supported", at: start) }
        return (least ?? 0, most)
    }

    // MARK: Groups

    private mutating func group(from start: Int) throws(TextPatternError) -> Fragment? {
        depth += 1
        defer { depth -= 1 }
        let limit = TextPatternParser.deepest
        guard depth <= limit
        else { throw fault("more than \(limit) groups in each other are not supported", at: start) }
        let outer = flags
        if pop("?") {
            if try opening(from: start) { return nil }
        } else if peek == "*" {
            throw unsupported("a verb, (*…),", at: start)
        }
        let fragment = try choice()
        guard pop(")") else { throw fault("a ( is not closed; a parenthesis itself is \\(", at: start) }
        flags = outer
        return fragment
    }

    /// Reads what follows `(?`. True if that was all: flags for the rest of the enclosing group.
    private mutating func opening(from start: Int) throws(TextPatternError) -> Bool {
        if pop(":") { return false }
        for (text, name) in [
            ("=", "lookahead, (?=…),"), ("!", "lookahead, (?!…),"), ("<=", "lookbehind, (?<=…),"),
            ("<!", "lookbehind, (?<!…),"), (">", "an atomic group, (?>…),"), ("|", "a branch reset, (?|…),"),
            ("#", "a comment, (?#…),"), ("(", "a condition, (?(…)…),"), ("R", "recursion, (?R),"),
            ("&", "recursion, (?&…),"), ("P>", "recursion, (?P>…),"),
            ("P=", "a reference to a group, (?P=…),"),
        ] where pop(text) { throw unsupported(name, at: start) }
        if pop("<") || pop("P<") || pop("'") {
            let end: Unicode.Scalar = scalars[index - 1] == "'" ? "'" : ">"
            guard let name = pop(upTo: end), !name.isEmpty
            else { throw fault("a group's name is not closed", at: start) }
            return false
        }
        return try setFlags(from: start)
    }

    private mutating func setFlags(from start: Int) throws(TextPatternError) -> Bool {
        var isSet = true
        while let scalar = pop() {
            switch scalar {
            case "-": isSet = false
            case "i": flags.ignoresCase = isSet
            case "s": flags.matchesNewlines = isSet
            case "m": flags.hasLines = isSet
            case ":": return false
            case ")": return true
            default: throw unsupported("the flag \(scalar) of (?…); known are i, m and s, and it", at: start)
            }
        }
        throw fault("a ( is not closed; a parenthesis itself is \\(", at: start)
    }

    // MARK: Escapes

    private static let assertions: [Unicode.Scalar: TextPattern.Assertion] = [
        "b": .wordBoundary, "B": .noWordBoundary, "A": .start, "z": .end, "Z": .lastLineEnd,
    ]

    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "t": "\t", "n": "\n", "r": "\r", "f": "\u{0C}", "e": "\u{1B}",
    ]

    private mutating func escape(from start: Int) throws(TextPatternError) -> TextPattern.Instruction {
        guard let assertion = peek.flatMap({ TextPatternParser.assertions[$0] })
        else { return .scalar(try escapedClass(from: start)) }
        index += 1
        return .assertion(assertion)
    }

    /// What a backslash may also begin in a set.
    private mutating func escapedClass(from start: Int) throws(TextPatternError) -> ScalarClass {
        guard let scalar = pop() else { throw fault("a backslash at the end escapes nothing", at: start) }
        if let control = TextPatternParser.controls[scalar] { return ScalarClass(control) }
        switch scalar {
        case "d", "D": return ScalarClass(.digit, isNegated: scalar == "D")
        case "w", "W": return ScalarClass(.word, isNegated: scalar == "W")
        case "s", "S": return ScalarClass(.space, isNegated: scalar == "S")
        case "p", "P": return try category(from: start, isNegated: scalar == "P")
        case "x": return literal(try number(digits: 2, from: start))
        case "u": return literal(try number(digits: 4, from: start))
        case "1"..."9", "k", "g": throw unsupported("a reference to a group, \\\(scalar),", at: start)
        default:
            let isLetter = scalar.value < 0x80 && scalar.isWord && scalar != "_"
            if isLetter { throw unsupported("\\\(scalar)", at: start) }
            return literal(scalar)
        }
    }

    /// `{1F600}`, or that many hexadecimal digits.
    private mutating func number(digits: Int, from start: Int) throws(TextPatternError) -> Unicode.Scalar {
        var text = ""
        if pop("{") {
            text = pop(upTo: "}") ?? ""
        } else {
            for _ in 0..<digits { if let digit = pop() { text.unicodeScalars.append(digit) } }
            if text.unicodeScalars.count < digits { text = "" }
        }
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw fault("hexadecimal digits of a character follow, like \\x41 or \\u{1F600}", at: start) }
        return scalar
    }

    /// `\p{Lu}` or `\pL`.
    private mutating func category(from start: Int, isNegated: Bool) throws(TextPatternError) -> ScalarClass {
        let name = pop("{") ? pop(upTo: "}") : pop().map { String($0) }
        guard let name, Unicode.GeneralCategory.isKnown(name)
        else { throw fault("\\p takes a general category of Unicode, like \\p{L} or \\p{Lu}", at: start) }
        return ScalarClass(.category(name), isNegated: isNegated)
    }

    // MARK: Sets

    private mutating func set(from start: Int) throws(TextPatternError) -> ScalarClass {
        var set = ScalarClass(isNegated: pop("^"), ignoresCase: flags.ignoresCase)
        var isFirst = true
        while let scalar = peek, isFirst || scalar != "]" {
            isFirst = false
            let place = index
            if pop("[:") {
                set.parts.append(try posixClass(from: place))
                continue
            }
            for operation in ["[", "&&", "--", "~~"] where pop(operation) {
                throw unsupported("\(operation) in a set", at: place)
            }
            let parts = try member().parts
            guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]", scalars[index + 1] != "-"
            else {
                set.parts += parts
                continue
            }
            index += 1
            let end = try member().parts
            guard let first = parts[0].single, let last = end[0].single, first <= last
            else { throw fault("a range in a set is from a character to a later one, like a-z", at: place) }
            set.parts.append(ScalarClass.Part(range: first...last))
        }
        guard pop("]") else { throw fault("a [ is not closed; a bracket itself is \\[", at: start) }
        return set
    }

    private mutating func member() throws(TextPatternError) -> ScalarClass {
        let start = index
        guard let scalar = pop() else { throw fault("a [ is not closed; a bracket itself is \\[") }
        return scalar == "\\" ? try escapedClass(from: start) : ScalarClass(scalar)
    }

    private static let posixClasses: [String: ScalarClass.Property] = [
        "alpha:": .category("L"), "digit:": .digit, "upper:": .category("Lu"), "lower:": .category("Ll"),
        "space:": .space, "punct:": .category("P"), "word:": .word,
    ]

    /// `[:alpha:]`
    private mutating func posixClass(from start: Int) throws(TextPatternError) -> ScalarClass.Part {
        let name = pop(upTo: "]") ?? ""
        guard let property = TextPatternParser.posixClasses[name]
        else { throw unsupported("[:\(name.split(separator: ":").first ?? ""):]", at: start) }
        return ScalarClass.Part(property: property)
    }
}

extension ScalarClass.Part {
    /// The one scalar of the part; nil for others.
    fileprivate var single: UInt32? {
        property == nil && range.lowerBound == range.upperBound ? range.lowerBound : nil
    }
}
