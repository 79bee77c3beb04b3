// SPDX-License-Identifier: MIT
// What keeps the journal short: snapshots, and what is synced now and then. Done in slices, or elsewhere.

extension Journal {
    /// Whether there is something to be done between two batches.
    var wantsStep: Bool {
        guard failure == nil, !isUnsettled else { return false }
        if snapshot != nil { return true }
        return isWorking == nil && length + olderBytes > max(minimumBytes, snapshotBytes, retryBytes)
    }

    /// Begins a snapshot, or writes another slice of it.
    ///
    /// - Parameter isEnough: asked often: when the slice has taken long enough.
    func step(until isEnough: () -> Bool) {
        do throws(DiskError) {
            if let snapshot {
                try writeSlice(of: snapshot, until: isEnough)
            } else {
                try beginSnapshot()
            }
        } catch {
            snapshot = nil
            failure = error
            retryBytes = bytes + bytes / 2
        }
    }

    /// Commits from here on go to another journal: the snapshot makes those before superfluous.
    func beginSnapshot() throws(DiskError) {
        try write()
        try prepare()
        let (next, header) = (number + 1, ByteBuffer())
        appendHeader(number: next, to: header)
        stray = StateFile.journal(next)
        try disk.make(StateFile.journal(next))
        try disk.write(StateFile.journal(next), header, at: 0)
        stray = nil
        olderBytes += length
        number = next
        length = header.count
        syncedLength = 0
        mustSyncNames = true
        forgetAuthor()
        try disk.make(StateFile.freshSnapshot)
        let writer = SnapshotWriter(tree, clock: clock)
        slice.removeAll()
        writer.begin(number: next, epoch: epoch, to: slice)
        try disk.write(StateFile.freshSnapshot, slice, at: 0)
        freshSnapshotBytes = slice.count
        slice.removeAll()
        snapshot = writer
    }

    private func writeSlice(of writer: SnapshotWriter, until isEnough: () -> Bool) throws(DiskError) {
        // The commits made meanwhile are a part of it, and must not wait any longer.
        if writer.isDone { return try write() }
        slice.removeAll()
        writer.write(to: slice, until: isEnough)
        try disk.write(StateFile.freshSnapshot, slice, at: freshSnapshotBytes)
        freshSnapshotBytes += slice.count
        if writer.isDone { try write() }
    }

    // MARK: Elsewhere

    /// What is to be done elsewhere now, if anything: its result goes to ``finish(_:)``.
    ///
    /// - Parameter isSyncDue: a second has passed since the last time.
    func takeWork(isSyncDue: Bool) -> (@Sendable () -> DiskError?)? {
        guard isWorking == nil else { return nil }
        if let snapshot, snapshot.isDone, pending.isEmpty {
            self.snapshot = nil
            // The commits made while it was written are a part of it.
            var steps = (firstNumber...number).map { DiskStep.sync(StateFile.journal($0)) }
            steps += [
                .sync(StateFile.freshSnapshot), .syncNames,
                .rename(StateFile.freshSnapshot, to: StateFile.snapshot), .syncNames,
            ]
            steps += (firstNumber..<number).map { .remove(StateFile.journal($0)) }
            isWorking = .snapshot(firstNumber: number, bytes: freshSnapshotBytes)
            return disk.work(steps)
        }
        guard isSyncDue, durability == .interval, syncedLength < length, !hasFailedSync else { return nil }
        isWorking = .sync(number: number, length: length)
        let older = (firstNumber..<number).map { DiskStep.sync(StateFile.journal($0)) }
        return disk.work(older + [.sync(name)] + (mustSyncNames ? [.syncNames] : []))
    }

    /// The work that was taken is done.
    func finish(_ error: DiskError?) {
        guard let work = isWorking else { return }
        isWorking = nil
        switch (work, error) {
        case (.sync(let number, let length), nil):
            if number == self.number {
                syncedLength = max(syncedLength, length)
                mustSyncNames = false
            }
        case (.sync, let error):
            hasFailedSync = true
            failure = error
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
            retryBytes = self.bytes + self.bytes / 2
        }
    }
}
