// SPDX-License-Identifier: MIT
// The values of expressions: what an evaluation needs of a tree's values, and of JSON. Independent of operators.

/// The kind of a value, and the value itself if it needs no memory.
package enum ExpressionScalar: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case text
    /// - Parameter count: how many elements it has.
    case array(count: Int)
    case model
}

/// A value that expressions take and give.
package protocol ExpressionValue {
    static var null: Self { get }
    static func bool(_ bool: Bool) -> Self
    static func int(_ int: Int64) -> Self
    static func double(_ double: Double) -> Self
    init(text: String)

    /// The value's kind. An absent value is null.
    var operand: ExpressionScalar { get }
    /// The characters of a text; empty for other kinds.
    var text: String { get }
    /// Lends the UTF-8 of a text; empty for other kinds.
    func withUTF8<R>(_ body: (ByteView) -> R) -> R
    /// About how many bytes a comparison reads.
    var size: Int { get }
    /// The value as templates show it, and as JSON; both are empty for a model of a tree.
    var shown: String { get }
    var json: String { get }

    /// Compares as the protocol does: numbers by value, models by identity.
    func equals(_ other: Self) -> Bool
    func hasElement(equalTo value: Self) -> Bool
    func joined(with text: Self) -> Self
}

extension ExpressionValue {
    var isTrue: Bool { if case .bool(true) = operand { true } else { false } }

    var isNull: Bool { if case .null = operand { true } else { false } }

    /// The value of a kind that needs no memory; null for others, and for no kind.
    init(_ scalar: ExpressionScalar?) {
        switch scalar {
        case .bool(let bool): self = .bool(bool)
        case .int(let int): self = .int(int)
        case .double(let double): self = .double(double)
        case .null, .text, .array, .model, nil: self = .null
        }
    }
}

extension Value: ExpressionValue {
    package init(text: String) { self = .string(text) }

    package var operand: ExpressionScalar {
        switch self {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .int(let int): .int(int)
        case .double(let double): .double(double)
        case .string: .text
        case .array(let elements): .array(count: elements.count)
        case .object: .model
        }
    }

    package var text: String { string ?? "" }

    package func withUTF8<R>(_ body: (ByteView) -> R) -> R { ByteView.with(text, body) }

    package var size: Int { string?.utf8.count ?? array.map { $0.count &* 16 } ?? 1 }

    package var shown: String { string ?? json }

    package func equals(_ other: Value) -> Bool { self == other }

    package func hasElement(equalTo value: Value) -> Bool { array?.contains(value) ?? false }

    package func joined(with text: Value) -> Value { .string(self.text + text.text) }
}
