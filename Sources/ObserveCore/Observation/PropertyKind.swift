// SPDX-License-Identifier: MIT
// Finds types whose values are models or hold models. Independent of properties and observers.

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
    static func isExistential(_ type: any Any.Type) -> Bool {
        let kind = unsafe metadata(type).load(as: Int.self)
        return kind == simpleExistential || kind == constrainedExistential
    }

    // The runtime's metadata of these types begins with their kind and their flags.
    private static let simpleExistential = 0x303
    private static let constrainedExistential = 0x307

    private static func metadata(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Whether values of the type are objects, or optional objects: a class, or a protocol that only classes adopt.
    @usableFromInline
    static func isReference(_ type: any Any.Type) -> Bool {
        if isObject(type) { return true }
        guard let holder = type as? any OptionalHolder.Type else { return false }
        return isObject(holder.held)
    }

    private static func isObject(_ type: any Any.Type) -> Bool {
        type is AnyObject.Type || isClassBound(type)
    }

    /// Whether the type is `AnyObject`, or `any` protocol that only classes adopt. Its values begin with the object.
    private static func isClassBound(_ type: any Any.Type) -> Bool {
        guard unsafe metadata(type).load(as: Int.self) == simpleExistential else { return false }
        // The highest flag says "not only classes".
        return unsafe metadata(type).load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self) >> 31 == 0
    }
}

/// An optional, or a collection, that may hold models.
protocol Holder {
    static var held: any Any.Type { get }
}

protocol OptionalHolder: Holder {}

extension Optional: Holder, OptionalHolder {
    static var held: any Any.Type { Wrapped.self }
}

extension Array: Holder {
    static var held: any Any.Type { Element.self }
}

extension Set: Holder {
    static var held: any Any.Type { Element.self }
}

extension Dictionary: Holder {
    static var held: any Any.Type { Value.self }
}
