// SPDX-License-Identifier: MIT
// `P.**`: what a commit assigned anywhere below P, found from below. Binds and assigns nothing.
//
// Nothing below P is expanded. From each touched property the way leads upwards, from holder to holder, to the nodes that
// are observed with all below them; the names on the way are the path's. So a commit costs what it touched, and a model
// that is shared is told once under each of its paths.

/// One event below one deeply observed node.
private struct DeepEvent {
    let node: NodeID
    /// The way from the node to the property, the property itself last.
    let way: [DeepStep]
    let touch: Int
}

/// One component below a deeply observed node.
private enum DeepStep {
    case name(NameID)
    case index(Int)
}

/// The deep events of one commit, as they are found.
private struct DeepFindings {
    var events: [DeepEvent] = []
    /// How many events each pattern subscription would get.
    var counts: [Int32: Int] = [:]
    /// Subscriptions with more events than one commit may give, and their nodes: those get one event for the whole.
    var overflowedGroups: Set<Int32> = []
    var overflowed: Set<NodeID> = []
    /// Whether a deeply observed node is above a model, as far as that has been asked.
    var isBelowDeep: [ModelID: Bool] = [:]
    /// The deeply observed nodes at a holder, as far as that has been asked.
    var deepNodes: [PropertyID: [NodeID]] = [:]
    /// How far has been climbed in all.
    var steps = 0
}

extension ModelTree {
    /// How many events one commit may give one deep observer (contract §6).
    static var deepEventLimit: Int { 10_000 }

    /// Tells deep observers what was assigned below them. After the ordinary telling, when all nodes are bound anew.
    func tellDeep() {
        var findings = DeepFindings()
        for index in touches.indices where isVisibleBelow(touches[index]) {
            let property = touches[index].property
            climb(
                from: properties[property].model,
                [.name(properties[property].name)],
                touch: index,
                &findings
            )
        }
        let isToldWhole = isToldWhole
        // What is nearer to the node first: an array's shift before what is at its elements' new places.
        for event in findings.events.sorted(by: { $0.way.count < $1.way.count })
        where !findings.overflowed.contains(event.node) && !reboundDeepNodes.contains(event.node) {
            emit(event, isToldWhole: isToldWhole)
        }
        for node in findings.overflowed.sorted() where !reboundDeepNodes.contains(node) { emitWhole(node) }
        reboundDeepNodes.removeAll()
    }

    /// Whether a mirror of what is strongly referred to sees the change.
    private func isVisibleBelow(_ touch: Touch) -> Bool {
        if touch.edit != nil { return true }
        let (old, new) = strongValues(touch)
        if old.isAbsent, new.isAbsent { return false }
        return indistinctObservers > 0 || !old.equals(new)
    }

    /// The property's values before and after, weak references counted as absent.
    func strongValues(_ touch: Touch) -> (old: StoredValue, new: StoredValue) {
        let property = properties[touch.property]
        return (
            touch.oldFlags.contains(.weak) ? .absent : touch.old, property.isWeak ? .absent : property.value
        )
    }

    private func climb(from model: ModelID, _ way: [DeepStep], touch: Int, _ findings: inout DeepFindings) {
        guard way.count <= limits.maxDepth, isBelowDeep(model, &findings) else { return }
        findings.steps += 1
        guard findings.steps <= ModelTree.deepEventLimit * limits.maxDepth else {
            return overflow(deepNodes(above: model), &findings)
        }
        // A weak reference may lead to the node itself, but to nothing below it.
        for referrer in weakReferrers[model] ?? [] {
            find(referrer, way, [], touch: touch, &findings)
        }
        for holder in strongHolders(of: model) {
            forEachPlace(of: model, in: holder) { indices in
                let below = indices.map(DeepStep.index) + way
                find(holder, below, indices, touch: touch, &findings)
                if isToldWhole(holder, indices, level: 0) { return }
                climb(
                    from: properties[holder].model,
                    [.name(properties[holder].name)] + below,
                    touch: touch,
                    &findings
                )
            }
        }
    }

    /// All deeply observed nodes that the way upwards from the model comes to.
    private func deepNodes(above model: ModelID) -> Set<NodeID> {
        var found: Set<NodeID> = []
        var pending = [model]
        var seen: Set<ModelID> = [model]
        while let next = pending.popLast() {
            for referrer in weakReferrers[next] ?? [] { found.formUnion(deepNodes(at: referrer)) }
            for holder in strongHolders(of: next) {
                found.formUnion(deepNodes(at: holder))
                if seen.insert(properties[holder].model).inserted { pending.append(properties[holder].model) }
            }
        }
        return found
    }

    /// Whether the commit is told by a value that contains what the holder has at these indices: what it put there, and
    /// where an array inside an array was changed, the whole inner one.
    ///
    /// - Parameter level: how deep inside the holder's array the one is that is told of it.
    private func isToldWhole(_ holder: PropertyID, _ indices: [Int], level: Int) -> Bool {
        let touched = Int(properties[holder].touch)
        guard touched != 0 else { return false }
        guard let edit = touches[touched - 1].edit else {
            let (old, new) = strongValues(touches[touched - 1])
            return !old.equals(new)
        }
        if edit.isEqual || level > edit.path.count { return false }
        if level == edit.path.count, edit.kind == .removal { return false }
        return indices.starts(with: (edit.path + [edit.index])[...level])
    }

    /// Notes an event for each deeply observed node that leads to the holder, or to an element on the way into it.
    ///
    /// A node that is the model's very place knows by itself whether it is another model than before.
    ///
    /// - Parameter indices: the first steps of `below`, which lead from the holder's array to the model.
    private func find(
        _ holder: PropertyID,
        _ below: [DeepStep],
        _ indices: [Int],
        touch: Int,
        _ findings: inout DeepFindings
    ) {
        var node = properties[holder].bound
        while node != noRecord {
            var (inner, depth): (NodeID, Int) = (node, 0)
            while inner != noRecord {
                if nodes[inner].isDeep, depth == indices.count || !isToldWhole(holder, indices, level: depth)
                {
                    add(DeepEvent(node: inner, way: Array(below[depth...]), touch: touch), &findings)
                }
                guard depth < indices.count else { break }
                inner = child(of: inner, at: indices[depth])
                depth += 1
            }
            node = nodes[node].nextBound
        }
    }

    func child(of node: NodeID, at index: Int) -> NodeID {
        text.removeAll()
        text.append(decimal: UInt64(index))
        return names.find(text.view).flatMap { child(of: node, named: $0) } ?? noRecord
    }

    /// Notes the event; where one of the node's subscriptions gets too many, that gets one for the whole instead.
    private func add(_ event: DeepEvent, _ findings: inout DeepFindings) {
        guard !findings.overflowed.contains(event.node) else { return }
        let groups = deepGroups(at: event.node)
        guard findings.overflowedGroups.isDisjoint(with: groups) else {
            return overflow([event.node], &findings)
        }
        findings.events.append(event)
        for group in groups {
            findings.counts[group, default: 0] += 1
            guard findings.counts[group, default: 0] > ModelTree.deepEventLimit else { continue }
            findings.overflowedGroups.insert(group)
            let told = Set(findings.events.map(\.node))
            overflow(told.filter { deepGroups(at: $0).contains(group) }, &findings)
        }
    }

    private func overflow(_ nodes: Set<NodeID>, _ findings: inout DeepFindings) {
        findings.overflowed.formUnion(nodes)
        findings.events.removeAll { nodes.contains($0.node) }
        // No more need be found for them.
        findings.isBelowDeep = [:]
    }

    private func deepGroups(at node: NodeID) -> [Int32] {
        var groups: [Int32] = []
        var observer = nodes[node].firstObserver
        while observer != noRecord {
            let record = observers[observer]
            if record.options.contains(.deep) { groups.append(record.group) }
            observer = record.next
        }
        return groups
    }

    /// Whether climbing from the model can come to a deeply observed node. Each model is looked at once a commit.
    ///
    /// Iterative: links can make the way upwards longer than any path.
    private func isBelowDeep(_ model: ModelID, _ findings: inout DeepFindings) -> Bool {
        if let known = findings.isBelowDeep[model] { return known }
        var pending = [model]
        while let next = pending.last {
            if findings.isBelowDeep[next] != nil {
                pending.removeLast()
                continue
            }
            let holders = strongHolders(of: next)
            let isHere = ((weakReferrers[next] ?? []) + holders).contains {
                deepNodes(at: $0, &findings).contains { !findings.overflowed.contains($0) }
            }
            let above = holders.filter { !isToldWhole($0, [], level: 0) }.map { properties[$0].model }
            if isHere || above.contains(where: { findings.isBelowDeep[$0] == true }) {
                findings.isBelowDeep[next] = true
            } else {
                let unknown = above.filter { findings.isBelowDeep[$0] == nil }
                if unknown.isEmpty { findings.isBelowDeep[next] = false } else { pending += unknown }
            }
        }
        return findings.isBelowDeep[model] == true
    }

    private func deepNodes(at holder: PropertyID, _ findings: inout DeepFindings) -> [NodeID] {
        if let known = findings.deepNodes[holder] { return known }
        let found = deepNodes(at: holder)
        findings.deepNodes[holder] = found
        return found
    }

    /// The deeply observed nodes that lead to the property, or to an element of the array that it holds.
    private func deepNodes(at holder: PropertyID) -> [NodeID] {
        var found: [NodeID] = []
        var pending: [NodeID] = []
        var node = properties[holder].bound
        while node != noRecord {
            pending.append(node)
            node = nodes[node].nextBound
        }
        while let next = pending.popLast() {
            if nodes[next].isDeep { found.append(next) }
            var child = nodes[next].firstChild
            while child != noRecord {
                // Only what leads into the property's own array: other children are bound to properties of their own.
                if nodes[child].property == noRecord { pending.append(child) }
                child = nodes[child].next
            }
        }
        return found
    }

    /// Whether something that `value` owns was assigned in this commit, and not by the write itself.
    func hasConsequences(inside value: StoredValue) -> Bool {
        guard value.isContainer else { return false }
        var pending = [value]
        var owned: [ModelID] = []
        while let next = pending.popLast() {
            if case .array(let array) = next { pending += array.elements.filter(\.isContainer) }
            if let model = next.modelID { owned.append(model) }
        }
        return touches.indices.contains { index in
            let touch = touches[index]
            guard touch.cause != .writer, isVisibleBelow(touch) else { return false }
            return owned.contains { reaches($0, properties[touch.property].model) }
        }
    }

    func strongHolders(of model: ModelID) -> [PropertyID] {
        var holders = models[model].holder == noRecord ? [] : [models[model].holder]
        if let further = furtherHolders[model] {
            holders += further.keys.filter { $0 != holders.first }.sorted()
        }
        return holders
    }

    // MARK: Telling

    /// Whether arrays must be told as a whole: something was assigned the value that it had, so that a mirror which wants
    /// to know of that is shown all that is in it, and would apply an edit on top of what it has made already.
    private var isToldWhole: Bool {
        guard hadIndistinctObservers, touches.count > 1 else { return false }
        return touches.indices.contains { index in
            let touch = touches[index]
            guard properties[touch.property].value.isContainer else { return false }
            if touch.isAssignedEqual { return true }
            return touch.edit?.isEqual ?? touch.old.equals(properties[touch.property].value)
        }
    }

    private func emit(_ event: DeepEvent, isToldWhole: Bool) {
        let touch = touches[event.touch]
        let suffix = ByteBuffer(capacity: 64)
        for step in event.way {
            suffix.append(0x2E)
            append(step, to: suffix)
        }
        let (old, new) = strongValues(touch)
        let edit = isToldWhole ? nil : touch.edit
        sink?.pathChanged(
            PathChange(
                node: event.node,
                reason: .valueChanged,
                old: edit != nil ? .absent : touch.edit == nil ? old : before(touch.property),
                new: new,
                edit: edit.map { outermost($0, in: new) },
                suffix: suffix,
                differs: touch.edit.map { !$0.isEqual } ?? !old.equals(new),
                cause: touch.cause
            ),
            in: self
        )
    }

    /// The edit as the property's own array sees it: a change in a nested array replaces an element.
    private func outermost(_ edit: ArrayEdit, in value: StoredValue) -> ArrayEdit {
        guard !edit.path.isEmpty, case .array(let array) = value else { return edit }
        return outerEdit(edit, 0, array)
    }

    private func append(_ step: DeepStep, to suffix: ByteBuffer) {
        switch step {
        case .index(let index): suffix.append(decimal: UInt64(index))
        case .name(let name):
            text.removeAll()
            text.appendEscaped(name: names.text(name))
            let json = ByteBuffer(capacity: text.count + 2)
            json.appendJSONString(decoded: text.view)
            suffix.append(json.view.slice(1..<json.count - 1))
        }
    }

    /// One event at the node for all that happened below it, for deep observers alone: hence the suffix, though empty.
    private func emitWhole(_ node: NodeID) {
        let value = currentValue(of: node)
        sink?.pathChanged(
            PathChange(
                node: node,
                reason: .valueChanged,
                old: value,
                new: value,
                suffix: ByteBuffer(),
                differs: true,
                cause: touches.indices.allSatisfy { touches[$0].cause == .writer } ? .writer : .consequence
            ),
            in: self
        )
    }
}
