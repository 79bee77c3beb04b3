// SPDX-License-Identifier: MIT
// Whether two values are the same. Independent of where they come from.

/// How values of a type are compared: objects by identity, `Equatable` values with `==`, others never the same.
@usableFromInline
struct Equality<Value> {
    /// Whether values are objects, or optional ones.
    @usableFromInline let isIdentity: Bool
    @usableFromInline let areEqual: ((Value, Value) -> Bool)?

    /// For a type that is found to be `Equatable` or not when the program runs.
    @inlinable
    init() {
        isIdentity = PropertyKind.isReference(Value.self)
        areEqual = isIdentity ? nil : (Value.self as? any Equatable.Type).map { Self.comparison($0) }
    }

    /// For a type that is known to be `Equatable`; comparing costs no more than `==` does.
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
