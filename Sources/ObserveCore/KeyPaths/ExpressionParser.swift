// SPDX-License-Identifier: MIT
// Parses expressions: operators, functions and literals. Independent of values.

extension Expression {
    package init(parsing text: String, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        self = try ByteView.with(text) { (text) throws(ExpressionError) in
            try Expression(parsing: text, syntax)
        }
    }

    init(parsing text: ByteView, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        var parser = ExpressionParser(ExpressionScanner(text), syntax)
        self = try parser.expression()
        guard parser.scanner.isAtEnd else { throw parser.scanner.unexpected("an operator") }
    }

    fileprivate static let functions: [String: Operation] = Dictionary(
        uniqueKeysWithValues: [
            .min, .max, .abs, .floor, .ceil, .round, .len, .lower, .upper, .contains, .starts,
        ].map { ("\($0)", $0) }
    )
}

/// A parser by recursive descent. ``ExpressionSyntax/maxLevels`` bounds the recursion.
struct ExpressionParser {
    var scanner: ExpressionScanner
    let syntax: ExpressionSyntax
    /// Where key paths are checked.
    private let checked: ParsedKeyPath
    private var operands: [Expression.Operand] = []
    private var columns: [Int] = []
    private var steps: [Expression.Step] = []
    var conditions: [Expression] = []
    private var level = 0

    init(_ scanner: ExpressionScanner, _ syntax: ExpressionSyntax, _ checked: ParsedKeyPath? = nil) {
        self.scanner = scanner
        self.syntax = syntax
        self.checked = checked ?? ParsedKeyPath(maxDepth: syntax.maxDepth)
    }

    /// Parses the expression that begins here, up to the first character that does not belong to it.
    mutating func expression() throws(ExpressionError) -> Expression {
        (operands, columns, steps, conditions) = ([], [], [], [])
        scanner.skipSpace()
        let start = scanner.index
        let column = scanner.column(at: start)
        if syntax.allowsEmpty, scanner.isAtEmptyOperand {
            add(.empty, at: start)
            try continueBinary(0)
        } else {
            try conditional()
        }
        guard scanner.index - start <= ExpressionSyntax.maxBytes
        else { throw scanner.error(at: start, ExpressionSyntax.tooLong, exceedsLimit: true) }
        scanner.skipSpace()
        return parsed(at: column)
    }

    /// Parses one more level of parentheses, brackets, functions, signs and `? :`.
    mutating func nested(
        from start: Int,
        _ parse: (inout ExpressionParser) throws(ExpressionError) -> Void
    ) throws(ExpressionError) {
        level += 1
        guard level <= ExpressionSyntax.maxLevels else {
            throw scanner.error(
                at: start,
                "an expression nests at most \(ExpressionSyntax.maxLevels) levels, and this one is deeper",
                exceedsLimit: true
            )
        }
        try parse(&self)
        level -= 1
    }

    func parsed(at column: Int) -> Expression {
        Expression(operands: operands, columns: columns, steps: steps, column: column, conditions: conditions)
    }

    /// A parser of the condition that begins here.
    func ofCondition() -> ExpressionParser {
        var parser = ExpressionParser(scanner, syntax.ofConditions, checked)
        parser.level = level
        return parser
    }

    private mutating func add(_ operand: Expression.Operand, at start: Int) {
        steps.append(.operand(operands.count))
        operands.append(operand)
        columns.append(scanner.column(at: start))
    }

    // MARK: Operators

    mutating func conditional() throws(ExpressionError) {
        try binary(0)
        scanner.skipSpace()
        let start = scanner.index
        guard scanner.next == "?", scanner.second != "?" else { return }
        scanner.index += 1
        try nested(from: start) { (parser) throws(ExpressionError) in
            try parser.conditional()
            try parser.expect(":")
            try parser.conditional()
            parser.steps.append(.apply(.choose))
        }
    }

    /// Parses an operand, and the operators of this precedence and of stronger ones after it.
    private mutating func binary(_ weakest: Int) throws(ExpressionError) {
        try unary()
        try continueBinary(weakest)
    }

    /// Parses the operators after a first operand.
    private mutating func continueBinary(_ weakest: Int) throws(ExpressionError) {
        while let (operation, level, length) = binaryOperator(), level >= weakest {
            scanner.index += length
            try binary(level + 1)
            steps.append(.apply(operation))
            if level == Self.comparisons, binaryOperator()?.level == level {
                throw scanner.error(at: scanner.index, "comparisons do not chain: write a < b && b < c")
            }
        }
    }

    /// The precedence of comparisons.
    private static var comparisons: Int { 2 }

    /// The operator behind white space, its precedence, and how many characters it has. The weakest have the precedence 0.
    private mutating func binaryOperator() -> (operation: Expression.Operation, level: Int, length: Int)? {
        scanner.skipSpace()
        return switch (scanner.next, scanner.second) {
        case ("|", "|"): (.or, 0, 2)
        case ("&", "&"): (.and, 1, 2)
        case ("=", "="): (.equal, 2, 2)
        case ("=", _): (.equal, 2, 1)
        case ("!", "="): (.notEqual, 2, 2)
        case ("<", "="): (.lessOrEqual, 2, 2)
        case ("<", _): (.less, 2, 1)
        case (">", "="): (.greaterOrEqual, 2, 2)
        case (">", _): (.greater, 2, 1)
        case ("?", "?"): (.fallback, 3, 2)
        case ("+", _): (.add, 4, 1)
        case ("-", _): (.subtract, 4, 1)
        case ("*", _): (.multiply, 5, 1)
        case ("/", _): (.divide, 5, 1)
        case ("%", _): (.remainder, 5, 1)
        default: nil
        }
    }

    private mutating func unary() throws(ExpressionError) {
        scanner.skipSpace()
        let start = scanner.index
        if scanner.popLowestInt() { return add(.literal(.int(.min)), at: start) }
        let operation: Expression.Operation? = scanner.pop("!") ? .not : scanner.pop("-") ? .negate : nil
        guard let operation else { return try operand() }
        try nested(from: start) { (parser) throws(ExpressionError) in
            try parser.unary()
            parser.steps.append(.apply(operation))
        }
    }

    private mutating func expect(_ text: Unicode.Scalar) throws(ExpressionError) {
        scanner.skipSpace()
        guard scanner.pop(text) else { throw scanner.unexpected("an operator or \(text)") }
    }

    // MARK: Operands

    private mutating func operand() throws(ExpressionError) {
        let start = scanner.index
        if scanner.pop("(") {
            return try nested(from: start) { (parser) throws(ExpressionError) in
                try parser.conditional()
                try parser.expect(")")
            }
        }
        if let literal = try scanner.literal() { return add(.literal(literal), at: start) }
        if !syntax.fields.isEmpty, scanner.next == "@" {
            scanner.index += 1
            let name = scanner.word()
            guard syntax.fields.contains(name) else {
                let known = syntax.fields.map { "@\($0)" }.joined(separator: ", ")
                throw scanner.error(at: start, "@\(name) is not known: known are \(known)")
            }
            return add(.field(name), at: start)
        }
        if syntax.allowsValue, scanner.pop(".") { return add(.path(""), at: start) }
        let path = try path()
        if scanner.next == "(", path.unicodeScalars.allSatisfy({ $0 != "." && $0 != "\\" && $0 != "[" }) {
            return try call(path, at: start)
        }
        switch path {
        case "true": add(.literal(true), at: start)
        case "false": add(.literal(false), at: start)
        case "null": add(.literal(.null), at: start)
        default: add(.path(path), at: start)
        }
    }

    /// Parses a key path, with its conditions. Returns the path as it is written.
    private mutating func path() throws(ExpressionError) -> String {
        let start = scanner.index
        repeat {
            try scanner.component(isFirst: scanner.index == start, syntax)
            if scanner.next == "[" { try condition(ofPathFrom: start) }
        } while scanner.pop(".")
        return try scanner.path(from: start, checked)
    }

    private mutating func call(_ name: String, at start: Int) throws(ExpressionError) {
        guard let operation = Expression.functions[name] else {
            let known = Expression.functions.keys.sorted().joined(separator: ", ")
            throw scanner.error(at: start, "\(name) is not a function: known are \(known)")
        }
        let takesMany = operation == .min || operation == .max
        scanner.index += 1
        var count = 0
        try nested(from: start) { (parser) throws(ExpressionError) in
            repeat {
                try parser.conditional()
                count += 1
                // Of many operands, the first two give one.
                if takesMany, count > 1 { parser.steps.append(.apply(operation)) }
                parser.scanner.skipSpace()
            } while parser.scanner.pop(",")
            if !parser.scanner.pop(")") { throw parser.scanner.unexpected("an operator, a comma or )") }
        }
        switch (operation, count) {
        case (.min, 2...), (.max, 2...): break
        case (.round, 2): steps.append(.apply(.roundDecimals))
        case (_, operation.operandCount) where !takesMany: steps.append(.apply(operation))
        default:
            let many = takesMany ? "two or more" : operation == .round ? "one or two" : "two"
            let takesOne = operation.operandCount == 1 && operation != .round
            let wanted = takesOne ? "one operand" : "\(many) operands"
            throw scanner.error(at: start, "\(name) takes \(wanted), not \(count)")
        }
    }
}
