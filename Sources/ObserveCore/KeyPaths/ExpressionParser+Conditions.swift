// SPDX-License-Identifier: MIT
// Parses the conditions in the brackets of key paths. Independent of what they select.

extension ExpressionParser {
    /// Parses the condition that begins here, with its brackets, and adds it to ``conditions``. Refuses one that is always or
    /// never true.
    ///
    /// - Parameter start: where the key path begins, for the advice in an error.
    mutating func condition(ofPathFrom start: Int) throws(ExpressionError) {
        let open = scanner.index
        var inner = ofCondition()
        inner.scanner.index += 1
        try inner.nested(from: open) { (parser) throws(ExpressionError) in
            parser.scanner.skipSpace()
            let first = parser.scanner.index
            let column = parser.scanner.column(at: first)
            try parser.conditional()
            parser.scanner.skipSpace()
            let end = parser.scanner.index
            guard parser.scanner.pop("]") else { throw parser.scanner.unexpected("an operator or ]") }
            let (parsed, scanner) = (parser.parsed(at: column), parser.scanner)
            let fault = parsed.fault(scanner.trimmed(first..<end), of: scanner.string(start..<open))
            if let fault { throw scanner.error(at: first, fault) }
            conditions.append(parsed)
        }
        scanner.index = inner.scanner.index
        if !scanner.isAtEndOfComponent { throw scanner.unexpected("a dot or the end of the path") }
    }
}

extension Expression {
    /// Parses the condition of a key path outside of expressions.
    /// - Parameter scanner: at its first bracket; then behind the last one.
    static func condition(at scanner: inout ExpressionScanner, _ checked: ParsedKeyPath) throws(KeyPathError)
        -> Expression
    {
        let syntax = ExpressionSyntax(maxDepth: checked.maxDepth).ofConditions
        var parser = ExpressionParser(scanner, syntax, checked)
        do throws(ExpressionError) {
            try parser.condition(ofPathFrom: 0)
            guard parser.scanner.isAtEnd || parser.scanner.next == "."
            else { throw parser.scanner.unexpected("a dot or the end of the path") }
        } catch { throw KeyPathError(reason: .condition(error)) }
        scanner = parser.scanner
        return parser.conditions[0]
    }

    /// A clause about a condition that no value changes; nil for others.
    /// - Parameter path: the path before the condition.
    fileprivate func fault(_ text: @autoclosure () -> String, of path: @autoclosure () -> String) -> String? {
        if case .literal(let literal)? = single {
            if literal == .bool(true) { return "the condition true is always true" }
            guard let name = literal.int.map(String.init) ?? literal.string, !name.isEmpty
            else { return "the condition \(text()) is never true" }
            let element = DottedKeyPath.text(of: [name])
            var array = path()
            // As in `a.[0]`.
            if array.hasSuffix("."), !array.hasSuffix("\\.") { array.removeLast() }
            if array.isEmpty { array = "PATH" }
            return "the condition \(text()) is never true; an element is \(array).\(element)"
        }
        guard case .apply(let operation)? = steps.last, !operation.givesBool else { return nil }
        return operation == .fallback || operation == .choose ? nil : "the condition \(text()) is never true"
    }
}

extension ByteView {
    /// The index behind the bracket that closes the one at `open`; nil if none does. Quotes and escapes hide brackets.
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
