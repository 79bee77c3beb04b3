// SPDX-License-Identifier: MIT
// Whether a type leads on to models. Independent of properties and observers.

@_spi(Reflection) import Swift

/// The facts about a property that follow from its type.
@usableFromInline
enum PropertyKind {
    /// Whether a value of that type is an object, or a collection of objects, so that a path can lead on through it.
    static func leadsOn(_ type: any Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        if let holder = type as? any Holder.Type { return leadsOn(holder.held) }
        return isExistential(type)
    }

    /// A value of some type that is a protocol's: most often an object.
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

    /// A value of a class, or an optional one.
    @usableFromInline
    static func isReference(_ type: any Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        guard let holder = type as? any OptionalHolder.Type else { return false }
        return holder.held is AnyObject.Type
    }
}

/// Has a field of the type that is asked about.
private struct Probe<Held> {
    let held: Held
}

/// A type that holds others.
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
