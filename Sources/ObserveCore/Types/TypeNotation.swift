// SPDX-License-Identifier: MIT
// Parses Swift's notation for types. Independent of the use of a type.

/// Why a text is not a type, as one sentence.
struct TypeNotationError: Error, Equatable { let message: String }

/// Parses one complete type, of at most ``maxDepth`` levels.
struct TypeNotation {
    private static let maxDepth = 64
    private static let builtIn: [(name: String, type: ValueType)] = [
        ("Any", .any), ("Bool", .bool), ("Double", .double), ("Int", .int), ("String", .string),
    ]
    private static let modifiers: [String: Declared.Traits] = ["weak": .weak, "readonly": .readonly]

    private let text: [UInt8]
    private var position = 0

    private init(_ source: String) { text = Array(source.utf8) }

    /// - Parameter table: has the declared types, and receives new dictionary types.
    static func parse(_ source: String, in table: inout TypeTable) throws(TypeNotationError) -> Declared {
        var notation = TypeNotation(source)
        var declared = Declared.anything
        while let modifier = notation.parseModifier() { declared.traits.insert(modifier) }
        declared.type = try notation.readType(in: &table, depth: 0)
        guard notation.next == nil else { throw notation.unexpected("nothing more") }
        return declared
    }

    /// Why a model type can't have that name; nil if it can.
    static func refusal(ofName name: String) -> String? {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, !isDigit(first), bytes.allSatisfy(isWordByte)
        else { return "expected a type's name: letters, digits and _, and no digit first" }
        if builtIn.contains(where: { $0.name == name }) || modifiers[name] != nil {
            return "\(name) means something already, expected another name"
        }
        return nil
    }

    // MARK: The grammar

    private mutating func readType(in table: inout TypeTable, depth: Int) throws(TypeNotationError)
        -> ValueType
    {
        guard depth < Self.maxDepth
        else { throw TypeNotationError(message: "a type nests at most \(Self.maxDepth) levels") }
        var type = consume(0x5B) ? try readBrackets(in: &table, depth: depth) : try readName(in: &table)
        while consume(0x3F) { type = type.madeOptional }
        return type
    }

    private mutating func readBrackets(in table: inout TypeTable, depth: Int) throws(TypeNotationError)
        -> ValueType
    {
        let first = try readType(in: &table, depth: depth + 1)
        guard consume(0x3A) else {
            try expect(0x5D, "a closing ]")
            return .array(first)
        }
        guard first == .string
        else { throw TypeNotationError(message: "the keys of a dictionary are String, as in [String: Int]") }
        let element = try readType(in: &table, depth: depth + 1)
        try expect(0x5D, "a closing ]")
        return .model(table.dictionary(of: element))
    }

    private mutating func readName(in table: inout TypeTable) throws(TypeNotationError) -> ValueType {
        let name = parseWord()
        guard !name.isEmpty else { throw unexpected("a type") }
        if let known = Self.builtIn.first(where: { $0.name == name }) {
            return consume(0x28) ? try readRange(of: known.type, name, in: &table) : known.type
        }
        if let known = table.find(name) { return .model(known) }
        let known = Self.builtIn.map(\.name) + table.suggestions
        let offer = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
        throw TypeNotationError(
            message: "unknown type \(name), expected Any, Bool, Double, Int, String or one in types\(offer)"
        )
    }

    /// Parses the rest of a range after its opening parenthesis: `0...100)`.
    private mutating func readRange(of base: ValueType, _ name: String, in table: inout TypeTable)
        throws(TypeNotationError) -> ValueType
    {
        guard base == .int || base == .double else {
            throw TypeNotationError(
                message: "\(name) has no range, expected Int or Double, as in Int(0...100)"
            )
        }
        let low = try readBound()
        for _ in 0..<3 { try expect(0x2E, "a range like 0...100") }
        let high = try readBound()
        try expect(0x29, "a closing )")
        guard let range = Refinement(base, from: low, to: high) else {
            throw TypeNotationError(
                message: "expected a range of \(name) with at least one bound, the lower one first, "
                    + "as \(name)(0...100), \(name)(0...) or \(name)(...100)"
            )
        }
        return table.declare(range)
    }

    /// Parses a number before `...` or `)`; nil if there is none.
    private mutating func readBound() throws(TypeNotationError) -> StoredValue? {
        guard let first = next, first == 0x2D || Self.isDigit(first) else { return nil }
        let start = position
        while position < text.count, text[position] != 0x29, text[position] != 0x20,
            !text[position...].starts(with: [0x2E, 0x2E])
        {
            position += 1
        }
        switch try? Value(json: Array(text[start..<position]), maxDepth: 1) {
        case .int(let int)?: return .int(int)
        case .double(let double)?: return .double(double)
        default:
            position = start
            throw unexpected("a number")
        }
    }

    private mutating func parseModifier() -> Declared.Traits? {
        let start = position
        let word = parseWord()
        // A word without another one behind it is a type, even `weak`.
        if let modifier = Self.modifiers[word], next != nil, next != 0x3F { return modifier }
        position = start
        return nil
    }

    // MARK: Characters

    private var next: UInt8? {
        mutating get {
            while position < text.count, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
            return position < text.count ? text[position] : nil
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8, _ wanted: String) throws(TypeNotationError) {
        guard consume(byte) else { throw unexpected(wanted) }
    }

    private mutating func parseWord() -> String {
        guard let first = next, !Self.isDigit(first) else { return "" }
        let start = position
        while position < text.count, Self.isWordByte(text[position]) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == 0x5F || byte >= 0x80 || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }

    private mutating func unexpected(_ wanted: String) -> TypeNotationError {
        let rest = next == nil ? "the end" : String(decoding: text[position...].prefix(20), as: UTF8.self)
        return TypeNotationError(
            message: "expected a type in Swift's notation, as [String: Player]?; found \(rest) "
                + "where \(wanted) was expected"
        )
    }
}
