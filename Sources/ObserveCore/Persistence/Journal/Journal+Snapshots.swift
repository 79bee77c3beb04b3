// SPDX-License-Identifier: MIT
// Snapshots, which keep the journal short, and syncs now and then. The journal writes the tree in slices, between two
// batches, and hands out all work of the disk.

extension Journal {
    /// Work that is handed out, and its purpose.
    enum Work: Equatable {
        /// Up to that place of that journal, contents will be on the disk.
        case sync(number: Int, length: Int)
        /// The files of a snapshot, and of the journal that follows it, will be there.
        case prepare
        /// Part of a snapshot will be written, up to there; and on the disk, if it is time for that.
        case slice(end: Int, isSynced: Bool)
        /// All of the snapshot will be on the disk, and the commits that are a part of it.
        case seal(failures: Int)
        /// The snapshot will take the place of the one before, and of the journals before it.
        case snapshot(firstNumber: Int, bytes: Int)
        /// The parts of a failed snapshot will be gone.
        case tidy
    }

    /// Whether there is something to be done between two batches.
    var wantsStep: Bool {
        guard failure == nil, !needsFlush else { return false }
        if let snapshot, !snapshot.writer.isDone {
            return snapshot.text.count < rotation.mostText
        }
        return isWorking == nil && (!rotation.isIdle || rotation.isDue(file.length))
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
                    isEnough() || snapshot.text.count >= rotation.mostText
                }
                if snapshot.writer.isDone { try write() }
            } else if rotation.isPrepared {
                try beginSnapshot()
            }
        } catch {
            rotation.cancel(file.length)
            fail(error)
        }
    }

    /// The snapshot makes the journals before the next one superfluous.
    private func beginSnapshot() throws(DiskError) {
        try beginNextJournal()
        guard let snapshot else { return }
        snapshot.writer.begin(number: file.number, epoch: epoch, to: snapshot.text)
    }

    // MARK: Elsewhere

    /// The work to be done elsewhere now, if any; its result goes to ``finish(_:)``.
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
            // So that no other sync has to wait for long.
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
            // The commits made while it was written are a part of it.
            return (.seal(failures: failures.syncCount), journalSyncs + [.sync(name)])
        }
        var steps: [DiskStep] = [.rename(name, to: StateFile.snapshot), .syncNames]
        steps += (rotation.firstNumber..<file.number).map { .remove(StateFile.journal($0)) }
        rotation.current = nil
        return (.snapshot(firstNumber: file.number, bytes: snapshot.written), steps)
    }

    private var journalSyncs: [DiskStep] {
        (rotation.firstNumber...file.number).map { DiskStep.sync(StateFile.journal($0)) }
    }

    /// The work that was handed out is done.
    func finish(_ error: DiskError?) {
        guard let work = isWorking else { return }
        isWorking = nil
        if let error { return finish(work, failedWith: error) }
        switch work {
        case .sync(let number, let length): file.noteSync(of: number, upTo: length)
        case .prepare: rotation.isPrepared = true
        case .slice(let end, let isSynced):
            rotation.current?.written = end
            if isSynced { rotation.current?.synced = end }
        case .seal(let count):
            // A sync that failed meanwhile may have left this one nothing to do: then it is done again.
            if count == failures.syncCount { rotation.current?.isSealed = true }
        case .snapshot(let first, let bytes): rotation.finish(firstNumber: first, bytes: bytes)
        case .tidy: rotation.mustTidy = false
        }
    }

    private func finish(_ work: Work, failedWith error: DiskError) {
        switch work {
        case .sync: fail(error, isSync: true)
        case .seal:
            fail(error, isSync: true)
            rotation.cancel(file.length)
        case .prepare, .slice: rotation.cancel(file.length)
        case .snapshot:
            fail(error, isSync: true)
            // Some of the steps may have been taken.
            let left = ((try? disk.names()) ?? []).compactMap(StateFile.number)
            rotation.noteRemoved(before: left.min() ?? rotation.firstNumber)
            rotation.cancel(file.length)
        // What could not be removed is emptied by the next snapshot, or by the next start.
        case .tidy: rotation.mustTidy = false
        }
    }
}
