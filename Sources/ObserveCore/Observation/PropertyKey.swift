// SPDX-License-Identifier: MIT
// The identity of a model's property. Independent of values and observers.

/// The identity of a model's property: the offset of its storage in the object, the same in all instances of a
/// class. For an empty property, and for one without ``Published``, a number beyond all offsets.
@usableFromInline struct PropertyKey: Hashable, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The key of the property that is stored at `address` in `model`.
    @inlinable init(_ address: UnsafeRawPointer, in model: AnyObject) {
        let offset = unsafe address - UnsafeRawPointer(Unmanaged.passUnretained(model).toOpaque())
        rawValue = UInt32(truncatingIfNeeded: offset)
    }

    // Offsets 0 and 1 are in the object's header, where no property is stored.

    /// The model itself: "assigned" once, when it is deinitialised.
    @inlinable static var lifetime: PropertyKey { PropertyKey(rawValue: 0) }
    /// Any property, before it is assigned.
    @inlinable static var objectWillChange: PropertyKey { PropertyKey(rawValue: 1) }

    /// The empty property at that index of the class's table: it has no offset of its own.
    static func empty(_ index: Int) -> PropertyKey { PropertyKey(rawValue: firstEmpty + UInt32(index)) }

    var isStored: Bool { rawValue > 1 && rawValue < PropertyKey.firstNamed }

    /// Whether it is the key of a property that announces itself by key path.
    var isNamed: Bool { rawValue >= PropertyKey.firstNamed }

    private static var firstEmpty: UInt32 { 1 << 30 }
    static var firstNamed: UInt32 { 1 << 31 }
}
