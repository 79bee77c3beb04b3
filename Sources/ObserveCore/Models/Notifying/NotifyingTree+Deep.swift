// SPDX-License-Identifier: MIT
// Notifies observers of `P.**` of the assignments below P, which it finds from below. Binds and assigns nothing.

extension NotifyingTree {
    /// The most events of one commit for one deep subscription: see "Patterns" in docs/protocol.md.
    static var deepEventLimit: Int { 10_000 }

    /// Notifies deep observers of assignments below them. Runs after all nodes are rebound.
    func notifyDeepObservers() {
        guard paths.deepObservers > 0 else { return }
        for index in pending.touches.indices {
            pending.touches[index].differsBelow = pending.touches[index].isDifferentBelow(in: records)
        }
        for index in pending.touches.indices where isVisibleBelow(pending.touches[index]) {
            notification.deep.stepsUp.append(.name(records.properties[pending.touches[index].property].name))
            climb(from: records.properties[pending.touches[index].property].model, touch: index)
            notification.deep.stepsUp.removeAll()
        }
        // Shorter ways first: an array's shift comes before changes at its elements' new places. Equal
        // assignments last: they show the whole new value, so a mirror would apply later edits twice.
        if notification.deep.events.count > 1 {
            notification.deep.events.sort { $0.differs == $1.differs ? $0.count < $1.count : $0.differs }
        }
        for index in notification.deep.events.indices
        where notification.isWanted(notification.deep.events[index].node) {
            emit(notification.deep.events[index])
        }
        for index in notification.deep.equal.indices { notifySink(notification.deep.equal[index]) }
        for node in notification.deep.overflowed.sorted() where !notification.reboundDeepNodes.contains(node)
        { emitWhole(node) }
        forgetReaches()
        notification.deep.removeAll()
        if !notification.reboundDeepNodes.isEmpty { notification.reboundDeepNodes.removeAll() }
    }

    /// Whether the touch may matter to a mirror of strong references.
    private func isVisibleBelow(_ touch: Touch) -> Bool {
        if touch.differsBelow || !touch.edits.isEmpty { return true }
        let (old, new) = touch.strongValues(in: records)
        if old.isAbsent, new.isAbsent { return false }
        return paths.indistinctObservers > 0 || !old.equals(new)
    }

    /// Whether the open commit changed something that `value` owns, other than by the request's own write.
    func hasConsequences(inside value: StoredValue) -> Bool {
        let models = value.models
        if models.isEmpty { return false }
        return pending.touches.indices.contains { index in
            let touch = pending.touches[index]
            guard touch.cause != .writer, isVisibleBelow(touch) || isAssignedAnew(touch) else { return false }
            return reaches(anyOf: models, records.properties[touch.property].model, isBounded: false) ?? true
        }
    }

    /// Whether null stands where nothing stood. Only what the writer assigned before can be assigned to null so: a merge
    /// assigns the members of the models that it makes.
    private func isAssignedAnew(_ touch: Touch) -> Bool {
        let (old, new) = touch.strongValues(in: records)
        return old.isAbsent && !new.isAbsent
    }

    // MARK: Climbing

    /// Finds the events of deeply observed nodes that lead to the model, or to its holders. Recursion is as deep as paths may be.
    private func climb(from model: ModelID, touch: Int) {
        guard notification.deep.stepsUp.count <= limits.maxDepth, hasOneWay(up: model) || isBelowDeep(model)
        else { return }
        notification.deep.climbed += 1
        guard notification.deep.climbed <= NotifyingTree.deepEventLimit * limits.maxDepth
        else { return overflow(deepNodes(above: model)) }
        for referrer in records.weakReferrers.all(of: model) {
            climb(from: model, to: referrer, isWeak: true, touch: touch)
        }
        forEachStrongHolder(of: model) { climb(from: model, to: $0, isWeak: false, touch: touch) }
    }

    /// - Parameter isWeak: a weak reference may lead to the node itself, but to nothing below it. Elements of an array are weak
    ///   only in computed properties.
    private func climb(from model: ModelID, to holder: PropertyID, isWeak: Bool, touch: Int) {
        forEachPlace(of: model, in: holder) { indices in
            let count = notification.deep.stepsUp.count
            for index in indices.reversed() { notification.deep.stepsUp.append(.index(index)) }
            find(holder, indices, touch)
            if !isWeak, !isNotifiedWhole(holder, indices, at: 0) {
                notification.deep.stepsUp.append(.name(records.properties[holder].name))
                climb(from: records.properties[holder].model, touch: touch)
            }
            notification.deep.stepsUp.truncate(to: count)
        }
    }

    /// Whether climbing from the model costs no more than ``isBelowDeep(_:)``.
    private func hasOneWay(up model: ModelID) -> Bool {
        pending.touches.count == 1 && records.models[model].strongReferences == 1
            && records.weakReferrers.isEmpty
    }

    /// Whether the event of the holder's array at that level already contains the current value at `indices`:
    /// an inserted or replaced element, or a nested array in which elements changed.
    private func isNotifiedWhole(_ holder: PropertyID, _ indices: [Int], at level: Int) -> Bool {
        let touched = Int(records.properties[holder].touch)
        guard touched != 0 else { return false }
        var edits = pending.touches[touched - 1].edits
        for above in 0..<level {
            // A node at or below an assigned value compares that value itself.
            guard case .edited(let inner, _) = edits.effect(on: indices[above], at: above)
            else { return false }
            edits = inner
        }
        guard let only = edits.only else { return level == 0 && pending.touches[touched - 1].differsBelow }
        if only.isEqual { return false }
        let isOwn = level == only.path.count
        guard !isOwn || only.kind != .removal, level < indices.count else { return false }
        return indices[level] == (isOwn ? only.index : only.path[level])
    }

    /// Notes an event for each deeply observed node that leads to the holder, or into its array on the way.
    private func find(_ holder: PropertyID, _ indices: [Int], _ touch: Int) {
        forEachNode(boundTo: holder) { node in
            var (inner, level): (NodeID, Int) = (paths.isVisited(node) ? node : .noRecord, 0)
            let hasMoved = notification.deep.moved.contains(node)
            while inner != .noRecord {
                if paths.nodes[inner][.isDeep],
                    level == indices.count || hasMoved || !isNotifiedWhole(holder, indices, at: level)
                {
                    add(inner, notification.deep.stepsUp.count - level, touch)
                }
                guard level < indices.count else { break }
                inner = child(of: inner, at: indices[level])
                level += 1
            }
        }
    }

    func child(of node: NodeID, at index: Int) -> NodeID {
        guard paths.nodes[node].firstChild != .noRecord else { return .noRecord }
        return child(of: node, named: name(ofIndex: index)) ?? .noRecord
    }

    // MARK: Events

    /// Notes the event. A subscription with too many events gets one event for the whole instead.
    private func add(_ node: NodeID, _ count: Int, _ touch: Int) {
        guard notification.isWanted(node) else { return }
        let (start, differs) = (Int32(notification.deep.steps.count), pending.touches[touch].differsBelow)
        notification.deep.events.append(
            DeepEvent(node: node, touch: Int32(touch), start: start, count: Int32(count), differs: differs)
        )
        for step in 0..<count { notification.deep.steps.append(notification.deep.stepsUp[step]) }
        if notification.deep.isCounting {
            self.count(node)
        } else if notification.deep.events.count > NotifyingTree.deepEventLimit {
            notification.deep.isCounting = true
            for node in notification.deep.events.array.map(\.node) { self.count(node) }
        }
    }

    private func count(_ node: NodeID) {
        for group in paths.deepGroups(at: node) where notification.isWanted(node) {
            notification.deep.counts[group, default: 0] += 1
            if notification.deep.overflowedGroups.contains(group) {
                overflow([node])
            } else if notification.deep.counts[group, default: 0] > NotifyingTree.deepEventLimit {
                notification.deep.overflowedGroups.insert(group)
                let notified = Set(notification.deep.events.array.map(\.node))
                overflow(notified.filter { paths.deepGroups(at: $0).contains(group) })
            }
        }
    }

    private func overflow(_ nodes: Set<NodeID>) {
        notification.deep.overflowed.formUnion(nodes)
        notification.deep.events.removeAll { nodes.contains($0.node) }
        // Later climbs skip these nodes.
        forgetReaches()
    }

    // MARK: Reaching

    /// Whether a climb from the model can reach a deeply observed node, decided once per model and notification. Iterative:
    /// through links, the way upwards can be longer than any path.
    private func isBelowDeep(_ model: ModelID) -> Bool {
        if records.models[model].reach == .unknown {
            notification.deep.asked.append(model)
            while let next = notification.deep.asked.last {
                if records.models[next].reach != .unknown || decideReach(of: next) {
                    _ = notification.deep.asked.popLast()
                }
            }
        }
        return records.models[model].reach == .somewhere
    }

    /// Decides ``ModelRecord/reach`` of the model; false if models above, now in ``DeepNotification/asked``, come first.
    private func decideReach(of model: ModelID) -> Bool {
        var reach = DeepReach.nowhere
        for referrer in records.weakReferrers.all(of: model) where hasDeepNode(at: referrer) {
            reach = .somewhere
        }
        let waiting = notification.deep.asked.count
        forEachStrongHolder(of: model) { holder in
            if reach == .somewhere { return }
            if hasDeepNode(at: holder) {
                reach = .somewhere
            } else if !isNotifiedWhole(holder, [], at: 0) {
                let above = records.properties[holder].model
                switch records.models[above].reach {
                case .somewhere: reach = .somewhere
                case .unknown: notification.deep.asked.append(above)
                case .nowhere: break
                }
            }
        }
        if reach == .somewhere {
            notification.deep.asked.truncate(to: waiting)
        } else if notification.deep.asked.count > waiting {
            return false
        }
        records.models[model].reach = reach
        notification.deep.known.append(model)
        return true
    }

    private func forgetReaches() {
        for index in notification.deep.known.indices {
            records.models[notification.deep.known[index]].reach = .unknown
        }
        notification.deep.known.removeAll()
    }

    /// Whether an unnotified, deeply observed node leads to the property, or into its array.
    private func hasDeepNode(at holder: PropertyID) -> Bool {
        findDeepNode(at: holder) { notification.isWanted($0) }
    }

    /// Calls `body` with the deeply observed nodes that lead to the property, or into its array, until it returns true.
    private func findDeepNode(at holder: PropertyID, _ body: (NodeID) -> Bool) -> Bool {
        var node = records.properties[holder].bound
        while node != .noRecord {
            if paths.isVisited(node), findDeepNode(from: node, body) { return true }
            node = paths.nodes[node].nextBound
        }
        return false
    }

    private func findDeepNode(from node: NodeID, _ body: (NodeID) -> Bool) -> Bool {
        if paths.nodes[node][.isDeep], body(node) { return true }
        var child = paths.nodes[node].firstChild
        while child != .noRecord {
            // Only nodes inside the property's own array: other children have properties of their own.
            if paths.nodes[child].property == .noRecord, findDeepNode(from: child, body) { return true }
            child = paths.nodes[child].next
        }
        return false
    }

    /// All deeply observed nodes that a climb from the model reaches.
    private func deepNodes(above model: ModelID) -> Set<NodeID> {
        var found: Set<NodeID> = []
        func note(_ node: NodeID) -> Bool {
            found.insert(node)
            return false
        }
        var pending = [model]
        var seen: Set<ModelID> = [model]
        while let next = pending.popLast() {
            for referrer in records.weakReferrers.all(of: next) { _ = findDeepNode(at: referrer, note) }
            forEachStrongHolder(of: next) { holder in
                _ = findDeepNode(at: holder, note)
                let above = records.properties[holder].model
                if seen.insert(above).inserted { pending.append(above) }
            }
        }
        return found
    }

    // MARK: Notifying

    private func emit(_ event: DeepEvent) {
        let touch = pending.touches[Int(event.touch)]
        notification.deep.suffix.removeAll()
        for step in (0..<Int(event.count)).reversed() {
            appendToSuffix(notification.deep.steps[Int(event.start) + step])
        }
        let (old, new) = touch.strongValues(in: records)
        var edit: ArrayEdit?
        if !touch.edits.isEmpty, case .array(let array) = new { edit = touch.edits.shown(at: 0, array) }
        notifySink(
            PathChange(
                node: event.node,
                reason: .valueChanged,
                old: edit == nil ? old : .absent,
                new: new,
                edit: edit,
                suffix: notification.deep.suffix,
                differs: event.differs,
                cause: touch.cause
            )
        )
    }

    /// Writes the steps of the climb so far to ``DeepNotification/suffix``, as the text that follows the node's path:
    /// `.now.title` at the node `app`.
    func writeSuffix() {
        notification.deep.suffix.removeAll()
        for step in notification.deep.stepsUp.indices.reversed() {
            appendToSuffix(notification.deep.stepsUp[step])
        }
    }

    private func appendToSuffix(_ step: DeepStep) {
        let suffix = notification.deep.suffix
        suffix.append(0x2E)
        switch step {
        case .index(let index): suffix.append(decimal: UInt64(index))
        case .name(let name):
            scratchText.removeAll()
            scratchText.appendEscaped(name: records.names.text(name))
            suffix.appendJSONContents(decoded: scratchText.view)
        }
    }

    /// Emits one event at the node for all changes below it, with an empty suffix: only deep observers get it.
    private func emitWhole(_ node: NodeID) {
        let value = currentValue(of: node)
        notification.deep.suffix.removeAll()
        notifySink(
            PathChange(
                node: node,
                reason: .valueChanged,
                old: value,
                new: value,
                suffix: notification.deep.suffix,
                differs: true,
                cause: pending.touches.indices.allSatisfy { pending.touches[$0].cause == .writer }
                    ? .writer : .consequence
            )
        )
    }
}
