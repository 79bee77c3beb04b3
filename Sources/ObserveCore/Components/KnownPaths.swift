// SPDX-License-Identifier: MIT
// A cache of the properties that paths led to. Independent of models: its owner reports invalid entries.

/// The properties that recent paths lead to, by the paths' text, until the writer reports a change: ``forget(through:)`` if a
/// property on the way loses a container, or if elements of its array move, ``forget()`` if a path's last property is removed.
/// - Bounds: 256 paths of up to 48 bytes; a new path replaces the one at the same place.
/// - Cost: at most one comparison of texts.
@safe struct KnownPaths: ~Copyable {
    struct Entry {
        var hash: UInt64 = 0
        /// The ``era`` in which the entry was noted.
        var era: UInt64 = 0
        var property = PropertyID.noRecord
        var count: Int32 = 0
    }

    static var places: Int { 256 }
    static var longest: Int { 48 }

    let entries: UnsafeMutablePointer<Entry>
    let texts: UnsafeMutablePointer<UInt8>
    /// Numbers the times between two invalidations of all entries.
    private(set) var era: UInt64 = 1
    /// The ``mark(_:)``s of all properties on the way of a known path, and perhaps of others.
    private var marks: UInt64 = 0

    init() {
        unsafe entries = .allocate(capacity: KnownPaths.places)
        unsafe entries.initialize(repeating: Entry(), count: KnownPaths.places)
        unsafe texts = .allocate(capacity: KnownPaths.places * KnownPaths.longest)
    }

    deinit {
        unsafe entries.deallocate()
        unsafe texts.deallocate()
    }

    /// The property that the path led to when noted; nil if it is unknown or may have changed.
    @inline(__always) func find(_ hash: UInt64, _ path: ByteView) -> PropertyID? {
        let place = KnownPaths.place(hash)
        let entry = unsafe entries[place]
        guard entry.hash == hash, entry.era == era else { return nil }
        let text = unsafe ByteView(
            base: UnsafePointer(texts) + place &* KnownPaths.longest,
            count: Int(truncatingIfNeeded: entry.count)
        )
        return text == path ? entry.property : nil
    }

    /// One of 64 bits for the property; other properties share it.
    @inline(__always) static func mark(_ property: PropertyID) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: property.number & 63)
    }

    /// - Parameter marks: the ``mark(_:)``s of all properties on the path but its last.
    mutating func note(_ hash: UInt64, _ path: ByteView, _ property: PropertyID, through marks: UInt64) {
        guard path.count <= KnownPaths.longest else { return }
        self.marks |= marks
        let place = KnownPaths.place(hash)
        unsafe entries[place] = Entry(hash: hash, era: era, property: property, count: Int32(path.count))
        unsafe (texts + place &* KnownPaths.longest).update(from: path.base, count: path.count)
    }

    @inline(__always) mutating func forget() {
        era &+= 1
        marks = 0
    }

    /// Forgets all paths if one may lead through that property. A path may still end with it.
    @inline(__always) mutating func forget(through property: PropertyID) {
        if marks & KnownPaths.mark(property) != 0 { forget() }
    }

    @inline(__always)
    private static func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & UInt64(places &- 1)) }
}
