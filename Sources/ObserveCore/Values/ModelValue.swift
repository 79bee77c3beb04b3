// SPDX-License-Identifier: MIT
// Swift values as JSON values and back. Knows nothing of models or of where they are sent.

/// What a ``ModelValue`` is on the wire.
public enum ModelValueKind: Sendable {
    /// `true` and `false`.
    case bool
    /// A number of 64 bits without a fraction.
    case int
    /// A number.
    case double
    /// Text.
    case string
    /// Anything.
    case any
}

/// A type whose values can be shown on a socket, and be made of what comes from one.
///
/// The standard library's numbers, `String` and `Bool` are such types, and arrays, optionals and dictionaries of them. An
/// enumeration with raw values becomes one by saying so:
///
/// ```swift
/// enum Shuffle: String, ModelValue { case off, songs, albums }
/// ```
///
/// - Threading: plain values.
public protocol ModelValue {
    /// What a value is on the wire.
    static var modelValueKind: ModelValueKind { get }

    /// The value that `modelValue` stands for; nil if it stands for none.
    init?(modelValue: Value)

    /// The value as JSON.
    var modelValue: Value { get }
}

extension Value: ModelValue {
    /// Any JSON.
    public static var modelValueKind: ModelValueKind { .any }
    /// The value itself.
    public init?(modelValue: Value) { self = modelValue }
    /// The value itself.
    public var modelValue: Value { self }
}

extension Bool: ModelValue {
    /// A boolean.
    public static var modelValueKind: ModelValueKind { .bool }
    /// Nil for all but booleans.
    public init?(modelValue: Value) {
        guard let bool = modelValue.bool else { return nil }
        self = bool
    }
    /// The value as JSON.
    public var modelValue: Value { .bool(self) }
}

extension String: ModelValue {
    /// Text.
    public static var modelValueKind: ModelValueKind { .string }
    /// Nil for all but text.
    public init?(modelValue: Value) {
        guard let string = modelValue.string else { return nil }
        self = string
    }
    /// The value as JSON.
    public var modelValue: Value { .string(self) }
}

extension Double: ModelValue {
    /// A number.
    public static var modelValueKind: ModelValueKind { .double }
    /// Nil for all but numbers.
    public init?(modelValue: Value) {
        guard let double = modelValue.double else { return nil }
        self = double
    }
    /// The value as JSON; what is not finite is null there.
    public var modelValue: Value { isFinite ? .double(self) : .null }
}

extension Float: ModelValue {
    /// A number.
    public static var modelValueKind: ModelValueKind { .double }
    /// The nearest value; nil for all but numbers, and for those beyond its range.
    public init?(modelValue: Value) {
        guard let double = modelValue.double, Float(double).isFinite else { return nil }
        self = Float(double)
    }
    /// The value as JSON; what is not finite is null there.
    public var modelValue: Value { Double(self).modelValue }
}

extension ModelValue where Self: FixedWidthInteger {
    /// A number without a fraction.
    public static var modelValueKind: ModelValueKind { .int }
    /// Nil for all but the type's own numbers.
    public init?(modelValue: Value) {
        guard let int = modelValue.int, let exact = Self(exactly: int) else { return nil }
        self = exact
    }
    /// The value as JSON; beyond 64 signed bits the nearest number that they hold.
    public var modelValue: Value { .int(Int64(clamping: self)) }
}

extension Int: ModelValue {}
extension Int8: ModelValue {}
extension Int16: ModelValue {}
extension Int32: ModelValue {}
extension Int64: ModelValue {}
extension UInt8: ModelValue {}
extension UInt16: ModelValue {}
extension UInt32: ModelValue {}

extension ModelValue where Self: RawRepresentable, RawValue: ModelValue {
    /// What the raw value is.
    public static var modelValueKind: ModelValueKind { RawValue.modelValueKind }
    /// Nil for what is no raw value.
    public init?(modelValue: Value) {
        guard let rawValue = RawValue(modelValue: modelValue) else { return nil }
        self.init(rawValue: rawValue)
    }
    /// The raw value as JSON.
    public var modelValue: Value { rawValue.modelValue }
}

extension Optional: ModelValue where Wrapped: ModelValue {
    /// Null, or what the value is.
    public static var modelValueKind: ModelValueKind { .any }
    /// Null is nil.
    public init?(modelValue: Value) {
        if modelValue.isNull {
            self = .none
        } else {
            guard let wrapped = Wrapped(modelValue: modelValue) else { return nil }
            self = wrapped
        }
    }
    /// The value as JSON.
    public var modelValue: Value { self?.modelValue ?? .null }
}

extension Array: ModelValue where Element: ModelValue {
    /// An array.
    public static var modelValueKind: ModelValueKind { .any }
    /// Nil unless it is an array and all elements are the element type's.
    public init?(modelValue: Value) {
        guard let elements = modelValue.array else { return nil }
        self = []
        reserveCapacity(elements.count)
        for element in elements {
            guard let element = Element(modelValue: element) else { return nil }
            append(element)
        }
    }
    /// The value as JSON.
    public var modelValue: Value { .array(map(\.modelValue)) }
}

extension Dictionary: ModelValue where Key == String, Value: ModelValue {
    /// An object.
    public static var modelValueKind: ModelValueKind { .any }
    /// Nil unless it is an object and all members are the value type's.
    public init?(modelValue: ObserveCore.Value) {
        guard let members = modelValue.object else { return nil }
        self = [:]
        for (name, value) in members {
            guard let value = Value(modelValue: value) else { return nil }
            self[name] = value
        }
    }
    /// The value as JSON, its members in the order of their names.
    public var modelValue: ObserveCore.Value {
        .object(ValueMembers(sorted { $0.key < $1.key }.map { ($0.key, $0.value.modelValue) }))
    }
}
