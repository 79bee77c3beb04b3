// SPDX-License-Identifier: MIT
// JSON values that own their parts. Knows neither paths, nor models, nor where it is sent.

/// A value apart from any text: what configurations, commands and tests pass around.
///
/// - Bounds: parsing refuses what nests deeper than it is told to, and never more than ``depthLimit`` levels.
/// - Errors: parsing throws a ``JSONError``, also for a number that is beyond our range.
/// - Threading: a plain value.
/// - Order: members keep the order in which their names first came; two objects are equal in whatever order.
/// - Cost: everything is copied out of the text. The hot path works on the text itself instead, see `JSONView`.
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([Value])
    case object(ValueMembers)

    /// No parsed value nests deeper, whatever the caller allows, because freeing one takes a stack frame a level.
    package static let depthLimit = 1000
}

// MARK: - Looking inside

extension Value {
    /// The member of that name; nil if there is none or this is no object.
    package subscript(name: String) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The element at that index; nil if there is none or this is no array.
    package subscript(index: Int) -> Value? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var isNull: Bool { if case .null = self { true } else { false } }
    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    package var string: String? { if case .string(let string) = self { string } else { nil } }
    package var array: [Value]? { if case .array(let elements) = self { elements } else { nil } }
    package var object: ValueMembers? { if case .object(let members) = self { members } else { nil } }

    /// The number as an integer; nil if it is not exactly one.
    package var int: Int64? {
        switch self {
        case .int(let int): int
        case .double(let double): Numbers.exactInt64(double)
        default: nil
        }
    }

    /// The number as the nearest double.
    package var double: Double? {
        switch self {
        case .int(let int): Double(int)
        case .double(let double): double
        default: nil
        }
    }
}

// MARK: - Equality

extension Value: Equatable {
    /// Numbers are compared by numeric value, strings by their Unicode scalars, objects without regard to order.
    package static func == (left: Value, right: Value) -> Bool {
        var pending = [(left, right)]
        while let pair = pending.popLast() {
            switch pair {
            case (.null, .null): continue
            case (.bool(let a), .bool(let b)): guard a == b else { return false }
            case (.int(let a), .int(let b)): guard a == b else { return false }
            case (.double(let a), .double(let b)): guard a == b else { return false }
            case (.int(let a), .double(let b)), (.double(let b), .int(let a)):
                guard Numbers.equal(a, b) else { return false }
            case (.string(let a), .string(let b)): guard a.utf8.elementsEqual(b.utf8) else { return false }
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                for (x, y) in zip(a, b) { pending.append((x, y)) }
            case (.object(let a), .object(let b)):
                guard a.count == b.count else { return false }
                for (name, value) in a {
                    guard let other = b[name] else { return false }
                    pending.append((value, other))
                }
            default: return false
            }
        }
        return true
    }
}

// MARK: - Literals

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: Value...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, Value)...) { self = .object(ValueMembers(elements)) }
}
