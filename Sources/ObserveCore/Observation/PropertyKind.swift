// SPDX-License-Identifier: MIT
// Finds types whose values are models or hold models. Independent of properties and observers.

@_spi(Reflection) import Swift

/// Facts about a property that follow from its type.
@usableFromInline
enum PropertyKind {
    /// Whether a value of that type is an object, or a collection of objects, so that a path can continue through
    /// it.
    static func leadsOn(_ type: any Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        if let holder = type as? any Holder.Type { return leadsOn(holder.held) }
        return isExistential(type)
    }

    /// Whether the type is a protocol's: its value is most often an object.
    private static func isExistential(_ type: any Any.Type) -> Bool {
        func ask<Held>(_: Held.Type) -> Bool {
            var isExistential = false
            unsafe _forEachField(of: Probe<Held>.self) { _, _, _, kind in
                isExistential = kind == .existential
                return true
            }
            return isExistential
        }
        return ask(type)
    }

    /// Whether the type is a class, or an optional of one.
    @usableFromInline
    static func isReference(_ type: any Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        guard let holder = type as? any OptionalHolder.Type else { return false }
        return holder.held is AnyObject.Type
    }
}

/// Has a field of the examined type.
private struct Probe<Held> {
    let held: Held
}

/// An optional, or a collection, that may hold models.
private protocol Holder {
    static var held: any Any.Type { get }
}

private protocol OptionalHolder: Holder {}

extension Optional: Holder, OptionalHolder {
    fileprivate static var held: any Any.Type { Wrapped.self }
}

extension Array: Holder {
    fileprivate static var held: any Any.Type { Element.self }
}

extension Set: Holder {
    fileprivate static var held: any Any.Type { Element.self }
}

extension Dictionary: Holder {
    fileprivate static var held: any Any.Type { Value.self }
}
