// SPDX-License-Identifier: MIT
// When a snapshot is taken, and how far it is. Independent of its contents.

struct SnapshotUnderWay {
    let view: ReadView
    /// Lines that are not handed out yet.
    let text = ByteBuffer()
    /// Bytes that were handed out, those of them that are written, and those that are on the disk.
    var taken = 0
    var written = 0
    var synced = 0
    /// Everything that it needs to replace the last one is on the disk.
    var isSealed = false
}

struct SnapshotRotation: ~Copyable {
    var current: SnapshotUnderWay?
    /// The first journal that the last snapshot needs.
    private(set) var firstNumber: Int
    /// Bytes in the journals before the current one, since ``firstNumber``.
    private var olderBytes: Int
    private(set) var snapshotBytes: Int
    /// A snapshot is worthwhile if the journals are as long as this.
    var minimumBytes = 4 << 20
    /// After a failed snapshot: the length of the journals for the next attempt.
    private var retryBytes = 0
    /// How much text waits for the disk at most; then the view pauses. It is copied into memory that is used again: larger blocks
    /// would be fresh pages each time, which take longer than writing the text.
    var mostText = 64 << 10
    /// The bytes of old values at which the slices get longer: as many as may wait for one client. A snapshot is never given up
    /// for memory, or the journals would grow for ever.
    var mostHeldBytes = 16 << 20
    /// Take a snapshot, however short the journals are.
    var isWanted = false
    /// The files of the next snapshot exist, and are empty.
    var isPrepared = false
    /// Parts of a failed one may be on the disk.
    var mustRemoveParts = false

    init(firstNumber: Int, olderBytes: Int = 0, snapshotBytes: Int = 0) {
        self.firstNumber = firstNumber
        self.olderBytes = olderBytes
        self.snapshotBytes = snapshotBytes
    }

    var isIdle: Bool { current == nil && !isPrepared }

    /// Bytes in all journals, if the current one has that length.
    func bytes(_ length: Int) -> Int { olderBytes + length }

    func isDue(_ length: Int) -> Bool {
        isWanted || bytes(length) > max(minimumBytes, snapshotBytes, retryBytes)
    }

    var isHeldTooMuch: Bool { (current?.view.heldBytes ?? 0) > mostHeldBytes }

    /// The text at which the view pauses. A megabyte by default is some milliseconds of rendering.
    var roomForText: Int { isHeldTooMuch ? mostText * 16 : mostText }

    /// - Parameter length: the length of the journal before, which is complete.
    mutating func begin(_ view: ReadView, after length: Int) {
        olderBytes += length
        // A line is what a slice exceeds its time by.
        view.lineBytes = mostText / 8
        current = SnapshotUnderWay(view: view)
        isPrepared = false
        isWanted = false
    }

    /// Cancels a snapshot, perhaps for lack of space. Its parts on the disk are to be removed.
    /// - Parameter length: the length of the current journal.
    mutating func cancel(_ length: Int) {
        end()
        isPrepared = false
        isWanted = false
        mustRemoveParts = true
        retryBytes = bytes(length) + bytes(length) / 2
    }

    mutating func end() {
        current?.view.end()
        current = nil
    }

    /// Notes that a snapshot has replaced the last one, and the journals before `first`.
    mutating func finish(firstNumber first: Int, bytes: Int) {
        firstNumber = first
        olderBytes = 0
        snapshotBytes = bytes
        retryBytes = 0
    }

    mutating func noteRemoved(before first: Int) { firstNumber = first }
}
