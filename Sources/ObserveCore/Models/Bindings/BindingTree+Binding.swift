// SPDX-License-Identifier: MIT
// Makes and removes bindings, and propagates their values. Independent of the order of updates.

extension BindingTree {
    /// Makes a binding, which propagates the value of `source` to `target` from the end of the open commit on. Returns its
    /// number.
    /// - Parameters:
    ///   - source: without wildcards; an operator only for a one-way binding.
    ///   - target: literal.
    ///   - isRestored: the binding comes from stored state or a dump, so its first update writes nothing.
    func addBinding(
        _ source: ParsedKeyPath,
        to target: ParsedKeyPath,
        isTwoWay: Bool,
        isRestored: Bool = false
    ) throws(TreeError) -> Int32 {
        try refuseReserved(target)
        try refuseReserved(source)
        try refuseFixed(target)
        if isTwoWay { try refuseFixed(source) }
        if !isRestored { try refuseUnfit(source, to: target) }
        if isTwoWay, !source.isLiteral {
            let fault = "has \(source.unwritable), so nothing can be carried back to it"
            throw TreeError(.readOnly, source, fault)
        }
        let number = dependents.bindings.advanceNumber()
        let binding = Binding(
            number: number,
            source: copied(source),
            target: copied(target),
            sourcePath: records.readPath(source),
            targetPath: records.readPath(target),
            isTwoWay: isTwoWay
        )
        binding.isRestored = isRestored
        let dependent = dependents.records.allocate()
        dependents.records[dependent].number = number
        dependents.records[dependent].binding = binding
        dependents.records[dependent].isTwoWay = isTwoWay
        dependents.bindings.add(binding, dependent)
        pending.bound.append(number)
        dependents.markStale(dependent, in: records)
        return number
    }

    private func copied(_ path: ParsedKeyPath) -> ParsedKeyPath {
        let copy = ParsedKeyPath(maxDepth: limits.maxDepth)
        guard (try? copy.parse(dotted: path.escaped)) != nil
        else { preconditionFailure("a key path does not read back") }
        return copy
    }

    /// Removes a binding; both ends keep their values. Not during a commit. Returns false if none has that number.
    func removeBinding(_ number: Int32) -> Bool {
        precondition(pending.touches.isEmpty, "a binding was ended in the middle of a commit")
        guard let dependent = dependents.bindings.byNumber[number],
            let binding = dependents.records[dependent].binding
        else { return false }
        dependents.bindings.remove(binding)
        note(nil, of: binding, isBackward: false, isSilent: true)
        dependents.remove(dependent, in: &records)
        records.release(binding.sourcePath)
        records.release(binding.targetPath)
        return true
    }

    /// Sets the last number of a binding; the next binding gets the next free one.
    func continueBindings(after number: Int32) { dependents.bindings.numbers.last = number }

    /// The number of the binding from one path to the other, in escaped form; nil if they are not bound.
    func binding(from source: String, to target: String) -> Int32? {
        dependents.bindings.byEnds[BoundPaths(source: source, target: target)]
    }

    /// All bindings, in the order of their numbers.
    var allBindings: [Binding] {
        dependents.bindings.byNumber.keys.sorted().compactMap { dependents.binding($0) }
    }

    // MARK: Propagating

    /// The effect of the open commit on the arrays that hold a binding's target.
    enum ArrayEffect {
        /// No more than single elements were replaced.
        case kept
        /// Insertions or removals moved elements.
        case moved
        /// The target is an element of another array now.
        case assigned
    }

    struct BindingEnds {
        var source: StoredValue
        /// ``DerivingTree/excess`` if it has more elements than a binding propagates.
        var target: StoredValue
        var place: Binding.Place?
        var arrays = ArrayEffect.kept
        /// Whether the source has more elements than a binding propagates.
        var isExcessive = false
        /// Whether the binding has all inputs, or had all looks for itself.
        var endsRetry = true
    }

    /// Follows both paths.
    func trace(_ binding: Binding, _ cursor: inout EdgeCursor) -> BindingEnds {
        let source = trace(binding.sourcePath, from: TracedPlace(records.root), &cursor)
        cursor.isTarget = true
        let target = trace(binding.targetPath, from: TracedPlace(records.root), &cursor)
        dependents.records[cursor.dependent].source = bound(source)
        dependents.records[cursor.dependent].target = bound(target)
        let isTargetExcessive = isExcessive(target.value)
        var ends = BindingEnds(source: source.value, target: isTargetExcessive ? excess : target.value)
        ends.isExcessive = source.isExcessive || isExcessive(source.value)
        if target.holder != .noRecord {
            // No record in a variable, which would copy it.
            let instance = records.models[records.properties[target.holder].model].instance
            ends.place = Binding.Place(instance: instance, indexCount: target.indices.count)
            let touch = Int(records.properties[target.holder].touch)
            if touch != 0, !target.indices.isEmpty {
                ends.arrays = effect(of: pending.touches[touch - 1], on: target.indices.dropLast())
            }
        }
        return ends
    }

    private func bound(_ place: TracedPlace) -> BoundPlace {
        guard place.holder != .noRecord else { return BoundPlace() }
        let (model, name) = (records.properties[place.holder].model, records.properties[place.holder].name)
        return BoundPlace(slot: Slot(model: model, name: name), depth: place.indices.count)
    }

    private func effect(of touch: Touch, on indices: ArraySlice<Int>) -> ArrayEffect {
        var edits = touch.edits
        if edits.isEmpty { return touch.isChanged ? .assigned : .kept }
        for (level, index) in indices.enumerated() {
            if edits.isShifted(at: level) { return .moved }
            switch edits.effect(on: index, at: level) {
            case .edited(let inner, _): edits = inner
            case .assigned: return .assigned
            case .untouched, .assignedEqual: return .kept
            }
        }
        return edits.isShifted(at: indices.count) ? .moved : .kept
    }

    private enum Direction {
        case none
        case forward
        case backward
    }

    /// The direction in which the binding propagates the value now, if any. The source wins, also if the target leads elsewhere
    /// now. If only the target's value changed, a two-way binding propagates it back, and a one-way binding leaves it.
    private func direction(_ binding: Binding, _ ends: BindingEnds) -> Direction {
        let isTargetChanged = !ends.target.equals(binding.last.target)
        if binding.last.isNew || !ends.source.equals(binding.last.source) { return .forward }
        if ends.place != binding.last.place || ends.arrays == .assigned { return .forward }
        if isTargetChanged, ends.arrays == .moved { return .forward }
        if isTargetChanged, binding.isTwoWay { return .backward }
        if binding.last.isFailing {
            return binding.last.failedBackward && !isTargetChanged ? .backward : .forward
        }
        return .none
    }

    /// Makes the write that the binding needs, and records the values of both ends after it.
    func propagate(_ binding: Binding, of dependent: DependentID, _ ends: BindingEnds) {
        if dependents.updates.isRestoring { return }
        dependents.bindings.note(binding)
        if ends.isExcessive { return refuseElements(of: binding) }
        countComparison(of: ends)
        let isWoken = noteSource(of: binding, dependent, ends.source)
        let direction = isWoken ? .forward : direction(binding, ends)
        binding.last.isNew = false
        binding.last.source = ends.source
        binding.last.target = ends.target
        binding.last.place = ends.place
        let isRestored = binding.isRestored
        binding.isRestored = false
        if isRestored { return restoreFailure(of: binding, ends) }
        guard direction != .none, !binding.last.rests, binding.lastWrite != pendingRevision else { return }
        let isBackward = direction == .backward
        let (value, present) = isBackward ? (ends.target, ends.source) : (ends.source, ends.target)
        if value.isExcess { return note(tooManyElements(binding.target), of: binding, isBackward: true) }
        if value.equals(present), value.modelID == nil || !isWeakly(present, at: dependent, isBackward) {
            return noteSuccess(of: binding, isBackward: isBackward)
        }
        dependents.bindings.writing = dependent
        dependents.bindings.isWritingTarget = !isBackward
        let writer = pending.cause
        pending.cause = .binding(binding.number)
        defer {
            pending.cause = writer
            dependents.bindings.writing = .noRecord
            if dependents.bindings.hasWrittenItself {
                dependents.bindings.hasWrittenItself = false
                dependents.markStale(dependent, in: records)
            }
        }
        do throws(TreeError) {
            let (from, to) = binding.paths(isBackward: isBackward)
            let (new, place) = try writable(value, to, from: from)
            _ = try put(new, to, at: place)
            binding.lastWrite = pendingRevision
            if isBackward { binding.last.source = new } else { binding.last.target = new }
            releaseUnreferenced()
            noteSuccess(of: binding, isBackward: isBackward)
        } catch {
            note(error, of: binding, isBackward: isBackward)
        }
    }

    /// Lets the binding rest if a change of types removes its source, as `film.year` if `Film` loses `year`: propagating null
    /// would destroy the target's value. Returns whether the rest ends, so that the binding propagates its source.
    private func noteSource(of binding: Binding, _ dependent: DependentID, _ source: StoredValue) -> Bool {
        guard binding.last.rests || pending.formerTypes != nil else { return false }
        let isChanged = !source.equals(binding.last.source)
        let isGone = pending.formerTypes?.sources[dependent]
        defer { if isChanged || isGone == false { binding.last.rests = isChanged && isGone == true } }
        return binding.last.rests && isGone == false
    }

    /// Whether the property at that end refers to its model weakly, without being declared weak.
    private func isWeakly(_ value: StoredValue, at dependent: DependentID, _ isBackward: Bool) -> Bool {
        let end = isBackward ? dependents.records[dependent].source : dependents.records[dependent].target
        guard let id = records.property(end.slot.model, end.slot.name),
            records.properties[id].slot.modelID != nil
        else { return false }
        return records.properties[id].isWeak && !records.properties[id].flags.contains(.declaredWeak)
    }

    /// The value as the other end would get it, and that end's place. Throws if the write would fail.
    private func writable(_ value: StoredValue, _ path: ParsedKeyPath, from source: ParsedKeyPath)
        throws(TreeError) -> (StoredValue, Place)
    {
        let place = walk(path)
        try refuseMissing(path, at: place)
        let new = try converted(value.isAbsent ? .null : value, for: path, at: place)
        try refuseNesting(new, path, at: place)
        if let container = records.strongContainer(place) {
            try refuseCycle(from: container, to: new, path, source)
        }
        return (new, place)
    }

    // MARK: Failing

    /// Notes whether a restored binding was failing or resting. The stored state lacks this, but the ends differ then: if a write
    /// that could make them equal is still impossible, the binding fails; if the source is missing, it rests.
    private func restoreFailure(of binding: Binding, _ ends: BindingEnds) {
        if ends.source.equals(ends.target) { return }
        defer { binding.last.rests = ends.source.isAbsent && !binding.last.isFailing }
        for isBackward in binding.isTwoWay ? [false, true] : [false] {
            let (from, to) = binding.paths(isBackward: isBackward)
            do throws(TreeError) {
                if isBackward, ends.target.isExcess { throw tooManyElements(from) }
                _ = try writable(isBackward ? ends.target : ends.source, to, from: from)
            } catch {
                return note(error, of: binding, isBackward: isBackward, isSilent: true)
            }
        }
    }

    private func noteSuccess(of binding: Binding, isBackward: Bool) {
        if binding.last.isFailing { note(nil, of: binding, isBackward: isBackward) }
    }

    /// Counts the result of a write, and notifies the sink if the binding begins or ceases to fail. If `isSilent`, nothing was
    /// written, so neither counts it nor notifies the sink.
    func note(_ failure: TreeError?, of binding: Binding, isBackward: Bool, isSilent: Bool = false) {
        let wasFailing = binding.failure != nil
        if binding.failure?.kind == .referenceCycle { dependents.bindings.cyclic -= 1 }
        if failure?.kind == .referenceCycle { dependents.bindings.cyclic += 1 }
        binding.failure = failure
        binding.last.failedBackward = failure != nil && isBackward
        if failure != nil, !isSilent { dependents.bindings.failedWrites += 1 }
        guard wasFailing != (failure != nil) else { return }
        dependents.bindings.failing += wasFailing ? -1 : 1
        if !isSilent { notifySink(of: binding) }
    }

    /// Restores the bindings as they were before the open commit, which is being rolled back.
    func restoreBindings() {
        for binding in dependents.bindings.former {
            guard let former = binding.former else { continue }
            let wasFailing = binding.last.isFailing
            note(binding.failureBefore, of: binding, isBackward: former.failedBackward, isSilent: true)
            binding.last = former
            if former.isFailing != wasFailing { notifySink(of: binding) }
        }
    }

    /// Marks dependents that a change elsewhere may concern: unread ones as maybe stale, and as stale the bindings that failed
    /// for a cycle, which may vanish without a change at either end.
    func retryDependents() {
        for dependent in dependents.updates.unread.sorted() {
            if dependents.exists(dependent) {
                dependents.markStale(dependent, isUnread: true, in: records)
            } else {
                dependents.updates.unread.remove(dependent)
            }
        }
        guard dependents.bindings.cyclic > 0 else { return }
        for (_, dependent) in dependents.bindings.byNumber
        where dependents.records[dependent].binding?.failure?.kind == .referenceCycle {
            dependents.markStale(dependent, in: records)
        }
    }

    /// Forgets in which commits the bindings wrote last. Call after a rollback: the next commit has the same revision.
    func forgetLastWrites() {
        for dependent in dependents.bindings.byNumber.values {
            dependents.records[dependent].binding?.lastWrite = 0
        }
    }
}
