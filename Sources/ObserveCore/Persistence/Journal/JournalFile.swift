// SPDX-License-Identifier: MIT
// The file that commits are appended to, and how much of it is safe. Independent of the lines' contents.

/// A place between two lines of the journals.
package struct JournalPlace: Equatable, Sendable {
    /// The journal's number, and how many of its bytes precede.
    let number: Int
    let length: Int
}

/// The facts that a start depends on.
package struct StartConditions: Sendable {
    package var durability: Durability
    /// Names the system's run. Bytes that are not on the disk are lost with it.
    package var boot: String
    /// The system's clock at the monotonic clock's zero, in milliseconds since 1970.
    package var clockOffset: Int64
    /// Names a history that begins now.
    package var freshEpoch: String
    /// Whether to continue with the commits before a damaged line of a journal.
    package var salvages = false
    /// Where the commits end that a broken disk has kept. What follows was never shown, and is dropped.
    package var end: JournalPlace?
    /// How many bytes of room the journal reserves at once, if the disk has as many.
    package var reservedBytes = 1 << 20
}

/// A broken disk: what it has kept, and when it is tried again.
package struct Breakage: Equatable, Sendable {
    /// The interval between two attempts to prove the disk. After a minute without a failure, it begins anew.
    static func delay(_ milliseconds: UInt64 = 0) -> RetryDelay {
        RetryDelay(100...10_000, healthy: 60_000, milliseconds: milliseconds)
    }

    /// The place behind the last commit that clients may have seen.
    package let place: JournalPlace
    let revision: UInt64
    /// The milliseconds before the first attempt.
    let wait: UInt64
    /// Whether the files can be read, so that the next program can continue.
    package var isReadable = true
}

/// One journal: `length` bytes are whole, `syncedLength` of them are known to be on the disk.
struct JournalFile: ~Copyable {
    private let disk: any StateDisk
    private(set) var number: Int
    private(set) var length: Int
    /// At a start 0: the lines that it has read may not be on the disk, so the first sync is for all of them.
    private(set) var syncedLength = 0
    /// The place of ``length`` among the lines, and the place behind the written lines.
    private(set) var chain: LineChain
    private var writtenChain = LineChain()
    /// Where the room behind ``length`` ends.
    private var roomEnd = 0
    /// How much room is reserved at once, if the disk has as much.
    var largestPiece: Int { didSet { nextPiece = largestPiece } }
    /// The same for the next time: less after the disk lacked space.
    private var nextPiece: Int
    private let hasZeros: Bool
    /// Behind ``length`` there may be a part of a line, or lines of commits that were dropped.
    private var mustTruncate: Bool
    /// Journals that a start or a failure left behind and that can't be continued. The next start must not find them.
    private var filesToRemove: [String]

    init(
        on disk: any StateDisk,
        number: Int,
        length: Int,
        _ conditions: StartConditions,
        chain: LineChain,
        mustTruncate: Bool,
        filesToRemove: [String]
    ) {
        self.disk = disk
        self.number = number
        self.length = length
        hasZeros = conditions.durability == .commit
        largestPiece = conditions.reservedBytes
        nextPiece = largestPiece
        self.chain = chain
        self.mustTruncate = mustTruncate
        self.filesToRemove = filesToRemove
    }

    var name: String { StateFile.journal(number) }

    // MARK: Appending

    /// Removes what the next start must not find.
    mutating func prepare() throws(DiskError) {
        if !filesToRemove.isEmpty {
            for file in filesToRemove { try disk.remove(file) }
            try disk.syncNames()
            filesToRemove = []
        }
        guard mustTruncate else { return }
        try disk.truncate(name, to: length)
        roomEnd = 0
        mustTruncate = false
    }

    @inline(__always) func hasRoom(for count: Int) -> Bool { length &+ count <= roomEnd }

    /// Reserves room for so many bytes behind ``length``: a large piece, or just that.
    mutating func reserve(_ count: Int) throws(DiskError) {
        if hasRoom(for: count) { return }
        try prepare()
        let (start, end) = (max(roomEnd, length), length + count)
        let piece = min(max(end / 4, 64 << 10), nextPiece)
        if piece > 0, (try? reserve(start..<end + piece)) != nil {
            nextPiece = min(nextPiece * 2, largestPiece)
        } else {
            nextPiece /= 2
            try reserve(start..<end)
            nextPiece = max(nextPiece, min(4 << 10, largestPiece))
        }
    }

    private mutating func reserve(_ bytes: Range<Int>) throws(DiskError) {
        do throws(DiskError) { try disk.reserve(name, bytes, withZeros: hasZeros) } catch {
            // The disk may have had space for a part.
            try? disk.truncate(name, to: bytes.lowerBound)
            throw error
        }
        roomEnd = bytes.upperBound
    }

    /// Writes lines behind ``length``, which ``advance(by:isSynced:)`` moves. Fills in their checksums.
    mutating func write(_ text: ByteBuffer) throws(DiskError) {
        writtenChain = chain
        writtenChain.seal(text)
        try disk.write(name, text, at: length)
    }

    func sync() throws(DiskError) { try disk.sync(name) }

    /// Drops the bytes behind ``length`` before the next line is written.
    mutating func cut() {
        mustTruncate = true
        roomEnd = 0
    }

    mutating func advance(by count: Int, isSynced: Bool) {
        length += count
        chain = writtenChain
        if isSynced { syncedLength = length }
    }

    // MARK: Other journals

    /// Makes the file with its first line, on the disk. Refuses to replace a file that the folder did not list.
    mutating func make(_ header: ByteBuffer) throws(DiskError) {
        guard try disk.read(name) == nil else { throw DiskError("\(name) was not listed, and exists") }
        writtenChain = LineChain()
        writtenChain.seal(header)
        try disk.replace(name, with: header)
        try disk.syncNames()
        advance(by: header.count, isSynced: true)
    }

    /// Continues with the next journal, which begins with `header`, and has room before that.
    mutating func beginNext(_ header: ByteBuffer) throws(DiskError) {
        let next = StateFile.journal(number + 1)
        filesToRemove = [next]
        var fresh = LineChain()
        fresh.seal(header)
        let room = header.count + min(64 << 10, largestPiece)
        do throws(DiskError) {
            try disk.reserve(next, 0..<room, withZeros: hasZeros)
            try disk.write(next, header, at: 0)
        } catch {
            // The next line is written when that file is removed: it may have its whole header.
            cut()
            throw error
        }
        filesToRemove = []
        number += 1
        chain = fresh
        length = header.count
        syncedLength = 0
        roomEnd = room
    }

    /// Notes the end of a sync that began when that journal had that length.
    mutating func noteSync(of number: Int, upTo length: Int) {
        if number == self.number { syncedLength = max(syncedLength, length) }
    }

    mutating func noteRenewed() {
        syncedLength = length
        roomEnd = length
    }

    func close() throws(DiskError) {
        if roomEnd > length { try disk.truncate(name, to: length) }
        try disk.sync(name)
        try disk.syncNames()
    }
}
