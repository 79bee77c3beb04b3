// SPDX-License-Identifier: MIT
// Which property of a model. Independent of values and observers.

/// Which property of a model: the offset of its storage in the object, the same in all instances of a class.
@usableFromInline
struct PropertyKey: Equatable, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The key of the property that is stored at `address` in `model`.
    @inlinable
    init(_ address: UnsafeRawPointer, in model: AnyObject) {
        let offset = unsafe address - UnsafeRawPointer(Unmanaged.passUnretained(model).toOpaque())
        rawValue = UInt32(truncatingIfNeeded: offset)
    }

    // No property is stored in an object's header.

    /// The model itself: "assigned" once, when it is deinitialised.
    @inlinable static var lifetime: PropertyKey { PropertyKey(rawValue: 0) }
    /// Any property, before it is assigned.
    @inlinable static var objectWillChange: PropertyKey { PropertyKey(rawValue: 1) }

    /// Whether it is the key of a stored property.
    var isStored: Bool { rawValue > 1 && rawValue < PropertyKey.firstNamed }

    /// The first key of the properties that announce themselves by key path.
    static var firstNamed: UInt32 { 1 << 31 }
}
