// SPDX-License-Identifier: MIT
// JSON values that own their parts. Independent of paths and models.

/// A JSON value that owns its parts, for configurations, commands and tests.
/// - Bounds: the parser limits nesting to its `maxDepth`, and always to ``depthLimit``.
/// - Errors: the parser throws a ``JSONError``, also for a number out of range.
/// - Threading: a value type.
/// - Order: members keep the order in which their names first occurred; equality ignores the order.
/// - Cost: copies everything from the text. Hot paths read the text itself: see `JSONView`.
public enum Value: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// Text.
    case string(String)
    /// An array.
    case array([Value])
    /// An object.
    case object(ValueMembers)

    /// The parser refuses values that nest deeper, because writing, comparing and freeing a value take a stack frame per level.
    public static let depthLimit = 1000
}

// MARK: - Looking inside

extension Value {
    /// The member of that name; nil if there is none or this is not an object.
    public subscript(name: String) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The element at that index; nil if there is none or this is not an array.
    public subscript(index: Int) -> Value? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool(let bool): bool ? .true : .false
        case .int: .integer
        case .double: .double
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Whether it is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
    /// The boolean; nil for other kinds.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The text; nil for other kinds.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
    /// The elements; nil if this is not an array.
    public var array: [Value]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members; nil if this is not an object.
    public var object: ValueMembers? { if case .object(let members) = self { members } else { nil } }

    /// The number as an integer; nil if it is not an exact integer.
    public var int: Int64? {
        switch self {
        case .int(let int): int
        case .double(let double): Numbers.exactInt64(double)
        default: nil
        }
    }

    /// The number as the nearest double.
    public var double: Double? {
        switch self {
        case .int(let int): Double(int)
        case .double(let double): double
        default: nil
        }
    }
}

// MARK: - Equality

extension Value: Equatable {
    /// Compares numbers by value, strings by Unicode scalars, and objects regardless of order.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Numbers.equal(a, b)
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.count == b.count && a.allSatisfy { b[$0.name] == $0.value }
        default: false
        }
    }
}

// MARK: - Literals

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number without a fraction.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// An object. If a name occurs more than once, the last value wins.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ValueMembers(elements)) }
}
