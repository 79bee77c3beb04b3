// SPDX-License-Identifier: MIT
// Property names, each stored once. Knows nothing of models.

/// A property name's number in a ``NameTable``. Equal numbers are equal names, scalar by scalar.
typealias NameID = Int32

/// Interned names, counted, so that names that come and go leave nothing behind.
///
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(length) to look up.
@safe
struct NameTable: ~Copyable {
    @safe
    private struct Record {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: Int32
        var references: Int32
    }

    private var records = Arena(blank: unsafe Record(bytes: nil, count: 0, references: 0))
    private var index = HashIndex()
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    deinit {
        // Every name's bytes hang on its record, which the arena does not know how to free.
        for number in 0..<Int32(records.allocatedCount) { unsafe records[number].bytes?.deallocate() }
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
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(name.count, 1))
        unsafe bytes.update(from: name.base, count: name.count)
        unsafe records[fresh] = Record(bytes: bytes, count: Int32(name.count), references: 1)
        index.insert(hash, fresh)
        return fresh
    }

    mutating func retain(_ name: NameID) {
        records[name].references += 1
    }

    mutating func release(_ name: NameID) {
        records[name].references -= 1
        guard records[name].references == 0 else { return }
        index.remove(text(name).hash(seed: seed), name)
        unsafe records[name].bytes?.deallocate()
        unsafe records[name].bytes = nil
        records.release(name)
    }

    /// The name's bytes; valid while a reference to it is held.
    @inline(__always)
    func text(_ name: NameID) -> ByteView {
        let record = records[name]
        let empty: StaticString = ""
        return unsafe ByteView(
            base: record.bytes.map { unsafe UnsafePointer($0) } ?? empty.utf8Start,
            count: Int(record.count)
        )
    }
}
