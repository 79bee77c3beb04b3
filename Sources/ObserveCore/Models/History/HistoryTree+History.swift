// SPDX-License-Identifier: MIT
// Keeps and forgets past commits. Independent of the clients that missed them.

extension HistoryTree {
    func keepHistory(commits: Int) {
        history.commitLimit = commits
        history.lastInstance = records.lastInstance
        records.horizon = revision
        history.horizonTime = 0
    }

    /// Marks the history as without equal assignments up to the current revision.
    func noteEqualAssignmentsFromNow() { paths.equalAssignmentsNotedSince = revision }

    func forgetHistory() {
        while !history.commits.isEmpty { forgetFirstCommit() }
        free(atMost: .max)
        records.horizon = history.commitLimit == 0 ? .max : revision
        history.horizonTime = 0
    }

    /// Forgets the history after a start if a commit had too few looks: its computed values may be others now. Returns whether that
    /// is so.
    func forgetInexactHistory() -> Bool {
        guard records.computedUnder.ranShort else { return false }
        forgetHistory()
        return true
    }

    // MARK: Keeping

    @inline(__always)
    func remember(_ old: consuming StoredValue, of id: PropertyID, at former: UInt64) {
        history.append(consume old, of: id, at: former, pending.cause, by: pending.author, at: revision)
        forgetBeyondLimits()
    }

    /// Moves the open commit's touches, order changes and released models into the history.
    func remember() {
        if records.lastInstance != history.lastInstance || !pending.restored.isEmpty { noteNewModels() }
        pending.touches.drain { (touch: consuming Touch) in
            let id = touch.property
            records.properties[id].touch = 0
            // A replay evaluates selections again.
            if records.isSelection(id) { return records.recycle(touch.old) }
            touch.isRemoval = records.properties[id].slot.isAbsent
            history.textBytes &+= textBytes(of: touch)
            history.touches.append(touch)
        }
        // They may read models that the history forgets at once.
        freeUnusedSelections()
        if !pending.orderChanges.isEmpty { pending.orderChanges.drain { history.orderChanges.append($0) } }
        if !pending.restored.isEmpty { rememberRestored() }
        let releasedBytes = pending.releasedModels.isEmpty ? 0 : rememberReleased()
        history.textBytes &+= releasedBytes
        history.endCommit(revision, by: pending.author, releasedBytes: releasedBytes)
        forgetBeyondLimits()
        let mayResume = paths.indistinctObservers > 0 || records.horizon <= paths.lastIndistinctObserver
        if paths.notesEqualAssignments, !mayResume { paths.notesEqualAssignments = false }
    }

    /// Most commits make no model: a loop of its own costs them nothing.
    private func noteNewModels() {
        for index in pending.touches.indices {
            let id = pending.touches[index].property
            if records.isSelection(id) { continue }
            let model = records.properties[id].model
            if pending.isNew(model, after: history.lastInstance, in: records) {
                pending.touches[index].isOfNewModel = true
            }
        }
        history.lastInstance = records.lastInstance
    }

    /// Forgets the oldest commits while there are too many.
    func forgetBeyondLimits() {
        while mustForget { forgetFirstCommit() }
        if history.unfreed.units > 0 { freeSlice() }
    }

    /// Keeps the models that the commit brought back. The commit that released them no longer owns them.
    private func rememberRestored() {
        for number in history.released.first..<history.released.end
        where !history.livingAgain.contains(number) {
            guard let restored = pending.restored[history.released[number]] else { continue }
            history.livingAgain.insert(number)
            history.releasedProperties -= restored.revisions.count
        }
        for (_, restored) in pending.restored.sorted(by: { $0.key < $1.key }) {
            history.restored.append(restored)
        }
    }

    /// - Returns: the bytes of text and arrays in the released models.
    private func rememberReleased() -> Int {
        removeDependentsOfReleased()
        var bytes = 0
        pending.releasedModels.drain { model in
            dropStacks(in: model)
            bytes += remember(released: model)
        }
        return bytes
    }

    /// Keeps a released model with the commit that ends next. Returns the bytes of its text and arrays.
    func remember(released model: ModelID) -> Int {
        history.releasedProperties += Int(records.models[model].count)
        history.released.append(model)
        var bytes = 0
        forEachProperty(of: model) {
            bytes +=
                records.properties[$0].slot.textBytes
                + records.names.sharedBytes(of: records.properties[$0].name)
        }
        return bytes
    }

    /// Bytes of text and arrays that the touch keeps in memory, with the name of a removed property.
    @inline(__always)
    func textBytes(of past: borrowing Touch) -> Int {
        past.isRemoval ? past.textBytes &+ nameBytes(past.property) : past.textBytes
    }

    private func nameBytes(_ id: PropertyID) -> Int {
        records.names.longBytes(of: records.properties[id].name)
    }

    private var mustForget: Bool {
        if history.commits.count > history.commitLimit || history.textBytes > limits.maxHistoryBytes {
            return true
        }
        let kept = history.touches.count &+ history.releasedProperties
        let fewest = limits.maxHistoryCommits
        guard kept > fewest else { return false }
        let freed = history.releasedProperties + history.unfreed.properties
        let living = max(0, records.properties.count - records.staging.propertyCount - freed)
        return kept > max(fewest, min(living, History.mostProperties))
    }

    private func forgetFirstCommit() {
        let commit = history.commits.removeFirst()
        records.horizon = commit.revision
        history.horizonTime = history.authors[commit.author].time
        while history.authors.first < commit.author { _ = history.authors.removeFirst() }
        while history.touches.first < commit.end.touch {
            let first = history.touches.first
            // Swapped out, since the history drops it.
            var old = StoredValue.absent
            swap(&history.touches[first].old, &old)
            history.textBytes &-= old.textBytes
            let (property, isRemoval) = (history.touches[first].property, history.touches[first].isRemoval)
            if history.touches[first].edits.isEmpty, history.touches[first].elementCauses == nil {
                history.touches.forgetFirst()
            } else {
                history.textBytes &-= history.touches.removeFirst().textBytes
            }
            if isRemoval {
                history.textBytes &-= nameBytes(property)
                records.freeIfUnused(property)
            }
            if case .array(let array) = old { history.unfreed.add(array) }
            records.recycle(old)
        }
        while history.orderChanges.first < commit.end.orderChange { _ = history.orderChanges.removeFirst() }
        while history.released.first < commit.end.released {
            let isAlive =
                !history.livingAgain.isEmpty && history.livingAgain.remove(history.released.first) != nil
            let model = history.released.removeFirst()
            if isAlive { continue }
            history.releasedProperties -= Int(records.models[model].count)
            history.unfreed.add(model, properties: Int(records.models[model].count))
        }
        while history.restored.first < commit.end.restored { _ = history.restored.removeFirst() }
        history.textBytes -= commit.releasedBytes
    }
}
