// SPDX-License-Identifier: MIT
// Finds types whose values are models or hold models. Independent of properties and observers.

/// Facts about a property that follow from its type.
@usableFromInline enum PropertyKind {
    /// Whether a value of that type is an object, or a collection of objects, so that a path can continue through it.
    static func leadsOn(_ type: any Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        if let holder = type as? any Holder.Type { return leadsOn(holder.held) }
        return Shape(type) == .existential
    }

    /// The kinds of types that differ here, by the first word of the runtime's metadata.
    enum Shape {
        case object, enumeration, existential
        /// A structure or a tuple.
        case structure
        /// Functions, metatypes, and the compiler's own types.
        case other

        init(_ type: any Any.Type) {
            if type is AnyObject.Type {
                self = .object
                return
            }
            switch unsafe metadata(type).load(as: Int.self) {
            case 0x200, 0x301: self = .structure
            case 0x201: self = .enumeration
            case PropertyKind.simpleExistential, 0x307: self = .existential
            default: self = .other
            }
        }
    }

    private static let simpleExistential = 0x303

    private static func metadata(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// Whether values of the type are objects, or optional objects: a class, or a protocol that only classes adopt.
    @usableFromInline static func isReference(_ type: any Any.Type) -> Bool {
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
        // Flags follow the kind. The highest one says "not only classes".
        return unsafe metadata(type).load(fromByteOffset: MemoryLayout<Int>.size, as: UInt32.self) >> 31 == 0
    }
}

/// An optional, or a collection, that may hold models.
protocol Holder { static var held: any Any.Type { get } }

protocol OptionalHolder: Holder {}

extension Optional: Holder, OptionalHolder { static var held: any Any.Type { Wrapped.self } }

extension Array: Holder { static var held: any Any.Type { Element.self } }

extension Set: Holder { static var held: any Any.Type { Element.self } }

extension Dictionary: Holder { static var held: any Any.Type { Value.self } }
