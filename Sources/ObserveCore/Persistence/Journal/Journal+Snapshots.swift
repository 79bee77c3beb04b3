// SPDX-License-Identifier: MIT
// Snapshots, which keep the journal short, and periodic syncs. The journal renders the tree in slices, between two
// batches, and hands out all slow disk work. Dumps of the whole tree, beside the journal.

extension Journal {
    /// Disk work for another thread, with its purpose.
    enum Work: Equatable {
        /// Sync the journals, the last of them up to that length.
        case sync(number: Int, length: Int)
        /// Make the files of a snapshot and of the journal that follows it.
        case prepare
        /// Write a part of the snapshot, which then has `end` bytes. May sync it too.
        case slice(end: Int, isSynced: Bool)
        case seal
        /// Put the snapshot in the place of the one before and of the journals before it.
        case snapshot(firstNumber: Int, bytes: Int)
        case removeParts
    }

    /// Whether ``step(until:)`` has work between two batches.
    var wantsStep: Bool {
        guard failure == nil, !needsFlush else { return false }
        if let snapshot, !snapshot.view.isDone { return snapshot.text.count < rotation.roomForText }
        return isWorking == nil && (!rotation.isIdle || rotation.isDue(file.length))
    }

    /// Begins a snapshot, or renders its next slice. Waits for the disk only in small writes.
    /// - Parameter isEnough: called often; returns whether the slice has lasted long enough.
    /// - Returns: why no snapshot is taken now.
    @discardableResult func step(until isEnough: () -> Bool) -> DiskError? {
        do throws(DiskError) {
            if let snapshot {
                render(snapshot, until: isEnough)
            } else if rotation.isPrepared {
                try beginNextJournal()
            }
        } catch {
            rotation.cancel(file.length)
            return error
        }
        return nil
    }

    private func render(_ snapshot: SnapshotUnderWay, until isEnough: () -> Bool) {
        if cancelIfEnded(snapshot) { return }
        let (view, text) = (snapshot.view, snapshot.text)
        repeat {
            view.write(to: text, bytes: 1)
        } while !view.isDone && text.count < rotation.roomForText
            && (rotation.isHeldTooMuch || !isEnough())
    }

    private func cancelIfEnded(_ snapshot: SnapshotUnderWay) -> Bool {
        if snapshot.view.endReason == nil { return false }
        rotation.cancel(file.length)
        return true
    }

    // MARK: Work for another thread

    /// The next work for another thread, if there is any. Its result goes to ``finish(_:)``.
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
        if rotation.mustRemoveParts { return (.removeParts, [.remove(StateFile.freshSnapshot)]) }
        guard failure == nil else { return nil }
        if let snapshot, !cancelIfEnded(snapshot) { return nextPart(of: snapshot) }
        guard !rotation.isPrepared, rotation.isDue(file.length) else { return nil }
        let next = StateFile.journal(file.number + 1)
        return (.prepare, [.make(next), .make(StateFile.freshSnapshot), .syncNames])
    }

    private func nextPart(of snapshot: SnapshotUnderWay) -> (Work, [DiskStep])? {
        let name = StateFile.freshSnapshot
        if !snapshot.text.isEmpty {
            guard snapshot.view.isDone || snapshot.text.count >= rotation.roomForText / 2 else { return nil }
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
            guard snapshot.view.isDone else { return nil }
            // The journal has to be there when its snapshot is: both have the checksum of its first line.
            if file.syncedLength == 0 {
                return (.sync(number: file.number, length: file.length), journalSyncs)
            }
            return (.seal, [.sync(name)])
        }
        var steps: [DiskStep] = [.rename(name, to: StateFile.snapshot), .syncNames]
        steps += (rotation.firstNumber..<file.number).map { .remove(StateFile.journal($0)) }
        rotation.current = nil
        return (.snapshot(firstNumber: file.number, bytes: snapshot.written), steps)
    }

    private var journalSyncs: [DiskStep] {
        (rotation.firstNumber...file.number).map { DiskStep.sync(StateFile.journal($0)) }
    }

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
        case .seal: rotation.current?.isSealed = true
        case .snapshot(let first, let bytes): rotation.finish(firstNumber: first, bytes: bytes)
        case .removeParts: rotation.mustRemoveParts = false
        }
    }

    private func finish(_ work: Work, failedWith error: DiskError) {
        switch work {
        case .sync: fail(error)
        case .prepare, .slice, .seal: rotation.cancel(file.length)
        case .snapshot:
            // The disk may have done some of the steps.
            let left = ((try? disk.names()) ?? []).compactMap(StateFile.number)
            rotation.noteRemoved(before: left.min() ?? rotation.firstNumber)
            rotation.cancel(file.length)
        // If the file could not be removed, the next snapshot empties it, or the next start removes it.
        case .removeParts: rotation.mustRemoveParts = false
        }
    }
}

extension Journal {
    /// Writes a dump of all roots as `before-REVISION.jsonl`, or beside it. Returns its name when it is on the disk.
    func saveDump(of tree: ModelTree) throws(DiskError) -> String {
        let view = ReadView(of: tree, .init(epoch: epoch, clock: clock))
        defer { view.end() }
        let fresh = StateFile.freshDump
        let name = try disk.freeName(StateFile.dump(before: view.header.revision))
        try disk.make(fresh)
        var length = 0
        let text = ByteBuffer()
        while !view.isDone {
            view.write(to: text, bytes: 1 << 20)
            try disk.write(fresh, text, at: length)
            length += text.count
            text.removeAll()
        }
        try disk.sync(fresh)
        try disk.rename(fresh, to: name)
        try disk.syncNames()
        return name
    }
}
