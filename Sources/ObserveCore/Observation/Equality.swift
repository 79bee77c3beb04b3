// SPDX-License-Identifier: MIT
// Compares values of any type. Independent of their source.

/// The comparison of a type: objects by identity, `Equatable` values with `==`. Other values are never equal.
@usableFromInline
struct Equality<Value> {
    /// Whether values are objects, or optional objects.
    @usableFromInline let isIdentity: Bool
    @usableFromInline let areEqual: ((Value, Value) -> Bool)?

    /// For any type. Looks up at run time whether it is `Equatable`.
    @inlinable
    init() {
        isIdentity = PropertyKind.isReference(Value.self)
        areEqual = isIdentity ? nil : (Value.self as? any Equatable.Type).map { Self.comparison($0) }
    }

    /// For a type that is `Equatable` at compile time. A comparison costs no more than `==`.
    @inlinable
    init() where Value: Equatable {
        isIdentity = PropertyKind.isReference(Value.self)
        areEqual = { $0 == $1 }
    }

    /// Whether values can be compared.
    @inlinable var isKnown: Bool { isIdentity || areEqual != nil }

    @inlinable
    func isEqual(_ left: Value, _ right: Value) -> Bool {
        if isIdentity {
            return unsafe unsafeBitCast(left, to: AnyObject?.self)
                === unsafeBitCast(right, to: AnyObject?.self)
        }
        return areEqual?(left, right) ?? false
    }

    @usableFromInline
    static func comparison<Same: Equatable>(_: Same.Type) -> (Value, Value) -> Bool {
        { unsafe unsafeBitCast($0, to: Same.self) == unsafeBitCast($1, to: Same.self) }
    }
}
