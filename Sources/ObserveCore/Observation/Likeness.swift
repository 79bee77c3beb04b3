// SPDX-License-Identifier: MIT
// Compares values in which NaN may occur, which does not equal itself. Independent of observers.

@_spi(Reflection) import Swift

/// How two values compare. Values are *alike* if they differ only where both have NaN, in whatever structures, cases and
/// collections: to `==` they are different, and a binding would assign them again and again.
@usableFromInline enum Likeness {
    case different
    case alike
    case equal

    /// Whether all values of a type equal themselves, so that `==` decides. Only the most frequent types, for speed: integers,
    /// strings and Booleans, and optionals, arrays and dictionaries of them.
    @inlinable @inline(__always) static func isPlain<Value>(_ type: Value.Type) -> Bool {
        consists(type, of: String.self) || consists(type, of: Int.self) || consists(type, of: Bool.self)
            || consists(type, of: Int64.self) || consists(type, of: UInt64.self)
    }

    /// Whether a type is the other one, or an optional, an array or a dictionary of it.
    @inlinable @inline(__always) static func consists<Value, Plain>(_: Value.Type, of _: Plain.Type) -> Bool {
        Value.self == Plain.self || Value.self == Plain?.self || Value.self == [Plain].self
            || Value.self == [String: Plain].self
    }

    /// Whether values that `==` finds different are alike.
    /// - Cost: of a number, two comparisons. Other values are reflected, up to the first difference.
    @usableFromInline static func areAlike<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
        // What holds no references has no collections, which skip the comparison with themselves.
        if _isPOD(Value.self), left == left || right == right { return false }
        return ofUnequal(left, right) == .alike
    }

    fileprivate static func of<Value: Equatable>(_ left: Value, _ right: Value) -> Likeness {
        left == right ? .equal : ofUnequal(left, right)
    }

    private static func ofUnequal<Value: Equatable>(_ left: Value, _ right: Value) -> Likeness {
        if Value.self is any FloatingPoint.Type {
            return left != left && right != right ? .alike : .different
        }
        if let left = left as? any ComparableByParts { return left.likeness(to: right) }
        if let left = left as? any SIMD { return left.likeness(to: right) }
        if left is any CustomReflectable, _isPOD(Value.self) {
            return areSameBytes(left, right) ? .alike : .different
        }
        return ofParts(left, right)
    }

    /// Whether values without references have the same bytes. The mirrors of some do not show all that they hold.
    private static func areSameBytes<Value>(_ left: Value, _ right: Value) -> Bool {
        unsafe withUnsafeBytes(of: left) { left in
            unsafe withUnsafeBytes(of: right) { right in unsafe left.elementsEqual(right) }
        }
    }

    /// Compares the stored properties of structures, and the values of a case.
    private static func ofParts(_ left: Any, _ right: Any) -> Likeness {
        let type: any Any.Type = type(of: left)
        guard type == Swift.type(of: right) else { return .different }
        let isCustom = left is any CustomReflectable
        let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
        switch left.displayStyle {
        case .struct, .tuple, .enum: break
        default: return .different
        }
        guard left.children.count == right.children.count, !isCustom || showsAll(left, of: type)
        else { return .different }
        return ofAll(
            zip(left.children, right.children).lazy.map { left, right in
                left.label == right.label ? ofAny(left.value, right.value) : .different
            }
        )
    }

    /// Whether a structure's own mirror may show all that it stores, as that of `Measurement` does.
    private static func showsAll(_ mirror: Mirror, of type: any Any.Type) -> Bool {
        var count = 0
        let isStructure = unsafe _forEachField(of: type, options: []) { _, _, _, _ in
            count += 1
            return true
        }
        return isStructure && mirror.children.count >= count
    }

    private static func ofAny(_ left: Any, _ right: Any) -> Likeness {
        if type(of: left) is AnyClass, !(left is any Equatable) {
            return left as AnyObject === right as AnyObject ? .equal : .different
        }
        guard let left = left as? any Equatable else { return ofParts(left, right) }
        return left.likeness(toAny: right)
    }

    /// Of a whole whose parts are so, up to the first difference.
    fileprivate static func ofAll(_ parts: some Sequence<Likeness>) -> Likeness {
        var found = equal
        for part in parts {
            if part == .different { return .different }
            if found == .equal { found = part }
        }
        return found
    }
}

extension Equatable {
    fileprivate func likeness(toAny other: Any) -> Likeness {
        guard let other = other as? Self else { return .different }
        return Likeness.of(self, other)
    }
}

/// A type of the standard library whose parts compare apart from its own form.
private protocol ComparableByParts { func likeness(to other: Any) -> Likeness }

extension Optional: ComparableByParts where Wrapped: Equatable {
    func likeness(to other: Any) -> Likeness {
        guard let other = other as? Self, let left = self, let right = other else { return .different }
        return Likeness.of(left, right)
    }
}

extension ComparableByParts where Self: Collection, Element: Equatable {
    func likeness(to other: Any) -> Likeness {
        guard let other = other as? Self, count == other.count else { return .different }
        return Likeness.ofAll(zip(self, other).lazy.map { Likeness.of($0, $1) })
    }
}

extension SIMD {
    fileprivate func likeness(to other: Any) -> Likeness {
        guard let other = other as? Self else { return .different }
        return Likeness.ofAll(indices.lazy.map { Likeness.of(self[$0], other[$0]) })
    }
}

extension Array: ComparableByParts where Element: Equatable {}

extension ContiguousArray: ComparableByParts where Element: Equatable {}

extension ArraySlice: ComparableByParts where Element: Equatable {}

extension Dictionary: ComparableByParts where Value: Equatable {
    func likeness(to other: Any) -> Likeness {
        guard let other = other as? Self, count == other.count else { return .different }
        return Likeness.ofAll(
            lazy.map { key, value in other[key].map { Likeness.of(value, $0) } ?? .different }
        )
    }
}
