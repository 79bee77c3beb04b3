// SPDX-License-Identifier: MIT
// The record of all commits on a disk, batch by batch. Independent of the tree's records and of clients.
//
// Lines other than commits:
//
//     {"crc":"…","journal":2,"number":2,"revision":40,"after":357,"sum":…,"start":{…}}
//                               a journal's first line: the journal before has so many bytes, and a last line with
//                               that checksum
//     {"crc":"…","start":{"epoch":"…","boot":"…","durability":"…"}}      this process continues the journal
//     {"crc":"…","linked":{…}}  the same behind lines of version 1: linked lines follow
//     {"crc":"…","safe":…}      so many bytes were on the disk before the batch that follows
//     {"crc":"…","stop":44,"lines":12}                                   the process ended in order; counts the lines

/// When a commit may show: "Durability" in docs/protocol.md.
package enum Durability: String, CaseIterable, Sendable {
    /// When it is on the disk.
    case commit
    /// When it is written: it outlives the process, and is on the disk within about a second.
    case interval
    /// At once: it is written now and then.
    case none
}

/// Appends every commit of a tree to a file, batch by batch.
///
/// ``record(_:)`` adds a commit to the open batch, if the file has room for it. ``flush()`` makes the batch as safe as
/// ``durability`` demands. ``popWork(isSyncDue:)`` hands out slow disk work for another thread.
package final class Journal: CommitRecorder {
    let disk: any StateDisk
    package let durability: Durability
    let clock: WallClock
    let tree: TreeReader
    /// Names the history: "Revisions" in docs/protocol.md.
    let epoch: String
    let boot: String

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var file: JournalFile
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private(set) var batch: OpenBatch
    var rotation: SnapshotRotation
    /// Why the last commit had no room, or why the journal is broken; nil after a success.
    package private(set) var failure: DiskError?
    private(set) var isBroken = false
    /// A journal before this one is broken: see ``prove()``.
    private(set) var needsProof: Bool
    /// Lines to write before any other.
    private let prologue = ByteBuffer()
    /// A second has passed since the last sync.
    var isSyncWanted = false
    /// The work that another thread has not finished.
    var isWorking: Work?

    init(
        _ tree: TreeReader,
        _ file: consuming JournalFile,
        _ rotation: consuming SnapshotRotation,
        on disk: any StateDisk,
        _ conditions: StartConditions,
        epoch: String,
        clock: WallClock
    ) {
        needsProof = conditions.end != nil
        failure = needsProof ? DiskError("the disk has failed, and takes nothing yet") : nil
        self.tree = tree
        self.file = file
        self.rotation = rotation
        self.disk = disk
        durability = conditions.durability
        self.epoch = epoch
        boot = conditions.boot
        self.clock = clock
        batch = OpenBatch(durability)
    }

    package var bytes: Int { rotation.bytes(file.length) }

    package var snapshotBytes: Int { rotation.snapshotBytes }

    /// The place behind the flushed lines.
    var flushedPlace: JournalPlace { JournalPlace(number: file.number, length: file.length) }

    var snapshot: SnapshotUnderWay? { rotation.current }

    // MARK: Commits

    /// Room that every commit leaves for the journal's own lines.
    private static let ownRoom = 1 << 10

    func record(_ commit: CommitView) -> Bool { append { batch.record(commit, of: tree, clock) } }

    /// - Returns: false, with nothing appended, if the lines of `body` do not fit.
    private func append(_ body: () -> Void) -> Bool {
        if needsProof { return false }
        let mark = batch.mark
        do throws(DiskError) {
            try writePrologue()
            body()
            try file.reserve(batch.text.count + Journal.ownRoom)
        } catch {
            batch.drop(after: mark)
            failure = error
            return false
        }
        if failure != nil { failure = nil }
        return true
    }

    @inline(__always) func hasRoom(forScalar json: JSONView, of id: PropertyID) -> Bool {
        // A name's bytes may be escaped. The head of a line is within the journal's own room, which is left for the next.
        let count = batch.text.count &+ json.view.count &+ tree.name(of: id).count &* 6
        return file.hasRoom(for: count &+ 2 &* Journal.ownRoom)
    }

    @inline(__always) func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID) {
        batch.record(commit, of: tree, scalar: json, id)
    }

    /// Records the end of a binding. Returns false if it does not fit.
    func recordUnbinding(_ binding: Int32) -> Bool {
        append { batch.record(unbinding: binding, at: tree.revision) }
    }

    @inline(__always) var needsFlush: Bool { batch.needsFlush }

    /// Makes the open batch as safe as ``durability`` demands.
    /// - Errors: the journal is broken.
    func flush() throws(DiskError) {
        guard needsFlush else { return }
        batch.close()
        if durability == .none, batch.text.count < 256 << 10, failure == nil { return batch.markFlushed() }
        try write()
    }

    /// Notes that a sync by another thread has ended.
    func noteSync(of number: Int, upTo length: Int) {
        file.noteSync(of: number, upTo: length)
        batch.noteSync()
    }

    // MARK: Writing

    /// Writes the waiting lines, which have room; under `commit`, also syncs them.
    /// - Errors: the journal is broken.
    func write() throws(DiskError) {
        guard !batch.isEmpty else { return }
        do throws(DiskError) {
            batch.setSafe(file.syncedLength)
            try file.write(batch.text)
            try syncIfPromised()
        } catch {
            fail(error)
            throw error
        }
        file.advance(by: batch.text.count, isSynced: durability == .commit)
        batch.removeAll()
        failure = nil
    }

    private func syncIfPromised() throws(DiskError) { if durability == .commit { try file.sync() } }

    func fail(_ error: DiskError) {
        failure = error
        isBroken = true
    }

    /// Forgets the batches that a broken disk did not take, and cuts them off, so that no start finds them. Where the disk
    /// refuses that, the next program does it before its first write.
    func abandon() {
        batch.removeAll()
        try? disk.truncate(file.name, to: file.length)
    }

    // MARK: Proof

    /// Shows that a disk that was broken takes commits again: writes the journals anew, since the system may drop bytes of
    /// which it could not sync some, and then the line that names the process.
    func prove() throws(DiskError) {
        guard needsProof else { return }
        do throws(DiskError) {
            try file.prepare()
            for number in rotation.firstNumber...file.number { try renew(StateFile.journal(number)) }
            try disk.syncNames()
            file.noteRenewed()
            try writePrologue()
        } catch {
            failure = error
            throw error
        }
        needsProof = false
        failure = nil
    }

    /// Writes the file beside the old one, or in its place if the disk has no space for a copy.
    private func renew(_ name: String) throws(DiskError) {
        guard let bytes = try disk.read(name) else { return }
        let copy = ByteBuffer(capacity: bytes.count)
        copy.append(contentsOf: name == file.name ? Array(bytes.prefix(file.length)) : bytes)
        do throws(DiskError) {
            try disk.replace(name, with: copy)
        } catch {
            guard error.isFull else { throw error }
            try? disk.remove(StateFile.freshJournal)
            try disk.write(name, copy, at: 0)
            try disk.sync(name)
        }
    }

    /// Whether the files can be read: another journal can begin behind ``flushedPlace``.
    var isReadable: Bool {
        guard let names = try? disk.names() else { return false }
        return names.filter(StateFile.isState).allSatisfy { (try? disk.read($0)) != nil }
    }

    // MARK: Beginning and end

    /// Continues a journal: its first line is the one that names the process.
    ///
    /// Behind lines of version 1, a head says that linked lines follow. A daemon that knows only version 1 refuses it, instead
    /// of taking the linked lines for a torn write.
    func begin() {
        if file.chain.isLinked {
            CheckedLine.begin(prologue)
            prologue.append("\"start\":")
        } else {
            CheckedLine.beginHead(prologue)
            prologue.append("\"linked\":")
        }
        appendIdentity(to: prologue)
        CheckedLine.end(prologue)
    }

    /// Writes the line that names the process, before any other. A full or read-only disk may take it later.
    func writePrologue() throws(DiskError) {
        guard !prologue.isEmpty else { return }
        try file.reserve(prologue.count + Journal.ownRoom)
        do throws(DiskError) {
            try file.write(prologue)
            try syncIfPromised()
        } catch {
            file.cut()
            throw error
        }
        file.advance(by: prologue.count, isSynced: false)
        prologue.removeAll()
    }

    /// Begins the next journal, and the snapshot that this journal continues.
    func beginNextJournal() throws(DiskError) {
        try write()
        let (header, length) = (ByteBuffer(), file.length)
        appendHeader(number: file.number + 1, to: header)
        try file.beginNext(header)
        batch.forgetAuthor()
        let terms = ReadView.Terms(epoch: epoch, clock: clock)
        let view = ReadView(of: tree.tree, terms, journal: (file.number, file.chain.sum))
        rotation.begin(view, after: length)
    }

    /// Appends that the process ended in order, and syncs everything.
    package func close() throws(DiskError) {
        rotation.end()
        try writePrologue()
        try write()
        CheckedLine.begin(batch.text)
        batch.text.append("\"stop\":", tree.revision)
        batch.text.append(",\"lines\":", file.chain.count + 1)
        CheckedLine.end(batch.text)
        try write()
        try file.close()
    }

    /// Appends a journal's first line. The length and last checksum of the present journal reveal lost lines, and another file
    /// under the name.
    func appendHeader(number: Int, to out: ByteBuffer) {
        CheckedLine.beginHead(out)
        out.append("\"journal\":", SnapshotHeader.version)
        out.append(",\"number\":", number)
        out.append(",\"revision\":", tree.revision)
        out.append(",\"after\":", file.length)
        out.append(",\"sum\":", file.chain.sum)
        out.append(",\"start\":")
        appendIdentity(to: out)
        CheckedLine.end(out)
    }

    private func appendIdentity(to out: ByteBuffer) {
        out.append("{\"epoch\":", epoch)
        out.append(",\"boot\":", boot)
        out.append(",\"durability\":", durability.rawValue, "}")
    }
}
