// SPDX-License-Identifier: MIT
// Parses a dotted key path into components. Independent of models and observation.

/// One dotted key path, parsed into storage that the next parse reuses.
///
/// `app.contents.0.title` has four components. `\` makes the next character literal. An unescaped `*` or `**` is a
/// wildcard; a component that begins with an unescaped `@` is a collection operator (KVC). `\e` is the empty name.
///
/// - Bounds: at most `maxDepth` components.
/// - Errors: throws ``KeyPathError``; the contents are then undefined until the next parse.
/// - Threading: confined to its owner.
/// - Cost: one pass; allocates only for a path longer than all before.
final class ParsedKeyPath {
    enum Kind: UInt8 {
        case name
        case anyName
        case anyDepth
        case collectionOperator
    }

    private struct Component {
        var start: Int32
        var end: Int32
        var kind: Kind
    }

    private let maxDepth: Int
    private let text = ByteBuffer(capacity: 128)
    private let decoded = ByteBuffer(capacity: 128)
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var components: [Component] = []
    /// Whether the path has neither a wildcard nor an operator.
    private(set) var isLiteral = true
    private(set) var hasWildcard = false
    /// The index of the collection operator. The components after it are a path within each element.
    private(set) var operatorIndex: Int?

    init(maxDepth: Int) {
        self.maxDepth = maxDepth
        components.reserveCapacity(16)
    }

    var count: Int { components.count }

    /// The unescaped name of a component; valid until the next parse.
    func name(_ index: Int) -> ByteView {
        let component = components[index]
        return text.view.slice(Int(component.start)..<Int(component.end))
    }

    func kind(_ index: Int) -> Kind { components[index].kind }

    /// Parses a path of a request: a string in dotted form, or an array of names and integers.
    func parse(_ json: JSONView) throws(KeyPathError) {
        switch json.kind {
        case .string where !json.hasEscapes: try parse(dotted: json.contents)
        case .string:
            decoded.removeAll()
            json.appendDecoded(to: decoded)
            try parse(dotted: decoded.view)
        case .array: try parse(elements: json)
        default: throw KeyPathError(reason: .notText)
        }
    }

    func parse(dotted path: ByteView) throws(KeyPathError) {
        clear()
        guard !path.isEmpty else { throw KeyPathError(reason: .emptyPath) }
        var index = 0
        while true {
            index = try parseComponent(path, from: index)
            if index == path.count { return }
            index += 1
        }
    }

    func parse(dotted path: String) throws(KeyPathError) {
        try ByteView.with(Array(path.utf8)) { (view) throws(KeyPathError) in try parse(dotted: view) }
    }

    /// Copies the first `count` components of another path.
    func copy(_ other: ParsedKeyPath, first count: Int) {
        clear()
        text.append(other.text.view)
        components.append(contentsOf: other.components[..<count])
        isLiteral = other.isLiteral
    }

    /// Appends the first `count` components in the escaped form that ``parse(dotted:)`` reads back.
    func appendEscaped(first count: Int, to out: ByteBuffer) {
        for index in 0..<count {
            if index > 0 { out.append(0x2E) }
            if kind(index) == .name {
                out.appendEscaped(name: name(index))
            } else {
                out.append(name(index))
            }
        }
    }

    /// Appends the collection operator and the components after it, in escaped form.
    func appendOperator(to out: ByteBuffer) {
        guard let operatorIndex else { return }
        for index in operatorIndex..<count {
            if index > operatorIndex { out.append(0x2E) }
            if index == operatorIndex {
                out.append(name(index))
            } else {
                out.appendEscaped(name: name(index))
            }
        }
    }

    /// The first `count` components in escaped form, for messages.
    func escaped(first count: Int) -> String {
        let out = ByteBuffer()
        appendEscaped(first: count, to: out)
        return out.string
    }

    private func clear() {
        text.removeAll()
        components.removeAll(keepingCapacity: true)
        isLiteral = true
        hasWildcard = false
        operatorIndex = nil
    }

    /// Parses one component.
    ///
    /// - Returns: The index of the dot after it, or the length of the path.
    private func parseComponent(_ path: ByteView, from first: Int) throws(KeyPathError) -> Int {
        let start = text.count
        var index = first
        var escaped = false
        scan: while index < path.count {
            switch path[index] {
            case 0x2E: break scan
            case 0x5C:
                guard index + 1 < path.count else { throw KeyPathError(reason: .danglingEscape) }
                text.append(path[index + 1])
                escaped = escaped || index == first || isAsterisk(path[index + 1])
                index += 2
            case let byte:
                text.append(byte)
                index += 1
            }
        }
        if path.slice(first..<index) == EmptyName.text { text.truncate(to: start) }
        try add(Component(start: Int32(start), end: Int32(text.count), kind: .name), literal: escaped)
        if path.count > index, index + 1 == path.count {
            throw KeyPathError(reason: .emptyComponent(number: components.count + 1))
        }
        return index
    }

    private func parse(elements json: JSONView) throws(KeyPathError) {
        clear()
        try json.forEachElement { (element) throws(KeyPathError) in
            let start = text.count
            switch element.kind {
            case .string: element.appendDecoded(to: text)
            case .integer: text.append(element.view)
            default: throw KeyPathError(reason: .notAComponent(number: components.count + 1))
            }
            try add(Component(start: Int32(start), end: Int32(text.count), kind: .name), literal: true)
        }
        guard !components.isEmpty else { throw KeyPathError(reason: .emptyPath) }
    }

    /// Adds the component at the end of `text`.
    ///
    /// - Parameter literal: The component has escapes or came in the array form, so it is a name.
    private func add(_ component: Component, literal: Bool) throws(KeyPathError) {
        let number = components.count + 1
        guard literal || component.end > component.start else {
            throw KeyPathError(reason: .emptyComponent(number: number))
        }
        guard number <= maxDepth else { throw KeyPathError(reason: .tooDeep(limit: maxDepth)) }
        guard components.last?.kind != .anyDepth else { throw KeyPathError(reason: .anyDepthNotLast) }
        var component = component
        if !literal {
            component.kind = try classify(text.view.slice(Int(component.start)..<Int(component.end)))
        }
        if component.kind != .name { isLiteral = false }
        if component.kind == .anyName || component.kind == .anyDepth { hasWildcard = true }
        try checkOperator(component.kind)
        components.append(component)
    }

    /// Checks the order of components around a collection operator, and stores its index.
    private func checkOperator(_ kind: Kind) throws(KeyPathError) {
        if let operatorIndex {
            guard kind == .name else { throw KeyPathError(reason: .afterOperator) }
            if collectionOperator == .count {
                throw KeyPathError(reason: .operatorTakesNoPath(name(operatorIndex).string))
            }
        } else if kind == .collectionOperator {
            guard !components.isEmpty else { throw KeyPathError(reason: .operatorFirst) }
            operatorIndex = components.count
        }
    }

    /// The collection operator in the path.
    var collectionOperator: CollectionOperator? { operatorIndex.flatMap { CollectionOperator(name($0)) } }

    private func classify(_ name: ByteView) throws(KeyPathError) -> Kind {
        if name == "*" { return .anyName }
        if name == "**" { return .anyDepth }
        guard name[0] == 0x40 else { return .name }
        guard CollectionOperator(name) != nil else {
            throw KeyPathError(reason: .unknownOperator(name.string))
        }
        return .collectionOperator
    }

    private func isAsterisk(_ byte: UInt8) -> Bool { byte == 0x2A }
}

extension ByteBuffer {
    /// Appends `name` as one component of a dotted path, with the escapes that it needs, and with those that tell it from
    /// another program's notation: see ``ForeignNotation``.
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
enum EmptyName {
    static let text: StaticString = "\\e"
}

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
    /// The whole path in escaped form.
    var escaped: String { escaped(first: count) }
}
