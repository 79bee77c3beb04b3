// SPDX-License-Identifier: MIT
// Snapshots, which keep the journal short, and periodic syncs. The journal renders the tree in slices, between two
// batches, and hands out all slow disk work.

extension Journal {
    /// Disk work for another thread, with its purpose.
    enum Work: Equatable {
        /// Sync the journals, the last of them up to that length.
        case sync(number: Int, length: Int)
        /// Make the files of a snapshot and of the journal that follows it.
        case prepare
        /// Write a part of the snapshot, which then has `end` bytes. May sync it too.
        case slice(end: Int, isSynced: Bool)
        /// Sync the journals with the commits that belong to the snapshot.
        case sealJournals
        /// Sync the snapshot.
        case seal
        /// Put the snapshot in the place of the one before and of the journals before it.
        case snapshot(firstNumber: Int, bytes: Int)
        /// Remove the parts of a failed snapshot.
        case tidy
    }

    /// Whether ``step(until:)`` has work between two batches.
    var wantsStep: Bool {
        guard failure == nil, !needsFlush else { return false }
        if let snapshot, !snapshot.writer.isDone {
            return snapshot.text.count < rotation.mostText
        }
        return isWorking == nil && (!rotation.isIdle || rotation.isDue(file.length))
    }

    /// Begins a snapshot, or renders its next slice. Waits for the disk only in small writes.
    ///
    /// - Parameter isEnough: called often; returns whether the slice has lasted long enough.
    /// - Returns: why no snapshot is taken now.
    @discardableResult
    func step(until isEnough: () -> Bool) -> DiskError? {
        do throws(DiskError) {
            if let snapshot {
                // The snapshot needs the commits made meanwhile, so they must not wait any longer.
                if snapshot.writer.isDone {
                    try write()
                    return nil
                }
                snapshot.writer.write(to: snapshot.text) {
                    isEnough() || snapshot.text.count >= rotation.mostText
                }
                if snapshot.writer.isDone { try write() }
            } else if rotation.isPrepared {
                try beginSnapshot()
            }
        } catch {
            rotation.cancel(file.length)
            return error
        }
        return nil
    }

    /// Cancels the snapshot that is being taken, if there is one: a tree can write only one at a time.
    func cancelSnapshot() {
        if snapshot != nil { rotation.cancel(file.length) }
    }

    /// Begins the next journal, and a snapshot that replaces the journals before it.
    private func beginSnapshot() throws(DiskError) {
        try beginNextJournal()
        guard let snapshot else { return }
        snapshot.writer.begin(number: file.number, sum: file.chain.sum, epoch: epoch, to: snapshot.text)
    }

    // MARK: Work for another thread

    /// The next work for another thread, if there is any. Its result goes to ``finish(_:)``.
    ///
    /// - Parameter isSyncDue: a second has passed since the last time.
    func popWork(isSyncDue: Bool) -> (@Sendable () -> DiskError?)? {
        if isSyncDue, durability == .interval { isSyncWanted = true }
        guard isWorking == nil, !isBroken, !needsProof, let (work, steps) = nextWork() else { return nil }
        isWorking = work
        return disk.work(steps)
    }

    private func nextWork() -> (Work, [DiskStep])? {
        if isSyncWanted {
            isSyncWanted = false
            if file.syncedLength < file.length {
                return (.sync(number: file.number, length: file.length), journalSyncs)
            }
        }
        if rotation.mustTidy { return (.tidy, [.remove(StateFile.freshSnapshot)]) }
        guard failure == nil else { return nil }
        if let snapshot { return nextPart(of: snapshot) }
        guard !rotation.isPrepared, rotation.isDue(file.length) else { return nil }
        let next = StateFile.journal(file.number + 1)
        return (.prepare, [.make(next), .make(StateFile.freshSnapshot), .syncNames])
    }

    private func nextPart(of snapshot: SnapshotUnderWay) -> (Work, [DiskStep])? {
        let name = StateFile.freshSnapshot
        if !snapshot.text.isEmpty {
            guard snapshot.writer.isDone || snapshot.text.count >= rotation.mostText / 2 else {
                return nil
            }
            let start = snapshot.taken
            let end = start + snapshot.text.count
            // Synced now and then, so that no other sync has to wait for long.
            let isSynced = end - snapshot.synced >= rotation.mostText * 16
            let bytes = snapshot.text.array
            snapshot.text.removeAll()
            rotation.current?.taken = end
            return (
                .slice(end: end, isSynced: isSynced),
                [.write(name, bytes, at: start)] + (isSynced ? [.sync(name)] : [])
            )
        }
        guard snapshot.isSealed else {
            guard snapshot.writer.isDone, batch.isEmpty else { return nil }
            // The snapshot needs the commits made while it was written.
            return snapshot.areJournalsSynced ? (.seal, [.sync(name)]) : (.sealJournals, journalSyncs)
        }
        var steps: [DiskStep] = [.rename(name, to: StateFile.snapshot), .syncNames]
        steps += (rotation.firstNumber..<file.number).map { .remove(StateFile.journal($0)) }
        rotation.current = nil
        return (.snapshot(firstNumber: file.number, bytes: snapshot.written), steps)
    }

    private var journalSyncs: [DiskStep] {
        (rotation.firstNumber...file.number).map { DiskStep.sync(StateFile.journal($0)) }
    }

    /// Notes the end of the work that was handed out.
    func finish(_ error: DiskError?) {
        guard let work = isWorking else { return }
        isWorking = nil
        if let error { return finish(work, failedWith: error) }
        switch work {
        case .sync(let number, let length): noteSync(of: number, upTo: length)
        case .prepare: rotation.isPrepared = true
        case .slice(let end, let isSynced):
            rotation.current?.written = end
            if isSynced { rotation.current?.synced = end }
        case .sealJournals: rotation.current?.areJournalsSynced = true
        case .seal: rotation.current?.isSealed = true
        case .snapshot(let first, let bytes): rotation.finish(firstNumber: first, bytes: bytes)
        case .tidy: rotation.mustTidy = false
        }
    }

    private func finish(_ work: Work, failedWith error: DiskError) {
        switch work {
        case .sync, .sealJournals: fail(error)
        case .prepare, .slice, .seal: rotation.cancel(file.length)
        case .snapshot:
            // The disk may have done some of the steps.
            let left = ((try? disk.names()) ?? []).compactMap(StateFile.number)
            rotation.noteRemoved(before: left.min() ?? rotation.firstNumber)
            rotation.cancel(file.length)
        // If the file could not be removed, the next snapshot empties it, or the next start removes it.
        case .tidy: rotation.mustTidy = false
        }
    }
}
