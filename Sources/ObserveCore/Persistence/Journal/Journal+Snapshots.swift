// SPDX-License-Identifier: MIT
// What keeps the journal short: snapshots, and what is synced now and then. The tree is written down in slices, between
// two batches; all that a disk does for it is done elsewhere.

/// A snapshot that is being taken.
struct SnapshotUnderWay {
    let writer: SnapshotWriter
    /// What is written down, and not handed out yet.
    let text = ByteBuffer()
    /// Bytes that were handed out, those of them that are written, and those that are on the disk.
    var taken = 0
    var written = 0
    var synced = 0
    /// All that its taking the others' place depends on is on the disk.
    var isSealed = false
}

extension Journal {
    /// Something that is done elsewhere, and what for.
    enum Work: Equatable {
        /// Up to that place of that journal, contents will be on the disk.
        case sync(number: Int, length: Int)
        /// The files of a snapshot, and of the journal that goes on from it, will be there.
        case prepare
        /// Part of a snapshot will be written, up to there; and on the disk, if it is time for that.
        case slice(end: Int, isSynced: Bool)
        /// All of the snapshot will be on the disk, and the commits that are a part of it.
        case seal(failures: Int)
        /// The snapshot will take the place of the one before, and of the journals before it.
        case snapshot(firstNumber: Int, bytes: Int)
        /// What is left of a snapshot that came to nothing will be gone.
        case tidy
    }

    /// The journals have become long enough for another snapshot.
    var isSnapshotDue: Bool {
        isSnapshotWanted || length + olderBytes > max(minimumBytes, snapshotBytes, retryBytes)
    }

    /// Whether there is something to be done between two batches.
    var wantsStep: Bool {
        guard failure == nil, !needsFlush else { return false }
        if let snapshot, !snapshot.writer.isDone {
            return snapshot.text.count < mostSnapshotText
        }
        return isWorking == nil && (snapshot != nil || isPrepared || isSnapshotDue)
    }

    /// Begins a snapshot, or writes another slice of it down. Nothing here waits for a disk but a small write.
    ///
    /// - Parameter isEnough: asked often: when the slice has taken long enough.
    func step(until isEnough: () -> Bool) {
        do throws(DiskError) {
            if let snapshot {
                // The commits made meanwhile are a part of it, and must not wait any longer.
                if snapshot.writer.isDone { return try write() }
                snapshot.writer.write(to: snapshot.text) {
                    isEnough() || snapshot.text.count >= mostSnapshotText
                }
                if snapshot.writer.isDone { try write() }
            } else if isPrepared {
                try beginSnapshot()
            }
        } catch {
            dropSnapshot()
            failure = error
        }
    }

    /// Commits from here on go to another journal: the snapshot makes those before superfluous.
    private func beginSnapshot() throws(DiskError) {
        try write()
        try prepare()
        let (next, header) = (number + 1, ByteBuffer())
        appendHeader(number: next, after: length, to: header)
        strays = [StateFile.journal(next)]
        try disk.write(StateFile.journal(next), header, at: 0)
        strays = []
        olderBytes += length
        number = next
        length = header.count
        syncedLength = 0
        roomEnd = 0
        forgetAuthor()
        let fresh = SnapshotUnderWay(writer: SnapshotWriter(tree, clock: clock))
        fresh.writer.begin(number: next, epoch: epoch, to: fresh.text)
        snapshot = fresh
        isPrepared = false
        isSnapshotWanted = false
    }

    /// Gives up a snapshot, and what there is of it on the disk: there may be no room for it.
    private func dropSnapshot() {
        snapshot = nil
        isPrepared = false
        isSnapshotWanted = false
        mustTidy = true
        retryBytes = bytes + bytes / 2
    }

    // MARK: Elsewhere

    /// What is to be done elsewhere now, if anything: its result goes to ``finish(_:)``.
    ///
    /// - Parameter isSyncDue: a second has passed since the last time.
    func popWork(isSyncDue: Bool) -> (@Sendable () -> DiskError?)? {
        if isSyncDue, durability == .interval { isSyncWanted = true }
        guard isWorking == nil, !hasFailedSync, let (work, steps) = nextWork() else { return nil }
        isWorking = work
        return disk.work(steps)
    }

    private func nextWork() -> (Work, [DiskStep])? {
        if isSyncWanted {
            isSyncWanted = false
            if syncedLength < length {
                let steps = (firstNumber...number).map { DiskStep.sync(StateFile.journal($0)) }
                return (.sync(number: number, length: length), steps)
            }
        }
        if mustTidy { return (.tidy, [.remove(StateFile.freshSnapshot)]) }
        guard failure == nil else { return nil }
        if let snapshot { return nextPart(of: snapshot) }
        guard !isPrepared, isSnapshotDue else { return nil }
        let next = StateFile.journal(number + 1)
        return (.prepare, [.make(next), .make(StateFile.freshSnapshot), .syncNames])
    }

    private func nextPart(of snapshot: SnapshotUnderWay) -> (Work, [DiskStep])? {
        let name = StateFile.freshSnapshot
        if !snapshot.text.isEmpty {
            guard snapshot.writer.isDone || snapshot.text.count >= mostSnapshotText / 2 else {
                return nil
            }
            let start = snapshot.taken
            let end = start + snapshot.text.count
            // So that no other sync has to wait for long.
            let isSynced = end - snapshot.synced >= mostSnapshotText * 16
            let bytes = snapshot.text.array
            snapshot.text.removeAll()
            self.snapshot?.taken = end
            return (
                .slice(end: end, isSynced: isSynced),
                [.write(name, bytes, at: start)] + (isSynced ? [.sync(name)] : [])
            )
        }
        guard snapshot.isSealed else {
            guard snapshot.writer.isDone, pending.isEmpty else { return nil }
            // The commits made while it was written are a part of it.
            let steps = (firstNumber...number).map { DiskStep.sync(StateFile.journal($0)) } + [.sync(name)]
            return (.seal(failures: syncFailures), steps)
        }
        var steps: [DiskStep] = [.rename(name, to: StateFile.snapshot), .syncNames]
        steps += (firstNumber..<number).map { .remove(StateFile.journal($0)) }
        self.snapshot = nil
        return (.snapshot(firstNumber: number, bytes: snapshot.written), steps)
    }

    /// The work that was taken is done.
    func finish(_ error: DiskError?) {
        guard let work = isWorking else { return }
        isWorking = nil
        switch (work, error) {
        case (.sync(let number, let length), nil):
            if number == self.number { syncedLength = max(syncedLength, length) }
        case (.sync, let error):
            hasFailedSync = true
            failure = error
        case (.prepare, nil): isPrepared = true
        case (.slice(let end, let isSynced), nil):
            snapshot?.written = end
            if isSynced { snapshot?.synced = end }
        case (.seal(let failures), nil):
            // One that has failed meanwhile may have made this one find nothing to do: then it is done again.
            if failures == syncFailures { snapshot?.isSealed = true }
        case (.seal, let error):
            hasFailedSync = true
            failure = error
            dropSnapshot()
        case (.prepare, _), (.slice, _): dropSnapshot()
        case (.snapshot(let first, let bytes), nil):
            firstNumber = first
            olderBytes = 0
            snapshotBytes = bytes
            retryBytes = 0
        case (.snapshot, let error):
            hasFailedSync = true
            failure = error
            // Some of the steps may have been taken.
            let left = ((try? disk.names()) ?? []).compactMap(StateFile.number)
            firstNumber = left.min() ?? firstNumber
            dropSnapshot()
        // What could not be removed is emptied by the next that is taken, or by the next start.
        case (.tidy, _): mustTidy = false
        }
    }
}
