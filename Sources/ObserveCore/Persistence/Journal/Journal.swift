// SPDX-License-Identifier: MIT
// The record of all commits on a disk, and when it is as safe as was promised. Knows no tree's inside and no client.

/// When a commit may show (contract §8).
package enum Durability: String, CaseIterable, Sendable {
    /// When it is on the disk.
    case commit
    /// When it is written: it outlives the process; it is on the disk within about a second.
    case interval
    /// At once: it is written now and then.
    case none
}

/// Names of the files in the folder.
enum StateFile {
    static let snapshot = "snapshot"
    static let freshSnapshot = "snapshot.new"
    static let freshJournal = "journal.new"

    static func journal(_ number: Int) -> String { "journal-\(number)" }

    /// The number of a journal of that name.
    static func number(ofJournal name: String) -> Int? {
        guard name.hasPrefix("journal-"), let number = Int(name.dropFirst(8)), number > 0,
            journal(number) == name
        else { return nil }
        return number
    }
}

/// Appends every commit of a tree to a file, batch by batch.
///
/// Commits are told to it one by one (``record(_:)``); ``flush()`` makes them as safe as ``durability`` says, together,
/// or none of them: then they are to be undone. What takes a disk long is handed out as ``popWork()``.
///
/// - Threading: none of its own; confined with its tree.
package final class Journal: CommitRecorder {
    let disk: any StateDisk
    package let durability: Durability
    let clock: WallClock
    let tree: TreeReader
    /// Names the history (contract §4).
    let epoch: String
    let boot: String

    /// The file that is being appended to, and how much of it is whole.
    var number: Int
    var length: Int
    /// How much of it is known to be on the disk.
    var syncedLength: Int
    /// The first journal that the last snapshot needs.
    var firstNumber: Int
    /// Bytes in the journals before the current one, since ``firstNumber``.
    var olderBytes = 0
    /// Bytes of the last snapshot.
    var snapshotBytes = 0
    /// A journal is as long as this before a snapshot is worth its while.
    var minimumBytes = 4 << 20

    /// Lines that have to be written before any other.
    let prologue = ByteBuffer()
    /// Commits that are not written yet.
    let pending = ByteBuffer(capacity: 64 << 10)
    /// What ``pending`` held before the last unsettled batch: with durability `none` that is safe, and waits.
    @safe @exclusivity(unchecked) var flushedPending = 0
    /// Who made the last commit that was written.
    @safe @exclusivity(unchecked) private var author: CommitAuthor?
    /// The line of ``pending`` that further commits may share.
    @safe @exclusivity(unchecked) private var packed = PackedCommits()
    private var authorBefore: CommitAuthor?
    /// Where in ``pending`` the batch says what is safe.
    private var safeLine: Int?
    /// How far the file reaches with the zeros behind ``length``.
    var roomEnd = 0
    /// Up to where the sync that is done elsewhere reaches; 0 if none is.
    @safe @exclusivity(unchecked) private(set) var inFlightEnd = 0
    private var inFlightStart = 0
    /// How many zeros at most.
    var mostRoom = 1 << 20
    /// Behind ``length`` there may be what was never to be.
    var mustTruncate = false
    /// Journals that were begun and can't be gone on with: what is written elsewhere must not seem to come before them.
    var strays: [String] = []
    /// What went wrong last, until it goes well again.
    package internal(set) var failure: DiskError?
    /// The last sync has failed: what it was for may not be on the disk, and has to be written again.
    @safe @exclusivity(unchecked) var hasFailedSync = false {
        didSet { if hasFailedSync { syncFailures += 1 } }
    }
    /// How often one has.
    private(set) var syncFailures = 0

    /// After a snapshot has failed: how long the journals are to be before the next is tried.
    var retryBytes = 0

    var snapshot: SnapshotUnderWay?
    /// More of it does not wait for the disk: then the tree has to. Handing it out is one copy, into memory that is used
    /// again: larger blocks would be fresh pages each time, which take longer than writing down what is in them.
    var mostSnapshotText = 64 << 10
    /// One is to be taken, however short the journals are.
    var isSnapshotWanted = false
    /// The files of the next one are there, empty.
    var isPrepared = false
    /// A part of one that came to nothing may lie about.
    var mustTidy = false
    /// A second has passed since the last sync.
    var isSyncWanted = false
    /// What is being done elsewhere.
    var isWorking: Work?

    init(
        _ tree: TreeReader,
        on disk: any StateDisk,
        durability: Durability,
        epoch: String,
        boot: String,
        clock: WallClock,
        number: Int,
        firstNumber: Int,
        length: Int
    ) {
        self.tree = tree
        self.disk = disk
        self.durability = durability
        self.epoch = epoch
        self.boot = boot
        self.clock = clock
        self.number = number
        self.firstNumber = firstNumber
        self.length = length
        syncedLength = length
    }

    var name: String { StateFile.journal(number) }

    /// Bytes in all journals.
    package var bytes: Int { olderBytes + length }

    // MARK: Commits

    func record(_ commit: borrowing CommitView) {
        if let entry = commit.onlyEntry {
            enter(commit, entry.cause)
            return tree.append(entry, to: pending)
        }
        packed.end(in: pending)
        if pending.count == flushedPending { beginBatch() }
        tree.append(commit, to: pending, author: &author, clock)
    }

    @inline(__always)
    func record(_ commit: borrowing CommitView, scalar json: JSONView, of id: PropertyID) {
        enter(commit, commit.cause)
        tree.appendEntry(of: json, to: id, to: pending)
    }

    /// Opens a place for an entry: in the line of the commits before, or in a line of its own.
    @inline(__always)
    private func enter(_ commit: borrowing CommitView, _ cause: ChangeCause) {
        guard !packed.continues(with: commit, cause, in: pending, author: author) else {
            return packed.append(with: commit, in: pending)
        }
        packed.end(in: pending)
        if pending.count == flushedPending { beginBatch() }
        packed.begin(commit, of: tree, cause, in: pending, author: &author)
    }

    /// Under `commit` a batch begins with a line that says what was on the disk before: pages come there in any order, so
    /// of the last batch some may be missing and later ones be there.
    private func beginBatch() {
        authorBefore = author
        if durability == .commit { safeLine = CheckedLine.appendSafe(to: pending) }
    }

    /// Notes that a binding was ended: nothing is undone by ``flush()`` failing.
    func recordUnbinding(_ binding: Int32) {
        packed.end(in: pending)
        if pending.count == flushedPending { beginBatch() }
        let start = pending.count
        CheckedLine.begin(pending)
        pending.append("\"r\":")
        pending.append(decimal: tree.revision)
        pending.append(",\"u\":")
        pending.append(decimal: Int64(binding))
        CheckedLine.end(pending, from: start)
    }

    /// Whether there are commits that may not show yet.
    @inline(__always)
    var needsFlush: Bool { pending.count > flushedPending || inFlightEnd != 0 }

    /// Makes the commits since the last time safe.
    ///
    /// - Errors: none of them is, nor will be: whoever made them has to undo them.
    func flush() throws(DiskError) {
        guard needsFlush else { return }
        packed.end(in: pending)
        if durability == .none, pending.count < 256 << 10, failure == nil {
            flushedPending = pending.count
            return
        }
        do throws(DiskError) { try write() } catch {
            dropPending()
            author = authorBefore
            throw error
        }
    }

    private func dropPending() {
        pending.truncate(to: flushedPending)
        packed.forget()
        safeLine = nil
    }

    // MARK: Flights

    /// Whether the batch may be synced elsewhere while the next one is made.
    var mayFly: Bool {
        durability == .commit && inFlightEnd == 0 && !pending.isEmpty && failure == nil && prologue.isEmpty
            && isWorking == nil && snapshot == nil && !isPrepared && !isSnapshotDue
    }

    /// Writes the batch, and hands out its sync, whose result goes to ``finishSync(_:)``. Until then it is not safe.
    ///
    /// - Errors: as ``flush()``'s.
    func beginSync() throws(DiskError) -> @Sendable () -> DiskError? {
        packed.end(in: pending)
        do throws(DiskError) {
            try prepare()
            try writePending()
        } catch {
            noteUnwritten(error)
            dropPending()
            author = authorBefore
            throw error
        }
        inFlightStart = length
        length += pending.count
        inFlightEnd = length
        pending.removeAll()
        safeLine = nil
        return disk.work([.sync(name)])
    }

    /// The sync is done. If it failed, whatever was committed since it was begun has to be undone as well.
    func finishSync(_ error: DiskError?) {
        guard let error else {
            syncedLength = inFlightEnd
            inFlightEnd = 0
            failure = nil
            return
        }
        inFlightEnd = 0
        length = inFlightStart
        noteUnwritten(error)
        dropPending()
        forgetAuthor()
    }

    /// What was to be behind ``length`` is refused: it is not to be found by the next start.
    private func noteUnwritten(_ error: DiskError) {
        mustTruncate = true
        try? prepare()
        failure = error
        // Of what stands before it, the first line of all may have been lost with it.
        if durability == .commit, syncedLength < length { hasFailedSync = true }
    }

    private func writePending() throws(DiskError) {
        guard !pending.isEmpty else { return }
        if let safeLine { CheckedLine.seal(pending, at: safeLine, safe: syncedLength) }
        try disk.write(name, pending, at: length)
        if durability == .commit { makeRoom() }
    }

    /// Writes what waits, and, if that is promised, until it is on the disk.
    func write() throws(DiskError) {
        guard !pending.isEmpty || !prologue.isEmpty else { return }
        do throws(DiskError) {
            if hasFailedSync { try repair() }
            try prepare()
            if !prologue.isEmpty {
                try disk.write(name, prologue, at: length)
                try syncIfPromised()
                length += prologue.count
                prologue.removeAll()
            }
            try writePending()
            try syncIfPromised()
        } catch {
            noteUnwritten(error)
            throw error
        }
        length += pending.count
        if durability == .commit { syncedLength = length }
        pending.removeAll()
        safeLine = nil
        // What was loaded may have been much: the room for it is not kept.
        if pending.capacity > 4 << 20 { pending.releaseMemory() }
        flushedPending = 0
        failure = nil
    }

    /// Has the file reach further than it is filled: a sync is twice as fast where it has not grown.
    private func makeRoom() {
        let start = length + pending.count
        guard start > roomEnd, mostRoom > 0 else { return }
        let room = max(min(start / 4, mostRoom), min(64 << 10, mostRoom))
        roomEnd = start + room
        let zeros = ByteBuffer(capacity: room)
        zeros.append(contentsOf: [UInt8](repeating: 0, count: room))
        do throws(DiskError) { try disk.write(name, zeros, at: start) } catch {
            // There may be no room for that, and for the commit there was.
            try? disk.truncate(name, to: start)
        }
    }

    func prepare() throws(DiskError) {
        if !strays.isEmpty {
            for stray in strays { try disk.remove(stray) }
            try disk.syncNames()
            strays = []
        }
        guard mustTruncate else { return }
        try disk.truncate(name, to: length)
        roomEnd = 0
        mustTruncate = false
    }

    private func syncIfPromised() throws(DiskError) {
        guard durability == .commit else { return }
        try disk.sync(name)
    }

    /// The next commit says who made it, whoever made the one before.
    func forgetAuthor() { author = nil }

    // MARK: Ends

    /// Says that the process ended as it should, with all on the disk.
    package func close() throws(DiskError) {
        snapshot = nil
        let start = pending.count
        CheckedLine.begin(pending)
        pending.append("\"stop\":")
        pending.append(decimal: tree.revision)
        CheckedLine.end(pending, from: start)
        try write()
        if roomEnd > length { try disk.truncate(name, to: length) }
        try disk.sync(name)
        try disk.syncNames()
    }

    /// Appends the line that says who goes on with the journal.
    func appendStart(to out: ByteBuffer) {
        let start = out.count
        CheckedLine.begin(out)
        out.append("\"start\":")
        appendIdentity(to: out)
        CheckedLine.end(out, from: start)
    }

    /// Appends a journal's first line.
    ///
    /// - Parameter previous: how long the journal is that it goes on from: what changes no value has no revision of its own.
    func appendHeader(number: Int, after previous: Int, to out: ByteBuffer) {
        let start = out.count
        CheckedLine.begin(out)
        out.append("\"journal\":")
        out.append(decimal: SnapshotHeader.version)
        out.append(",\"number\":")
        out.append(decimal: Int64(number))
        out.append(",\"revision\":")
        out.append(decimal: tree.revision)
        out.append(",\"after\":")
        out.append(decimal: Int64(previous))
        out.append(",\"start\":")
        appendIdentity(to: out)
        CheckedLine.end(out, from: start)
    }

    private func appendIdentity(to out: ByteBuffer) {
        out.append("{\"epoch\":")
        out.appendJSONString(utf8: epoch)
        out.append(",\"boot\":")
        out.appendJSONString(utf8: boot)
        out.append(",\"durability\":\"")
        out.append(utf8: durability.rawValue)
        out.append("\"}")
    }
}
