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

/// Appends every commit of a tree to a file, batch by batch.
///
/// ``record(_:)`` adds a commit to the open batch. ``flush()`` makes the batch as safe as ``durability`` demands.
/// If it fails, none of the batch is safe, and the caller has to undo it. ``popWork(isSyncDue:)`` hands out slow
/// disk work for another thread.
///
/// - Threading: none of its own; confined with its tree.
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
    private(set) var failures = DiskFailures()
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
        durability: Durability,
        epoch: String,
        boot: String,
        clock: WallClock
    ) {
        self.tree = tree
        self.file = file
        self.rotation = rotation
        self.disk = disk
        self.durability = durability
        self.epoch = epoch
        self.boot = boot
        self.clock = clock
        batch = OpenBatch(durability)
    }

    /// Bytes in all journals.
    package var bytes: Int { rotation.bytes(file.length) }

    /// Bytes of the last snapshot.
    package var snapshotBytes: Int { rotation.snapshotBytes }

    /// The last failure; nil after a success.
    package var failure: DiskError? { failures.last }

    /// The state of the disk is uncertain until ``repair()``.
    var hasFailedSync: Bool { failures.hasFailedSync }

    /// The snapshot that is being taken.
    var snapshot: SnapshotUnderWay? { rotation.current }

    // MARK: Commits

    func record(_ commit: CommitView) {
        // The snapshot would have models of both the former and the new types.
        if commit.changesTypes, let snapshot, !snapshot.writer.isDone { rotation.cancel(file.length) }
        batch.record(commit, of: tree, clock, withComputed: snapshot != nil)
    }

    @inline(__always)
    func record(_ commit: CommitView, scalar json: JSONView, of id: PropertyID) {
        batch.record(commit, of: tree, scalar: json, id)
    }

    /// Records the end of a binding. If ``flush()`` fails, the record is dropped.
    func recordUnbinding(_ binding: Int32) { batch.record(unbinding: binding, at: tree.revision) }

    /// Whether some commits must not show yet.
    @inline(__always)
    var needsFlush: Bool { batch.needsFlush || file.isInFlight }

    /// Makes the open batch as safe as ``durability`` demands.
    ///
    /// - Errors: the journal refuses the batch, and the caller has to undo it.
    func flush() throws(DiskError) {
        guard needsFlush else { return }
        batch.close()
        if durability == .none, batch.text.count < 256 << 10, failure == nil { return batch.markFlushed() }
        do throws(DiskError) { try write() } catch {
            batch.drop()
            throw error
        }
    }

    /// Notes that a sync by another thread has ended.
    func noteSync(of number: Int, upTo length: Int) {
        file.noteSync(of: number, upTo: length)
        batch.noteSync()
    }

    // MARK: In-flight batches

    /// Whether another thread may sync the batch while the hub makes the next one.
    var mayFly: Bool {
        durability == .commit && !file.isInFlight && !batch.isEmpty && failure == nil && prologue.isEmpty
            && isWorking == nil && rotation.isIdle && !rotation.isDue(file.length)
    }

    /// Writes the batch, and hands out its sync, whose result goes to ``finishSync(_:)``. Until then the batch is
    /// not safe.
    ///
    /// - Errors: as ``flush()``'s.
    func beginSync() throws(DiskError) -> @Sendable () -> DiskError? {
        batch.close()
        do throws(DiskError) {
            try file.prepare()
            try writeBatch()
        } catch {
            refuse(error)
            batch.drop()
            throw error
        }
        file.beginFlight(batch.text.count)
        batch.removeAll()
        return disk.work([.sync(file.name)])
    }

    /// Ends the in-flight batch. If its sync failed, the caller has to undo it and the batch after it.
    func finishSync(_ error: DiskError?) {
        file.endFlight(isSynced: error == nil)
        failures.last = nil
        guard let error else { return }
        refuse(error)
        batch.drop()
        batch.forgetAuthor()
    }

    // MARK: Writing

    /// Refuses the bytes behind the file's length: the next start must not find them.
    private func refuse(_ error: DiskError) {
        file.refuse()
        failures.last = error
        // The sync may also have lost the first lines of the file.
        if durability == .commit, file.syncedLength < file.length { failures.noteFailedSync(error) }
        // Otherwise a power loss could bring the refused lines back.
        do throws(DiskError) { try file.sync() } catch { failures.noteFailedSync(error) }
    }

    private func writeBatch() throws(DiskError) {
        guard !batch.isEmpty else { return }
        batch.setSafe(file.syncedLength)
        try file.write(batch.text)
        if durability == .commit { file.writeZeros(after: batch.text.count) }
    }

    /// Writes the waiting lines; under `commit`, also syncs them.
    func write() throws(DiskError) {
        guard !batch.isEmpty || !prologue.isEmpty else { return }
        do throws(DiskError) {
            if hasFailedSync { try repair() }
            try file.prepare()
            if !prologue.isEmpty {
                try file.write(prologue)
                try syncIfPromised()
                file.advance(by: prologue.count, isSynced: false)
                prologue.removeAll()
            }
            try writeBatch()
            try syncIfPromised()
        } catch {
            refuse(error)
            throw error
        }
        file.advance(by: batch.text.count, isSynced: durability == .commit)
        batch.removeAll()
        failures.last = nil
    }

    private func syncIfPromised() throws(DiskError) {
        if durability == .commit { try file.sync() }
    }

    // MARK: Failures

    func fail(_ error: DiskError, isSync: Bool = false) {
        if isSync { failures.noteFailedSync(error) } else { failures.last = error }
    }

    /// Writes the journals anew, each beside the old one until it is on the disk. After a failed sync the system
    /// may drop bytes that it accepted. The next start may also find bytes that were cut off.
    func repair() throws(DiskError) {
        guard hasFailedSync else { return }
        do throws(DiskError) {
            try file.prepare()
            for number in rotation.firstNumber...file.number { try renew(StateFile.journal(number)) }
            try disk.syncNames()
        } catch {
            failures.last = error
            throw error
        }
        failures.noteRepaired()
        file.noteRenewed()
    }

    private func renew(_ name: String) throws(DiskError) {
        guard let bytes = try disk.read(name) else { return }
        let copy = ByteBuffer(capacity: bytes.count)
        copy.append(contentsOf: name == file.name ? Array(bytes.prefix(file.length)) : bytes)
        try disk.make(StateFile.freshJournal)
        try disk.write(StateFile.freshJournal, copy, at: 0)
        try disk.sync(StateFile.freshJournal)
        try disk.rename(StateFile.freshJournal, to: name)
    }

    // MARK: Beginning and end

    /// Continues a journal: the next write begins with the line that names the process.
    ///
    /// Behind lines of version 1, a head says that linked lines follow. A daemon that knows only version 1 refuses
    /// it. Otherwise that daemon would take the linked lines for a torn write.
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

    /// Begins the next journal, and the snapshot that this journal continues.
    func beginNextJournal() throws(DiskError) {
        try write()
        try file.prepare()
        let (header, length) = (ByteBuffer(), file.length)
        appendHeader(number: file.number + 1, to: header)
        try file.beginNext(header)
        batch.forgetAuthor()
        rotation.begin(SnapshotWriter(tree, clock: clock), after: length)
    }

    /// Appends that the process ended in order, and syncs everything.
    package func close() throws(DiskError) {
        rotation.current = nil
        try write()
        CheckedLine.begin(batch.text)
        batch.text.append("\"stop\":")
        batch.text.append(decimal: tree.revision)
        batch.text.append(",\"lines\":")
        batch.text.append(decimal: Int64(file.chain.count + 1))
        CheckedLine.end(batch.text)
        try write()
        try file.close()
    }

    /// Appends a journal's first line. It names the length of the present journal and the checksum of its last
    /// line: they reveal lost lines, and another file under the name.
    func appendHeader(number: Int, to out: ByteBuffer) {
        CheckedLine.beginHead(out)
        out.append("\"journal\":")
        out.append(decimal: SnapshotHeader.version)
        out.append(",\"number\":")
        out.append(decimal: Int64(number))
        out.append(",\"revision\":")
        out.append(decimal: tree.revision)
        out.append(",\"after\":")
        out.append(decimal: Int64(file.length))
        out.append(",\"sum\":")
        out.append(decimal: UInt64(file.chain.sum))
        out.append(",\"start\":")
        appendIdentity(to: out)
        CheckedLine.end(out)
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
