// SPDX-License-Identifier: MIT
// Compares values of any type. Independent of their source.

/// The comparison of a type: objects by identity, also those of a protocol that only classes adopt; `Equatable` values with
/// `==`, and NaN equals itself (``Likeness``). Other values are never equal.
@usableFromInline struct Equality<Value> {
    /// Whether values are objects, or optional objects.
    @usableFromInline let isIdentity: Bool
    @usableFromInline let areEqual: ((Value, Value) -> Bool)?

    /// For any type. Looks up at run time whether it is `Equatable`.
    @inlinable init() {
        isIdentity = PropertyKind.isReference(Value.self)
        areEqual = isIdentity ? nil : (Value.self as? any Equatable.Type).map { Self.comparison($0) }
    }

    /// For a type that is `Equatable` at compile time. A comparison costs no more than `==`.
    @inlinable init() where Value: Equatable {
        isIdentity = PropertyKind.isReference(Value.self)
        areEqual = Likeness.isPlain(Value.self) ? { $0 == $1 } : { $0 == $1 || Likeness.areAlike($0, $1) }
    }

    /// Whether values can be compared.
    @inlinable var isKnown: Bool { isIdentity || areEqual != nil }

    @inlinable func isEqual(_ left: Value, _ right: Value) -> Bool {
        if isIdentity { return Self.object(left) === Self.object(right) }
        return areEqual?(left, right) ?? false
    }

    /// The object that a value is, if ``isIdentity``.
    @inlinable @inline(__always) static func object(_ value: borrowing Value) -> AnyObject? {
        if MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size {
            return unsafe unsafeBitCast(copy value, to: AnyObject?.self)
        }
        return objectOfExistential(copy value)
    }

    /// The object of a protocol's value, which begins with it.
    @usableFromInline static func objectOfExistential(_ value: Value) -> AnyObject? {
        unsafe withUnsafeBytes(of: value) { bytes in
            guard let object = unsafe bytes.load(as: UnsafeRawPointer?.self) else { return nil }
            return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        }
    }

    /// The value that is this object, the counterpart of ``object(_:)``.
    @inlinable @inline(__always) static func value(_ object: AnyObject?) -> Value? {
        if MemoryLayout<Value>.size == MemoryLayout<AnyObject?>.size {
            return unsafe unsafeBitCast(object, to: Value.self)
        }
        return existential(object)
    }

    @usableFromInline static func existential(_ object: AnyObject?) -> Value? {
        object.map { $0 as Any } as? Value ?? (object as Any) as? Value
    }

    @usableFromInline static func comparison<Same: Equatable>(_: Same.Type) -> (Value, Value) -> Bool {
        { left, right in
            let (left, right) = unsafe (
                unsafeBitCast(left, to: Same.self), unsafeBitCast(right, to: Same.self)
            )
            return left == right || !Likeness.isPlain(Same.self) && Likeness.areAlike(left, right)
        }
    }
}
