// SPDX-License-Identifier: MIT
// Where paths led when they were last asked for. Knows nothing of models: its owner says when it is all moot.

/// The properties that some paths lead to, by the paths' text.
///
/// A path goes on leading to the same property until one on its way holds something else than the model it held, or has
/// another model, or none, at that place in its array; or until its last one goes. Whoever does that calls
/// ``forget(through:)`` for the former, ``forget()`` for the latter.
///
/// - Bounds: 256 paths of up to 48 bytes; one that comes takes the place of another.
/// - Threading: none of its own; its owner is its only user.
/// - Cost: one comparison of the text to find, or to find out that it is not known.
@safe
struct KnownPaths: ~Copyable {
    private struct Entry {
        var hash: UInt64 = 0
        /// The ``era`` that it is of.
        var era: UInt64 = 0
        var property = PropertyID.noRecord
        var count: Int32 = 0
    }

    private static var places: Int { 256 }
    private static var longest: Int { 48 }

    private let entries: UnsafeMutablePointer<Entry>
    private let texts: UnsafeMutablePointer<UInt8>
    /// Counts what ended all that was known before.
    private var era: UInt64 = 1
    /// The ``mark(_:)``s of all properties that a known path leads through, and maybe of some others.
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

    /// Where the path led when it was noted; nil if that is not known, or may have changed.
    @inline(__always)
    func find(_ hash: UInt64, _ path: ByteView) -> PropertyID? {
        let place = KnownPaths.place(hash)
        let entry = unsafe entries[place]
        guard entry.hash == hash, entry.era == era else { return nil }
        let text = unsafe ByteView(
            base: UnsafePointer(texts) + place &* KnownPaths.longest,
            count: Int(truncatingIfNeeded: entry.count)
        )
        return text == path ? entry.property : nil
    }

    /// A bit that stands for the property, and for some others.
    @inline(__always)
    static func mark(_ property: PropertyID) -> UInt64 {
        1 &<< UInt64(truncatingIfNeeded: property.number & 63)
    }

    /// - Parameter marks: those of the properties that the path leads through, its last not counted.
    mutating func note(_ hash: UInt64, _ path: ByteView, _ property: PropertyID, through marks: UInt64) {
        guard path.count <= KnownPaths.longest else { return }
        self.marks |= marks
        let place = KnownPaths.place(hash)
        unsafe entries[place] = Entry(hash: hash, era: era, property: property, count: Int32(path.count))
        unsafe (texts + place &* KnownPaths.longest).update(from: path.base, count: path.count)
    }

    /// All that is known.
    var all: [(path: [UInt8], property: PropertyID)] {
        (0..<KnownPaths.places).compactMap { place in
            let entry = unsafe entries[place]
            guard entry.era == era else { return nil }
            let text = unsafe ByteView(
                base: UnsafePointer(texts) + place * KnownPaths.longest,
                count: Int(entry.count)
            )
            return (text.array, entry.property)
        }
    }

    /// No path is known to lead anywhere any more.
    @inline(__always)
    mutating func forget() {
        era &+= 1
        marks = 0
    }

    /// No path is known to lead through that property any more; those that end with it stay.
    @inline(__always)
    mutating func forget(through property: PropertyID) {
        if marks & KnownPaths.mark(property) != 0 { forget() }
    }

    @inline(__always)
    private static func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & UInt64(places &- 1)) }
}
