// SPDX-License-Identifier: MIT
// Parses expressions: operators, functions and literals. Independent of values.

extension Expression {
    /// Parses a text that is one expression.
    package init(parsing text: String, _ syntax: ExpressionSyntax) throws(ExpressionError) {
        var parser = ExpressionParser(ExpressionScanner(text), syntax)
        self = try parser.expression()
        guard parser.scanner.isAtEnd else { throw parser.scanner.unexpected("an operator") }
    }

    /// The operators of each precedence, the weakest first. Of two that begin alike, the longer one precedes.
    fileprivate static let binary: [[(text: String, operation: Operation)]] = [
        [("||", .or)], [("&&", .and)],
        [
            ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), ("<", .less),
            (">=", .greaterOrEqual), (">", .greater),
        ],
        [("??", .fallback)], [("+", .add), ("-", .subtract)],
        [("*", .multiply), ("/", .divide), ("%", .remainder)],
    ]
    fileprivate static let comparisonLevel = 2

    /// The functions, with the numbers of operands that they take.
    fileprivate static let functions: [String: (operation: Operation, counts: ClosedRange<Int>)] = [
        "min": (.min, 2...Int.max), "max": (.max, 2...Int.max), "abs": (.abs, 1...1),
        "floor": (.floor, 1...1),
        "ceil": (.ceil, 1...1), "round": (.round, 1...2), "len": (.len, 1...1), "lower": (.lower, 1...1),
        "upper": (.upper, 1...1), "contains": (.contains, 2...2), "starts": (.starts, 2...2),
    ]
}

/// A parser by recursive descent. ``ExpressionSyntax/maxLevels`` bounds the recursion.
struct ExpressionParser {
    var scanner: ExpressionScanner
    private var syntax: ExpressionSyntax
    private var operands: [Expression.Operand] = []
    private var columns: [Int] = []
    private var steps: [Expression.Step] = []
    private var level = 0

    init(_ scanner: ExpressionScanner, _ syntax: ExpressionSyntax) {
        self.scanner = scanner
        self.syntax = syntax
    }

    /// Parses the expression that begins here, up to the first character that does not belong to it.
    mutating func expression() throws(ExpressionError) -> Expression {
        (operands, columns, steps) = ([], [], [])
        scanner.skipSpace()
        let start = scanner.index
        if syntax.allowsEmpty, scanner.isAtEmptyOperand {
            add(.empty, at: start)
            try continueBinary(0)
        } else {
            try conditional()
        }
        guard scanner.byteCount(from: start) <= ExpressionSyntax.maxBytes else {
            throw scanner.limitError(
                at: start,
                "an expression has at most \(ExpressionSyntax.maxBytes) bytes, and this one is longer"
            )
        }
        scanner.skipSpace()
        return Expression(operands: operands, columns: columns, steps: steps, column: start + 1)
    }

    /// Parses one more level of parentheses, brackets, functions, signs and `? :`.
    mutating func nested(
        from start: Int,
        _ parse: (inout ExpressionParser) throws(ExpressionError) -> Void
    ) throws(ExpressionError) {
        level += 1
        guard level <= ExpressionSyntax.maxLevels else {
            throw scanner.limitError(
                at: start,
                "an expression nests at most \(ExpressionSyntax.maxLevels) levels, and this one is deeper"
            )
        }
        try parse(&self)
        level -= 1
    }

    /// The state of an expression while a condition within it is parsed.
    struct Outer {
        fileprivate let expression: Expression
        fileprivate let syntax: ExpressionSyntax
    }

    /// The expression parsed so far.
    var condition: Expression { Expression(operands: operands, columns: columns, steps: steps, column: 1) }

    mutating func beginCondition() -> Outer {
        let outer = Outer(expression: condition, syntax: syntax)
        (operands, columns, steps, syntax) = ([], [], [], syntax.ofConditions)
        return outer
    }

    mutating func end(_ outer: Outer) {
        (operands, columns, steps) = (
            outer.expression.operands, outer.expression.columns, outer.expression.steps
        )
        syntax = outer.syntax
    }

    private mutating func add(_ operand: Expression.Operand, at start: Int) {
        steps.append(.operand(operands.count))
        operands.append(operand)
        columns.append(start + 1)
    }

    // MARK: Operators

    mutating func conditional() throws(ExpressionError) {
        try binary(0)
        scanner.skipSpace()
        let start = scanner.index
        guard scanner.isAt("?"), !scanner.isAt("??") else { return }
        scanner.index += 1
        try nested(from: start) { (parser) throws(ExpressionError) in
            try parser.conditional()
            try parser.expect(":")
            try parser.conditional()
            parser.steps.append(.apply(.choose))
        }
    }

    private mutating func binary(_ level: Int) throws(ExpressionError) {
        guard level < Expression.binary.count else { return try unary() }
        try binary(level + 1)
        try continueBinary(at: level)
    }

    /// Parses the operators after a first operand, those of the strongest precedence first.
    private mutating func continueBinary(_ weakest: Int) throws(ExpressionError) {
        for level in (weakest..<Expression.binary.count).reversed() { try continueBinary(at: level) }
    }

    private mutating func continueBinary(at level: Int) throws(ExpressionError) {
        while let operation = popOperator(level) {
            try binary(level + 1)
            steps.append(.apply(operation))
            guard level == Expression.comparisonLevel else { continue }
            scanner.skipSpace()
            if Expression.binary[level].contains(where: { scanner.isAt($0.text) }) {
                throw scanner.error(at: scanner.index, "comparisons do not chain: write a < b && b < c")
            }
        }
    }

    private mutating func popOperator(_ level: Int) -> Expression.Operation? {
        scanner.skipSpace()
        for (text, operation) in Expression.binary[level] where scanner.pop(text) { return operation }
        return nil
    }

    private mutating func unary() throws(ExpressionError) {
        scanner.skipSpace()
        let start = scanner.index
        let operation: Expression.Operation? = scanner.pop("!") ? .not : scanner.pop("-") ? .negate : nil
        guard let operation else { return try operand() }
        try nested(from: start) { (parser) throws(ExpressionError) in
            try parser.unary()
            parser.steps.append(.apply(operation))
        }
    }

    private mutating func expect(_ text: String) throws(ExpressionError) {
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
        if !syntax.fields.isEmpty, scanner.isAt("@") {
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
        if scanner.isAt("("), path.allSatisfy({ $0 != "." && $0 != "\\" && $0 != "[" }) {
            return try call(path, at: start)
        }
        switch path {
        case "true": add(.literal(true), at: start)
        case "false": add(.literal(false), at: start)
        case "null": add(.literal(.null), at: start)
        default: add(.path(path), at: start)
        }
    }

    /// Parses a key path, with its conditions.
    ///
    /// - Returns: the path as it is written.
    private mutating func path() throws(ExpressionError) -> String {
        let start = scanner.index
        var starts: [Int] = []
        repeat {
            starts.append(scanner.index)
            try scanner.component(isFirst: starts.count == 1, syntax)
            if scanner.isAt("[") { try condition(ofPathFrom: start) }
        } while scanner.pop(".")
        return try scanner.path(starts, syntax)
    }

    /// Parses a function's operands.
    private mutating func call(_ name: String, at start: Int) throws(ExpressionError) {
        guard let (operation, counts) = Expression.functions[name] else {
            let known = Expression.functions.keys.sorted().joined(separator: ", ")
            throw scanner.error(at: start, "\(name) is not a function: known are \(known)")
        }
        scanner.index += 1
        var count = 0
        try nested(from: start) { (parser) throws(ExpressionError) in
            repeat {
                try parser.conditional()
                count += 1
                // Of many operands, the first two give one.
                if counts.upperBound == .max, count > 1 { parser.steps.append(.apply(operation)) }
                parser.scanner.skipSpace()
            } while parser.scanner.pop(",")
            guard parser.scanner.pop(")") else {
                throw parser.scanner.unexpected("an operator, a comma or )")
            }
        }
        guard counts.contains(count) else {
            let wanted =
                counts.upperBound == .max
                ? "two or more operands"
                : counts.count > 1
                    ? "one or two operands" : counts.lowerBound == 1 ? "one operand" : "two operands"
            throw scanner.error(at: start, "\(name) takes \(wanted), not \(count)")
        }
        if counts.upperBound == .max { return }
        steps.append(.apply(operation == .round && count == 2 ? .roundDecimals : operation))
    }
}
