// SPDX-License-Identifier: MIT
// Parses the conditions in the brackets of key paths. Independent of what they select.

extension ExpressionParser {
    /// Parses the condition that begins here, with its brackets, and refuses one that is always or never true.
    ///
    /// - Parameter start: where the key path begins, for the advice in an error.
    mutating func condition(ofPathFrom start: Int) throws(ExpressionError) {
        let before = scanner
        var inner = ofCondition()
        inner.scanner.index += 1
        try inner.nested(from: before.index) { (parser) throws(ExpressionError) in
            parser.scanner.skipSpace()
            let first = parser.scanner.index
            try parser.conditional()
            parser.scanner.skipSpace()
            let end = parser.scanner
            guard parser.scanner.pop("]") else { throw parser.scanner.unexpected("an operator or ]") }
            let fault = parser.parsed.fault(end.trimmed(from: first), of: before.string(from: start))
            if let fault { throw parser.scanner.error(at: first, fault) }
        }
        scanner = inner.scanner
        if !scanner.isAtEndOfComponent { throw scanner.unexpected("a dot or the end of the path") }
    }
}

extension Expression {
    /// Parses the condition of a key path outside of expressions.
    ///
    /// - Parameter scanner: of the whole path; it goes from the `[` to behind the condition.
    static func checkCondition(at scanner: inout ExpressionScanner, maxDepth: Int) throws(KeyPathError) {
        var parser = ExpressionParser(scanner, ExpressionSyntax(maxDepth: maxDepth).ofConditions)
        do throws(ExpressionError) { try parser.condition(ofPathFrom: 0) } catch {
            throw KeyPathError(reason: .condition(error))
        }
        guard parser.scanner.isAtEnd || parser.scanner.isAt(".") else {
            throw KeyPathError(reason: .condition(parser.scanner.unexpected("a dot or the end of the path")))
        }
        scanner = parser.scanner
    }

    /// A clause about a condition that no value changes; nil for others.
    ///
    /// - Parameter path: the path before the condition.
    fileprivate func fault(_ text: @autoclosure () -> String, of path: @autoclosure () -> String) -> String? {
        if case .literal(let literal)? = single {
            if literal == .bool(true) { return "the condition true is always true" }
            guard let name = literal.int.map(String.init) ?? literal.string, !name.isEmpty else {
                return "the condition \(text()) is never true"
            }
            let element = DottedKeyPath.text(of: [name])
            var array = path()
            // As in `a.[0]`.
            if array.hasSuffix("."), !array.hasSuffix("\\.") { array.removeLast() }
            return "the condition \(text()) is never true; an element is \(array).\(element)"
        }
        guard case .apply(let operation)? = steps.last, !operation.mayBeTrue else { return nil }
        return "the condition \(text()) is never true"
    }
}

extension Expression.Operation {
    /// Whether it may give `true`: the others give numbers, texts or null.
    fileprivate var mayBeTrue: Bool {
        switch self {
        case .or, .and, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .fallback, .choose,
            .not, .contains, .starts:
            true
        default: false
        }
    }
}

extension ByteView {
    /// The index behind the bracket that closes the one at `open`, in a path whose conditions are expressions; nil if none
    /// does. Quotes and escapes hide brackets.
    func endOfBracket(at open: Int) -> Int? {
        var (index, depth, quote): (Int, Int, UInt8) = (open, 0, 0)
        while index < count {
            switch self[index] {
            case 0x5C: index += 1
            case quote where quote != 0: quote = 0
            case _ where quote != 0: break
            case 0x22, 0x27: quote = self[index]
            case 0x5B: depth += 1
            case 0x5D where depth == 1: return index + 1
            case 0x5D: depth -= 1
            default: break
            }
            index += 1
        }
        return nil
    }
}
