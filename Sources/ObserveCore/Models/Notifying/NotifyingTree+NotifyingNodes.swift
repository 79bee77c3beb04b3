// SPDX-License-Identifier: MIT
// Notifies the observers of one node and of the nodes below it, with the causes of their changes, and rebinds these nodes.

extension NotifyingTree {
    func notify(_ entry: Affected) {
        let touch = pending.touches[Int(entry.touch)]
        var start = extended(Descent(), to: entry.node, touch)
        start.isSourceDeleted =
            paths.nodes[entry.node].depth == 1 && records.properties[touch.property].slot.isAbsent
            && !touch.old.isAbsent
        notify(entry.node, touch, start)
    }

    /// Notifies a node bound to the touched property before and after the commit.
    func notify(_ node: NodeID, _ touch: Touch, _ descent: Descent) {
        let new = records.properties[touch.property].slot
        guard !touch.edits.isEmpty, case .array(let array) = new
        else { return notify(node, old: touch.old, new: new, descent) }
        notifyEdited(node, touch.old, array, touch.edits, isAssignedEqual: touch.isAssignedEqual, descent)
    }

    func notify(_ node: NodeID, old: StoredValue, new: StoredValue, _ descent: Descent) {
        markVisited(node)
        if paths.nodes[paths.nodes[node].parent].followsValue, !paths.nodes[node][.isSelection] {
            updateMatch(node, isThere: !new.isAbsent)
        }
        let hasObservers = paths.nodes[node].firstObserver != .noRecord
        let differs = (descent.changedAt != .noRecord && !hasObservers) || !old.equals(new)
        if hasObservers { emit(node, old: old, new: new, differs, descent) }
        if paths.nodes[node].followsValue { followValue(of: node, new) }
        guard paths.nodes[node].firstChild != .noRecord else { return }
        if case .model(let a) = old, case .model(let b) = new, a == b, !mustVisitSame(node, descent) {
            return
        }
        guard old.isContainer || new.isContainer || descent.isSourceDeleted || paths.indistinctObservers > 0
        else { return }
        notifyChildren(of: node, old: old, new: new, differs, descent)
    }

    /// Whether the tree must visit the nodes below a node that leads to the same model as before, for a change that their own
    /// touched properties do not show: a path may lead twice through the touched property, since weak links can lead back, and an
    /// operator may depend on properties without a path to them.
    func mustVisitSame(_ node: NodeID, _ descent: Descent) -> Bool {
        if paths.indistinctObservers > 0 { return true }
        guard descent.changedAt != .noRecord, let deepest = notification.affected.last else { return false }
        return deepest.order &>> 1 > paths.nodes[node].depth || hasOperators
    }

    func notifyChildren(
        of node: NodeID,
        old: StoredValue,
        new: StoredValue,
        _ differs: Bool,
        _ descent: Descent
    ) {
        var below = descent
        if below.assignedAt == .noRecord { below.assignedAt = node }
        if below.changedAt == .noRecord, differs { below.changedAt = node }
        if below.nilAt == .noRecord, !new.isContainer { below.nilAt = node }
        var child = paths.nodes[node].firstChild
        var guess = new.modelID.map { records.models[$0].first } ?? .noRecord
        let mayMatch = paths.nodes[node].followsValue
        let leavesMove =
            old.modelID != nil && !paths.isReplaying && paths.indistinctObservers == 0
            && !descent.isSourceDeleted && !mayMatch && notification.movesLeaves
        var hasSelections = false
        while child != .noRecord {
            notification.comparedNodes &+= 1
            if mayMatch, paths.nodes[child][.isSelection] {
                hasSelections = true
            } else if leavesMove, case .model(let model) = new, moveLeaf(child, to: model, &guess, below) {
                // The fast path has rebound the child and notified its observers.
            } else if paths.nodes[child][.isOperator] {
                markOperatorStale(child, below)
            } else {
                notifyChild(child, in: old, new, &guess, below)
            }
            child = paths.nodes[child].next
        }
        if hasSelections { notifySelections(of: node, old: old, new: new, below) }
    }

    /// Notifies the selections among the children of a node with wildcards. Their elements, which come first, may begin to match,
    /// and a node hears of its change only once.
    func notifySelections(of node: NodeID, old: StoredValue, new: StoredValue, _ below: Descent) {
        var guess = PropertyID.noRecord
        forEachSelection(of: node) {
            if paths.nodes[$0].visit != notification.visit { notifyChild($0, in: old, new, &guess, below) }
        }
    }

    private func forEachSelection(of node: NodeID, _ body: (NodeID) -> Void) {
        forEachChild(of: node) { if paths.nodes[$0][.isSelection] { body($0) } }
    }

    /// - Parameter guess: the property after the last one found in the new model: most observed paths have that order.
    func notifyChild(
        _ child: NodeID,
        in old: StoredValue,
        _ new: StoredValue,
        _ guess: inout PropertyID,
        _ descent: Descent
    ) {
        let oldChild = oldValue(of: child, in: old)
        let former = paths.nodes[child].property
        let newChild = rebind(child, into: new, &guess)
        let property = paths.nodes[child].property
        guard property != .noRecord, records.properties[property].touch != 0
        else { return notify(child, old: oldChild, new: newChild, descent) }
        let touch = pending.touches[Int(records.properties[property].touch) - 1]
        let own = extended(descent, to: child, touch)
        if descent.changedAt == .noRecord {
            notify(child, touch, own)
        } else {
            if paths.deepObservers > 0, property != former { notification.deep.moved.insert(child) }
            notify(child, old: oldChild, new: newChild, own)
        }
    }

    /// The fast path of ``notifyChild(_:in:_:_:_:)``, the main cost of replacing a model: moves a node without children from one
    /// model's property to another's, both untouched, and notifies its observers if the values differ. Returns false, with
    /// nothing done, if the node needs the general path.
    @inline(__always)
    func moveLeaf(_ node: NodeID, to model: ModelID, _ guess: inout PropertyID, _ descent: Descent) -> Bool {
        let leaf = unsafe paths.nodes.address(node)
        guard unsafe leaf.pointee.firstChild == .noRecord, unsafe !leaf.pointee.followsValue,
            unsafe leaf.pointee.property != .noRecord, unsafe !leaf.pointee[.isNewborn]
        else { return false }
        let old = unsafe records.properties.address(leaf.pointee.property)
        guard unsafe old.pointee.touch == 0 else { return false }
        let property = boundProperty(of: node, in: model, &guess)
        let new = unsafe records.properties.address(property)
        guard unsafe new.pointee.touch == 0 else { return false }
        unsafe leaf.pointee.visit = notification.visit
        if unsafe old.pointee.slot.equalsInPlace(new.pointee.slot) {
            bind(node, to: property)
            return true
        }
        let value = unsafe old.pointee.slot
        bind(node, to: property)
        if unsafe leaf.pointee.firstObserver != .noRecord {
            unsafe emit(node, old: value, new: new.pointee.slot, true, descent)
        }
        return true
    }

    func oldValue(of child: NodeID, in container: StoredValue) -> StoredValue {
        switch container {
        case .model: paths.nodes[child][.isNewborn] ? .absent : before(paths.nodes[child].property)
        case .array where paths.nodes[child][.isSelection]: formerSelection(at: child)
        case .array(let array): array.element(Int(paths.nodes[child].index))
        default: .absent
        }
    }

    /// Binds the node to the property of its name in `container`. Returns the value there.
    func rebind(_ child: NodeID, into container: StoredValue, _ guess: inout PropertyID) -> StoredValue {
        switch container {
        case .model(let model):
            let property = boundProperty(of: child, in: model, &guess)
            bind(child, to: property)
            return records.properties[property].slot
        case .array where paths.nodes[child][.isSelection]:
            guard let property = selection(of: child, in: container) else { return .absent }
            bind(child, to: property)
            return records.properties[property].slot
        case .array(let array):
            unbind(child)
            return array.element(Int(paths.nodes[child].index))
        default:
            unbind(child)
            return .absent
        }
    }

    /// The model's property to bind the node to; may be a new placeholder.
    @inline(__always)
    func boundProperty(of node: NodeID, in model: ModelID, _ guess: inout PropertyID) -> PropertyID {
        let name = paths.nodes[node].name
        let isRight = guess != .noRecord && records.properties[guess].name == name
        let property =
            isRight
            ? guess
            : paths.nodes[node][.isSelection] ? selection(model, name) : propertyOrPlaceholder(model, name)
        guess = records.properties[property].next
        return property
    }

    /// Notifies of inserted, removed or replaced elements of the node's array, or of arrays nested in it.
    /// - Parameter old: the array before; absent after a single edit.
    func notifyEdited(
        _ node: NodeID,
        _ old: StoredValue,
        _ array: StoredArray,
        _ edits: ArrayEdits,
        at level: Int = 0,
        isAssignedEqual: Bool,
        _ descent: Descent
    ) {
        markVisited(node)
        var before: StoredArray?
        if case .array(let array) = old { before = array }
        let own = edits.shown(at: level, array)
        let differs = own.map { !$0.isEqual } ?? (before?.equals(array) == false)
        if paths.nodes[node].firstObserver != .noRecord {
            // An equal assignment covers more than the element, as one of the whole array.
            let isEditMeaningless = !differs && (isAssignedEqual || descent.assignedAt != .noRecord)
            let (new, edit) = (StoredValue.array(array), isEditMeaningless ? nil : own)
            emit(node, old: differs ? old : new, new: new, edit: edit, differs, descent)
        }
        if paths.nodes[node].followsValue { followEdits(of: node, before, array) }
        var below = descent
        let isShifted = edits.isShifted(at: level)
        if isShifted, differs, below.changedAt == .noRecord { below.changedAt = node }
        if isShifted || isAssignedEqual, below.assignedAt == .noRecord { below.assignedAt = node }
        let mustVisitAll = below.assignedAt != .noRecord && mustVisitSame(node, below)
        var child = paths.nodes[node].firstChild
        var hasSelections = false
        while child != .noRecord {
            let index = Int(paths.nodes[child].index)
            let new = array.element(index)
            if paths.nodes[child][.isOperator] {
                if differs { markStale(child, edited: edits, at: level, descent) }
            } else if paths.nodes[child][.isSelection] {
                hasSelections = true
            } else {
                let effect = edits.effect(on: index, at: level)
                let old = edits.oldElement(index, at: level, before, array)
                switch effect {
                case .untouched: if mustVisitAll { notify(child, old: new, new: new, below) }
                case .assigned: notify(child, old: old, new: new, below)
                case .assignedEqual: notify(child, old: new, new: new, below)
                case .edited(let edits, let isEqual):
                    guard case .array(let inner) = new else { break }
                    let before = before == nil ? .absent : old
                    notifyEdited(child, before, inner, edits, at: level + 1, isAssignedEqual: isEqual, below)
                }
            }
            child = paths.nodes[child].next
        }
        guard hasSelections else { return }
        // After the elements: see ``notifySelections(of:old:new:_:)``.
        forEachSelection(of: node) {
            notifySelection($0, mustVisit: mustVisitAll, isOfElement($0) ? below : descent)
        }
    }

    func emit(
        _ node: NodeID,
        old: StoredValue,
        new: StoredValue,
        edit: ArrayEdit? = nil,
        _ differs: Bool,
        _ descent: Descent
    ) {
        guard differs || descent.isSourceDeleted || paths.indistinctObservers > 0 else { return }
        if paths.nodes[node][.isDeep], edit == nil, differs { notification.reboundDeepNodes.insert(node) }
        let origin = differs ? descent.changedAt : descent.assignedAt
        let reason: ChangeReason =
            descent.isSourceDeleted ? .sourceDeleted : origin == .noRecord ? .valueChanged : .pathChanged
        let change = PathChange(
            node: node,
            reason: reason,
            changedAt: reason == .pathChanged ? origin : .noRecord,
            nilAt: descent.nilAt,
            old: edit == nil ? old : .absent,
            new: new,
            edit: edit,
            suffix: nil,
            differs: differs,
            cause: cause(of: node, descent)
        )
        if paths.nodes[node][.isDeep], !differs, !descent.isSourceDeleted {
            notification.deep.equal.append(change)
        } else {
            notifySink(change)
        }
    }

    // MARK: Selections

    func formerSelection(at node: NodeID) -> StoredValue {
        let property = paths.nodes[node].property
        return paths.nodes[node][.isNewborn] || property == .noRecord ? .absent : before(property)
    }

    /// Whether the selection has a name of its own: edits of an array move the element at an index, but not a chosen one.
    func isOfElement(_ node: NodeID) -> Bool {
        records.names.text(paths.nodes[node].name).byteOrZero(1) != 0x40
    }

    func notifyCandidate(_ node: NodeID) {
        var descent = Descent()
        descent.cause = .consequence
        notify(node, old: .absent, new: currentValue(of: node), descent)
    }

    func notifySelection(_ node: NodeID, mustVisit: Bool, _ descent: Descent) {
        let property = paths.nodes[node].property
        guard property != .noRecord else { return }
        let touched = Int(records.properties[property].touch)
        guard touched != 0 || paths.nodes[node][.isNewborn] || mustVisit else { return }
        let own = touched == 0 ? descent : extended(descent, to: node, pending.touches[touched - 1])
        notify(node, old: formerSelection(at: node), new: records.properties[property].slot, own)
    }

    // MARK: Causes

    /// The cause of the change at the end of the descent.
    @inline(__always) func cause(of node: NodeID, _ descent: Descent) -> ChangeCause {
        descent.mixedTouch == 0 ? descent.cause : mixedCause(of: node, descent)
    }

    /// The cause of the element's own change; if the writer assigned the element, the cause of the descent.
    @inline(never) private func mixedCause(of node: NodeID, _ descent: Descent) -> ChangeCause {
        let touch = pending.touches[Int(descent.mixedTouch) - 1]
        var indices: [Int] = []
        var above = node
        while above != paths.rootNode, paths.nodes[above].property != touch.property {
            indices.append(Int(paths.nodes[above].index))
            above = paths.nodes[above].parent
        }
        indices.reverse()
        let own = touch.elementCauses?.cause(at: indices[...]) ?? touch.cause
        return own == .writer ? descent.cause : own
    }

    /// The descent with a node whose own property the commit touched. Unless the writer assigned it, its own cause wins.
    func extended(_ descent: Descent, to node: NodeID, _ touch: Touch) -> Descent {
        var own = descent
        own.cause = descent.changedAt == .noRecord ? .writer : cause(of: node, descent)
        own.mixedTouch = touch.elementCauses == nil ? 0 : records.properties[touch.property].touch
        if touch.elementCauses == nil, touch.cause != .writer { own.cause = touch.cause }
        return own
    }
}
