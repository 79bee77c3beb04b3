// SPDX-License-Identifier: MIT
// The operations that a journal needs of a disk, and the names of the files there. Independent of the system: tests have their
// own disk.

/// A folder of files that are written at the end.
/// - Errors: a failed operation has done nothing; a failed ``write(_:_:at:)`` may have written a part.
/// - Threading: one user at a time; the result of ``work(_:)`` may run anywhere.
package protocol StateDisk: AnyObject {
    func names() throws(DiskError) -> [String]
    /// All of a file; nil if there is none.
    func read(_ name: String) throws(DiskError) -> [UInt8]?
    /// Makes an empty file, for the owner alone, or empties an existing one.
    func make(_ name: String) throws(DiskError)
    func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError)
    /// Reserves room for these bytes of the file: a later write of them does not lack space.
    /// - Parameter withZeros: whether the file grows by zeros. If not, it keeps its length.
    func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError)
    func truncate(_ name: String, to count: Int) throws(DiskError)
    /// Ignores a missing file in ``work(_:)``.
    func sync(_ name: String) throws(DiskError)
    /// A closure for another thread, which runs the steps until one fails.
    func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError?
    /// Returns when the names are on the disk.
    func syncNames() throws(DiskError)
    func rename(_ name: String, to other: String) throws(DiskError)
    func remove(_ name: String) throws(DiskError)
}

extension StateDisk {
    func run(_ step: DiskStep) throws(DiskError) {
        switch step {
        case .make(let name): try make(name)
        case .write(let name, let bytes, let offset):
            let text = ByteBuffer(capacity: bytes.count)
            text.append(contentsOf: bytes)
            try write(name, text, at: offset)
        case .sync(let name): try sync(name)
        case .syncNames: try syncNames()
        case .rename(let name, let other): try rename(name, to: other)
        case .remove(let name): try remove(name)
        }
    }

    /// Makes a journal, or puts it in the place of the former one, and returns when its bytes are on the disk.
    func replace(_ journal: String, with text: ByteBuffer) throws(DiskError) {
        try make(StateFile.freshJournal)
        try write(StateFile.freshJournal, text, at: 0)
        try sync(StateFile.freshJournal)
        try rename(StateFile.freshJournal, to: journal)
    }

    /// The name, or the first of `NAME.2`, `NAME.3` and so on, that no file has.
    func freeName(_ name: String) throws(DiskError) -> String {
        let taken = try names()
        var (free, number) = (name, 1)
        while taken.contains(free) {
            number += 1
            free = "\(name).\(number)"
        }
        return free
    }
}

/// A slow disk operation, which another thread runs.
package enum DiskStep: Equatable, Sendable {
    /// As ``StateDisk/make(_:)``.
    case make(String)
    case write(String, [UInt8], at: Int)
    case sync(String)
    case syncNames
    case rename(String, to: String)
    case remove(String)
}

package enum StateFile {
    static let snapshot = "snapshot"
    static let freshSnapshot = "snapshot.new"
    static let freshJournal = "journal.new"
    static let freshDump = "before.new"

    /// A dump from before the tree lost what did not fit other types.
    static func dump(before revision: UInt64) -> String { "before-\(revision).jsonl" }

    /// A copy of a file that was cut off where it is damaged.
    static func damaged(_ name: String, at offset: Int) -> String { "\(name).damaged-at-\(offset)" }

    static func journal(_ number: Int) -> String { "journal-\(number)" }

    /// Whether a start reads the file.
    package static func isState(_ name: String) -> Bool { name == snapshot || number(ofJournal: name) != nil }

    /// The number of the journal with that name; nil for any other name.
    static func number(ofJournal name: String) -> Int? {
        guard name.hasPrefix("journal-"), let number = Int(name.dropFirst(8)), number > 0,
            journal(number) == name
        else { return nil }
        return number
    }
}
