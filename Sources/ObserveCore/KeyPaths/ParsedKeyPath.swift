// SPDX-License-Identifier: MIT
// Parses a dotted key path into components. Independent of models and observation.

/// One dotted key path, parsed into storage that the next parse reuses.
///
/// `app.contents.0.title` has four components. `\` makes the next character literal. An unescaped `*` or `**` is a
/// wildcard; a component that begins with an unescaped `@` is a collection operator (KVC) or a choice. `\e` is the empty
/// name. An unescaped `[` behind a name, a `*`, an operator or a choice opens a condition, which is kept as it is written.
///
/// - Bounds: at most `maxDepth` components.
/// - Errors: throws ``KeyPathError``; the contents are then undefined until the next parse.
/// - Cost: one pass; allocates only for a path longer than all before.
final class ParsedKeyPath {
    enum Kind: UInt8 {
        case name
        case anyName
        case anyDepth
        case collectionOperator
        /// `@first` or `@latest`.
        case choice
    }

    private struct Component {
        let start: Int32
        let end: Int32
        /// The end of the condition, which lies directly behind the name; ``end`` without one.
        let conditionEnd: Int32
        let kind: Kind

        var hasCondition: Bool { conditionEnd > end }
    }

    let maxDepth: Int
    private let text = ByteBuffer(capacity: 128)
    private let decoded = ByteBuffer(capacity: 128)
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var components: [Component] = []
    /// Whether the path has no wildcard, operator, condition or choice.
    private(set) var isLiteral = true
    private(set) var hasWildcard = false
    /// Whether it leads to one place at most: a pattern may lead to several.
    var isOnePath: Bool { !hasWildcard }
    /// The index of the collection operator. The components after it are a path within each element.
    private(set) var operatorIndex: Int?
    /// The conditions, if the parse had to check or was given them; their columns are those in the whole text.
    private var conditions: [Expression] = []
    /// The paths within conditions, one after another.
    private lazy var inner = ParsedKeyPath(maxDepth: maxDepth)
    /// Where the component begins in the path that was parsed last, or is faulty, and the bracket of the last condition.
    private(set) var lastStart = 0
    private var lastCondition = (offset: 0, column: 1)
    /// How many bytes of conditions ``parse(_:)`` may check at most, and how many it checked, with their brackets.
    var mostConditionBytes = Int.max
    private(set) var conditionBytes = 0

    init(maxDepth: Int) {
        self.maxDepth = maxDepth
        components.reserveCapacity(16)
    }

    var count: Int { components.count }

    /// How many bytes the names and conditions of all components have.
    var textCount: Int { text.count }

    /// The unescaped name of a component; valid until the next parse.
    func name(_ index: Int) -> ByteView {
        let component = components[index]
        return text.view.slice(Int(component.start)..<Int(component.end))
    }

    func kind(_ index: Int) -> Kind { components[index].kind }

    /// The condition of a component, with its brackets; empty without one. Valid until the next parse.
    func condition(_ index: Int) -> ByteView {
        let component = components[index]
        return text.view.slice(Int(component.end)..<Int(component.conditionEnd))
    }

    /// The parsed condition of a component; nil without one, or if its path was known.
    func conditionExpression(_ index: Int) -> Expression? {
        guard components[index].hasCondition, !conditions.isEmpty else { return nil }
        return conditions[components[..<index].count(where: \.hasCondition)]
    }

    func isSelection(_ index: Int) -> Bool { kind(index) == .choice || components[index].hasCondition }

    var hasSelection: Bool { firstCondition != nil || firstChoice != nil }
    var firstCondition: Int? { isLiteral ? nil : components.firstIndex(where: \.hasCondition) }
    var firstChoice: Int? { isLiteral ? nil : components.firstIndex { $0.kind == .choice } }

    /// Parses a path of a request: a string in dotted form, or an array of names and integers.
    func parse(_ json: JSONView) throws(KeyPathError) {
        switch json.kind {
        case .string: try parse(dotted: json.decoded(in: decoded))
        case .array: try parse(elements: json)
        default:
            clear()
            throw KeyPathError(reason: .notText)
        }
    }

    /// - Parameter isKnown: the conditions are known to be expressions, so nothing checks that again.
    func parse(dotted path: ByteView, isKnown: Bool = false) throws(KeyPathError) {
        clear()
        guard !path.isEmpty else { throw KeyPathError(reason: .emptyPath) }
        var index = 0
        while true {
            index = try addComponent(path, from: index, isKnown: isKnown)
            if index == path.count { return }
            index += 1
        }
    }

    func parse(dotted path: String, isKnown: Bool = false) throws(KeyPathError) {
        try ByteView.with(path) { (view) throws(KeyPathError) in try parse(dotted: view, isKnown: isKnown) }
    }

    /// Parses a path of an expression, and takes its conditions from the rest of the expression's.
    func parse(dotted path: String, with rest: inout ArraySlice<Expression>) throws(KeyPathError) {
        try parse(dotted: path, isKnown: true)
        let count = components.count(where: \.hasCondition)
        conditions = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
    }

    /// A path with the first components of this one.
    func prefix(_ count: Int) -> ParsedKeyPath {
        let prefix = ParsedKeyPath(maxDepth: maxDepth)
        prefix.text.append(text.view)
        prefix.components.append(contentsOf: components[..<count])
        prefix.isLiteral = isLiteral
        return prefix
    }

    /// Appends these components in the escaped form that ``parse(dotted:)`` reads back.
    func appendEscaped(_ range: Range<Int>, to out: ByteBuffer) {
        for index in range {
            if index > range.lowerBound { out.append(0x2E) }
            if kind(index) == .name { out.appendEscaped(name: name(index)) } else { out.append(name(index)) }
            if components[index].hasCondition { out.append(condition(index)) }
        }
    }

    /// The first `count` components in escaped form, for messages.
    func escaped(first count: Int) -> String { escaped(0..<count) }

    private func escaped(_ range: Range<Int>) -> String {
        let out = ByteBuffer()
        appendEscaped(range, to: out)
        return out.string
    }

    private func clear() {
        text.removeAll()
        components.removeAll(keepingCapacity: true)
        isLiteral = true
        hasWildcard = false
        operatorIndex = nil
        guard conditionBytes > 0 || !conditions.isEmpty else { return }
        (conditionBytes, lastCondition) = (0, (0, 1))
        conditions.removeAll()
    }

    /// - Returns: The index of the dot after it, or the length of the path.
    private func addComponent(_ path: ByteView, from first: Int, isKnown: Bool) throws(KeyPathError) -> Int {
        lastStart = first
        let start = text.count
        var index = first
        var escaped = false
        scan: while index < path.count {
            switch path[index] {
            case 0x2E, 0x5B: break scan
            case 0x5C:
                guard index + 1 < path.count else { throw KeyPathError(reason: .danglingEscape) }
                text.append(path[index + 1])
                escaped = escaped || index == first || path[index + 1] == 0x2A
                index += 2
            case let byte:
                text.append(byte)
                index += 1
            }
        }
        if path.slice(first..<index) == EmptyName.text { text.truncate(to: start) }
        let end = text.count
        if index < path.count, path[index] == 0x5B {
            let close = isKnown ? path.endOfBracket(at: index) : try checkedCondition(in: path, at: index)
            guard let close else { throw KeyPathError(reason: .danglingEscape) }
            text.append(path.slice(index..<close))
            index = close
        }
        do throws(KeyPathError) { try add(start, end, literal: escaped) } catch {
            // The fault of a component with a condition has the component's column.
            throw text.count > end ? error.at(column: path.prefix(first).scalarCount + 1) : error
        }
        if path.count > index, index + 1 == path.count {
            throw KeyPathError(reason: .emptyComponent(number: components.count + 1))
        }
        return index
    }

    /// Parses the expression in the brackets into ``conditions``, unless it is too long. Returns the index behind the brackets.
    private func checkedCondition(in path: ByteView, at open: Int) throws(KeyPathError) -> Int {
        let length = (path.endOfBracket(at: open) ?? path.count) - open
        let isTooLong = length > ExpressionSyntax.maxBytes + 2
        if isTooLong || length > mostConditionBytes - conditionBytes {
            let reason = isTooLong ? ExpressionSyntax.tooLong : ExpressionSyntax.tooManyConditions
            let column = path.prefix(open).scalarCount + 2
            let fault = ExpressionError(column: column, reason: reason, exceedsLimit: true)
            throw KeyPathError(reason: .condition(fault))
        }
        conditionBytes += length
        let column = lastCondition.column + path.slice(lastCondition.offset..<open).scalarCount
        lastCondition = (open, column)
        var scanner = ExpressionScanner(path, at: open, column: column)
        conditions.append(try Expression.condition(at: &scanner, inner))
        return scanner.index
    }

    private func parse(elements json: JSONView) throws(KeyPathError) {
        clear()
        for element in json.elements {
            let start = text.count
            switch element.kind {
            case .string: element.appendDecoded(to: text)
            case .integer: text.append(element.view)
            default: throw KeyPathError(reason: .notAComponent(number: components.count + 1))
            }
            try add(start, text.count, literal: true)
        }
        guard !components.isEmpty else { throw KeyPathError(reason: .emptyPath) }
    }

    /// Adds the component at the end of `text`: its name from `start` to `end`, and its condition behind that.
    /// - Parameter literal: The component has escapes or came in the array form, so it is a name.
    private func add(_ start: Int, _ end: Int, literal: Bool) throws(KeyPathError) {
        let number = components.count + 1
        guard literal || end > start else { throw KeyPathError(reason: .emptyComponent(number: number)) }
        guard number <= maxDepth else { throw KeyPathError(reason: .tooDeep(limit: maxDepth)) }
        guard components.last?.kind != .anyDepth else { throw KeyPathError(reason: .anyDepthNotLast) }
        let kind = literal ? .name : try classify(text.view.slice(start..<end))
        let hasCondition = text.count > end
        if kind != .name || hasCondition { isLiteral = false }
        if kind == .anyDepth, hasCondition { throw KeyPathError(reason: .anyDepthHasCondition) }
        if kind == .anyName || kind == .anyDepth { hasWildcard = true }
        try checkOperator(kind)
        components.append(
            Component(start: Int32(start), end: Int32(end), conditionEnd: Int32(text.count), kind: kind)
        )
    }

    /// Checks the order of components around a collection operator, and stores its index.
    private func checkOperator(_ kind: Kind) throws(KeyPathError) {
        if let operatorIndex {
            guard kind == .name else { throw KeyPathError(reason: .afterOperator) }
            if collectionOperator == .count {
                throw KeyPathError(reason: .operatorTakesNoPath(name(operatorIndex).string))
            }
        } else if kind == .collectionOperator || kind == .choice {
            guard !components.isEmpty else { throw KeyPathError(reason: .operatorFirst) }
            if kind == .collectionOperator { operatorIndex = components.count }
        }
    }

    var collectionOperator: CollectionOperator? { operatorIndex.flatMap { CollectionOperator(name($0)) } }

    private func classify(_ name: ByteView) throws(KeyPathError) -> Kind {
        if name == "*" { return .anyName }
        if name == "**" { return .anyDepth }
        guard name[0] == 0x40 else { return .name }
        if Choice(name) != nil { return .choice }
        if CollectionOperator(name) == nil { throw KeyPathError(reason: .unknownOperator(name.string)) }
        return .collectionOperator
    }
}

extension ByteBuffer {
    /// Appends `name` as a component of a dotted path, with escapes, also those that tell it from a ``ForeignNotation``.
    func appendEscaped(name: ByteView) {
        if name.isEmpty { return append(EmptyName.text) }
        if name[0] == OperatorName.mark { return append(name.dropFirst(1)) }
        if name[0] == 0x40 || ForeignNotation.isWildcard(name) { append(0x5C) }
        for index in 0..<name.count {
            switch name[index] {
            case 0x2E, 0x5C, 0x2A, 0x2F, 0x5B: append(0x5C)
            default: break
            }
            append(name[index])
        }
    }
}

/// The text of an empty name in a dotted path, as a whole component.
enum EmptyName { static let text: StaticString = "\\e" }

extension ByteView {
    /// The array index that this name spells: decimal digits without a leading zero; nil for other names.
    var arrayIndex: Int? {
        guard count > 0, count <= 9 else { return nil }
        if self[0] == 0x30 { return count == 1 ? 0 : nil }
        var value = 0
        for index in 0..<count {
            let digit = Int(self[index]) - 0x30
            guard digit >= 0, digit <= 9 else { return nil }
            value = value * 10 + digit
        }
        return value
    }
}

extension ParsedKeyPath {
    var escaped: String { escaped(first: count) }

    /// Whether both have the same components, byte for byte. Strings are equal also if only their canonical forms are.
    func isSame(as other: String) -> Bool { escaped.utf8.elementsEqual(other.utf8) }

    /// What keeps the path from being written to, if it is not literal.
    var unwritable: StaticString {
        let first = (0..<count).first { kind($0) != .name || !condition($0).isEmpty } ?? 0
        switch kind(first) {
        case .choice: return "a choice"
        case .collectionOperator: return "a collection operator"
        case .name: return "a condition"
        case .anyName, .anyDepth: return "a wildcard"
        }
    }

    func escaped(_ index: Int) -> String { escaped(index..<index + 1) }
}
