// SPDX-License-Identifier: MIT
// Converts Swift values to JSON values and back. Independent of models.

/// The JSON type of a ``ModelValue``.
public enum ModelValueKind: Sendable {
    /// `true` and `false`.
    case bool
    /// A 64-bit number without a fraction.
    case int
    /// A number.
    case double
    /// Text.
    case string
    /// Any JSON.
    case any
}

/// A type whose values convert to JSON and back.
///
/// The standard library's floating-point numbers and its integers of up to 64 signed bits conform, `String` and `Bool`, and
/// arrays, optionals and dictionaries of them. An enumeration with raw values conforms by declaration:
///
/// ```swift
/// enum Shuffle: String, ModelValue { case off, songs, albums }
/// ```
///
/// - Threading: value types.
public protocol ModelValue {
    /// The JSON type of the values.
    static var modelValueKind: ModelValueKind { get }

    /// Converts from JSON; nil if `modelValue` has the wrong type.
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
    /// Nil unless `modelValue` is a boolean.
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
    /// Nil unless `modelValue` is text.
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
    /// Nil unless `modelValue` is a number.
    public init?(modelValue: Value) {
        guard let double = modelValue.double else { return nil }
        self = double
    }
    /// The value as JSON; null if it is not finite.
    public var modelValue: Value { isFinite ? .double(self) : .null }
}

extension Float: ModelValue {
    /// A number.
    public static var modelValueKind: ModelValueKind { .double }
    /// The nearest value; nil unless `modelValue` is a number within the range.
    public init?(modelValue: Value) {
        guard let double = modelValue.double, Float(double).isFinite else { return nil }
        self = Float(double)
    }
    /// The value as JSON; null if it is not finite.
    public var modelValue: Value { Double(self).modelValue }
}

extension ModelValue where Self: FixedWidthInteger {
    /// A number without a fraction.
    public static var modelValueKind: ModelValueKind { .int }
    /// Nil unless `modelValue` is an integer of this type.
    public init?(modelValue: Value) {
        guard let int = modelValue.int, let exact = Self(exactly: int) else { return nil }
        self = exact
    }
    /// The value as JSON, clamped to 64 signed bits.
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
    /// The JSON type of the raw value.
    public static var modelValueKind: ModelValueKind { RawValue.modelValueKind }
    /// Nil unless `modelValue` is a raw value of a case.
    public init?(modelValue: Value) {
        guard let rawValue = RawValue(modelValue: modelValue) else { return nil }
        self.init(rawValue: rawValue)
    }
    /// The raw value as JSON.
    public var modelValue: Value { rawValue.modelValue }
}

extension Optional: ModelValue where Wrapped: ModelValue {
    /// Null, or the JSON type of the value.
    public static var modelValueKind: ModelValueKind { .any }
    /// Converts null to nil.
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
    /// Nil unless `modelValue` is an array and all elements convert.
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
    /// Nil unless `modelValue` is an object and all members convert.
    public init?(modelValue: ObserveCore.Value) {
        guard let members = modelValue.object else { return nil }
        self = [:]
        for (name, value) in members {
            guard let value = Value(modelValue: value) else { return nil }
            self[name] = value
        }
    }
    /// The value as JSON, with members sorted by name.
    public var modelValue: ObserveCore.Value {
        .object(ValueMembers(sorted { $0.key < $1.key }.map { ($0.key, $0.value.modelValue) }))
    }
}
