// SPDX-License-Identifier: MIT
// Property names, each stored once. Knows nothing of models.

/// A property name's number in a ``NameTable``. Equal numbers are equal names, scalar by scalar.
typealias NameID = Int32

/// Interned names, counted, so that names that come and go leave nothing behind. A name of at most sixteen bytes stands
/// in its record; a longer one hangs on it.
///
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(length) to look up.
@safe
struct NameTable: ~Copyable {
    @safe
    private struct Record {
        /// The bytes, or, where they are more than there is room for here, their address in the first word. Stands first:
        /// the record's address is theirs.
        var bytes: (UInt64, UInt64) = (0, 0)
        var count: Int32 = 0
        var references: Int32 = 0

        static var room: Int32 { 16 }

        var remote: UnsafeMutablePointer<UInt8>? {
            count > Self.room ? unsafe UnsafeMutablePointer(bitPattern: UInt(bytes.0)) : nil
        }
    }

    private var records = Arena(blank: Record())
    private var index = HashIndex()
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    deinit {
        // Every name's bytes hang on its record, which the arena does not know how to free.
        for number in 0..<Int32(records.allocatedCount) { unsafe records[number].remote?.deallocate() }
    }

    /// How many different names are held.
    var count: Int { records.count }

    func find(_ name: ByteView) -> NameID? {
        index.find(name.hash(seed: seed)) { text($0) == name }
    }

    /// The number of `name`, with one more reference to it; ``release(_:)`` takes that back.
    mutating func intern(_ name: ByteView) -> NameID {
        let hash = name.hash(seed: seed)
        if let known = index.find(hash, { text($0) == name }) {
            records[known].references += 1
            return known
        }
        let fresh = records.allocate()
        records[fresh] = Record(count: Int32(name.count), references: 1)
        if name.count <= Record.room {
            unsafe bytes(of: fresh).update(from: name.base, count: name.count)
        } else {
            let remote = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
            unsafe remote.update(from: name.base, count: name.count)
            records[fresh].bytes.0 = UInt64(UInt(bitPattern: remote))
        }
        index.insert(hash, fresh)
        return fresh
    }

    /// The same, quicker where it is the name that came into the table after `last`: models are much like each other.
    @inline(__always)
    mutating func intern(_ name: ByteView, after last: NameID) -> NameID {
        let next = last &+ 1
        guard next < records.allocatedCount, records[next].references > 0, text(next) == name else {
            return intern(name)
        }
        records[next].references += 1
        return next
    }

    mutating func retain(_ name: NameID) {
        records[name].references += 1
    }

    mutating func release(_ name: NameID) {
        records[name].references -= 1
        guard records[name].references == 0 else { return }
        index.remove(text(name).hash(seed: seed), name)
        unsafe records[name].remote?.deallocate()
        records.release(name)
    }

    /// The name's bytes; valid while a reference to it is held.
    @inline(__always)
    func text(_ name: NameID) -> ByteView {
        let base = unsafe records[name].remote ?? bytes(of: name)
        return unsafe ByteView(base: UnsafePointer(base), count: Int(records[name].count))
    }

    /// The room for a short name in the record.
    @inline(__always)
    private func bytes(of name: NameID) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(records.address(name)).assumingMemoryBound(to: UInt8.self)
    }
}
