// SPDX-License-Identifier: MIT
// The commit that most writes are: one property gets another scalar. Decides nothing that the general way does not.

extension ModelTree {
    /// Commits a `set` of one property to a scalar, where that does nothing else.
    ///
    /// The same comes of it as of ``set(_:to:path:)`` in a ``commit(_:)``: the same revision, the same record, the same
    /// call of the sink, the same entry in the history. What those look for is shown here not to be there, so no list of
    /// touches is made:
    ///
    /// - the property is present, strong and lasting, and nobody reads it: no flag, reader or lifetime has a say;
    /// - what it held and what it gets are scalars: no reference is counted, no path leads elsewhere, no name comes or
    ///   goes, and nothing is below the nodes that are bound here;
    /// - where something is declared for it, both are of one kind, so the type takes the one as it took the other;
    /// - at most one node is bound here, which the stars above it know already;
    /// - deep observers and operators, if there are any, are found on the one way up that there is: see ``reach(above:)``.
    ///
    /// - Parameter sink: the tree's, and its recorder if it has one, by its type: asking the tree for it would count a
    ///   reference.
    /// - Returns: whether the value differs from the one that was there; nil where the above is not so, or where the
    ///   value is to be refused, with nothing done.
    @inline(__always)
    func commit(scalar json: JSONView, to id: PropertyID, notifying sink: some ChangeSink & CommitRecorder)
        -> Bool?
    {
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        assert(
            self.hooks.sink === sink && (!hooks.isRecorded || hooks.recorder === sink),
            "somebody else is to be told"
        )
        guard records.properties[id].flags.isSubset(of: .declared), allowsFastPath,
            records.properties[id].slot.isPresentScalar,
            records.properties[id].flags.isEmpty || records.properties[id].slot.isKind(of: json)
        else { return nil }
        let node = records.properties[id].bound
        if node != .noRecord, !isAlone(node) { return nil }
        var above = DeepReach.nowhere
        if paths.deepObservers > 0 || !operators.byNode.isEmpty {
            above = reach(above: id)
            if above == .unknown { return nil }
        }
        var new = StoredValue.null
        let isText = json.kind == .string
        if isText {
            if json.hasEscapes { return nil }
        } else {
            guard let number = StoredValue(number: json) else { return nil }
            new = number
        }
        // Taken out for the comparison: looking at it in its place would count a reference.
        var old = StoredValue.null
        swap(&records.properties[id].slot, &old)
        let isEqual = isText ? old.isText(json.contents) : old.equals(new)
        if isEqual {
            swap(&records.properties[id].slot, &old)
            return paths.notesEqualAssignments ? nil : false
        }
        if hooks.hasPreUpdateHooks {
            swap(&records.properties[id].slot, &old)
            hooks.runPreUpdateHooks(ofAssigning: id)
            swap(&records.properties[id].slot, &old)
        }
        if isText { new = records.makeValue(json.contents) }
        swap(&records.properties[id].slot, &new)
        if hooks.isRecorded {
            pin()
            history.undoing.revisions.append(records.properties[id].revision)
            sink.record(CommitView(self), scalar: json, of: id)
        }
        revision += 1
        records.properties[id].revision = revision
        if above == .somewhere || node != .noRecord && paths.nodes[node].firstObserver != .noRecord {
            notify(node, id, isObservedAbove: above == .somewhere, &old, sink)
        }
        history.append(consume old, of: id, pending.cause, by: pending.author, at: revision)
        forgetBeyondLimits()
        return true
    }

    /// The same by a commit like any other, for a property that more comes of: it is read by bindings or computed
    /// properties, or several paths lead to it. Only the value need not be looked at twice.
    ///
    /// - Returns: as the short way does.
    @inline(never)
    func commitWhole(scalar json: JSONView, to id: PropertyID) -> Bool? {
        guard records.properties[id].flags.isSubset(of: [.declared, .read]),
            records.properties[id].slot.isPresentScalar,
            !records.properties[id].flags.contains(.declared) || records.properties[id].slot.isKind(of: json)
        else { return nil }
        let new: StoredValue
        if json.kind == .string {
            if json.hasEscapes { return nil }
            new = .string(records.makeText(json.contents))
        } else {
            guard let number = StoredValue(number: json) else { return nil }
            new = number
        }
        var isChanged = false
        commit { isChanged = put(new, in: id) }
        return isChanged
    }

    /// Both values are lent to the change, since each copy of one would count a reference: the old one by swapping; the
    /// new one byte for byte, as it has to stay where it is. The sink must not write, so it does.
    @inline(__always)
    private func notify(
        _ node: NodeID,
        _ id: PropertyID,
        isObservedAbove: Bool,
        _ old: inout StoredValue,
        _ sink: some ChangeSink
    ) {
        var change = PathChange(
            node: node,
            reason: .valueChanged,
            old: .null,
            new: .null,
            differs: true,
            cause: pending.cause
        )
        swap(&change.old, &old)
        unsafe change.new.overwrite(with: &records.properties[id].slot)
        if node != .noRecord, paths.nodes[node].firstObserver != .noRecord {
            sink.pathChanged(change, in: self)
        }
        if isObservedAbove { notifyAbove(id, &change, sink) }
        var nothing = StoredValue.null
        unsafe change.new.overwrite(with: &nothing)
        swap(&change.old, &old)
    }

    /// Whether nothing in the tree makes a change of a scalar more than that.
    private var allowsFastPath: Bool {
        @inline(__always) get {
            hosted == nil && dependents.bindings.cyclic == 0 && history.commitLimit > 0
        }
    }

    /// Whether the node is the only one bound to its property, and nothing follows what its value contains.
    @inline(__always)
    private func isAlone(_ node: NodeID) -> Bool {
        paths.nodes[node].nextBound == .noRecord && paths.nodes[node].firstWildcard == .noRecord
            && !paths.nodes[node].isReplayed
            && (paths.indistinctObservers == 0 || paths.nodes[node].firstChild == .noRecord)
            && (paths.nodes[node].isMatched
                || paths.nodes[paths.nodes[node].parent].firstWildcard == .noRecord)
    }

    // MARK: Above

    /// Whether deep observers, or operators over its model's properties, are to hear of a change of the property.
    ///
    /// - Returns: `unknown` where finding that out takes more than to go up from holder to holder: where a model on the
    ///   way is an array's element, or is referred to more than once; or where an operator looks into elements.
    private func reach(above id: PropertyID) -> DeepReach {
        if operators.longestPath > 0, operators.lookedAt[records.properties[id].name] != nil {
            return .unknown
        }
        var reach = DeepReach.nowhere
        var model = records.properties[id].model
        var depth = 1
        while model != records.root, depth <= limits.maxDepth {
            let holder = records.models[model].holder
            guard records.models[model].strongReferences == 1, !records.weakReferrers.contains(model),
                holder != .noRecord,
                !records.properties[holder].isWeak, records.properties[holder].slot.isModel
            else { return .unknown }
            var node = records.properties[holder].bound
            while node != .noRecord {
                if paths.nodes[node].isDeep || depth == 1 && paths.isOperatedUpon(node) { reach = .somewhere }
                node = paths.nodes[node].nextBound
            }
            model = records.properties[holder].model
            depth &+= 1
        }
        return reach
    }

    /// Tells all whom ``reach(above:)`` has seen, in the order of the general way: the operators, then the deep observers,
    /// the nearest first.
    @inline(never)
    private func notifyAbove(_ id: PropertyID, _ change: inout PathChange, _ sink: some ChangeSink) {
        if !operators.byNode.isEmpty, records.properties[id].model != records.root {
            var node = records.properties[records.models[records.properties[id].model].holder].bound
            while node != .noRecord {
                if paths.isOperatedUpon(node) {
                    notifyOperators(below: node, old: change.old, new: change.new)
                }
                node = paths.nodes[node].nextBound
            }
        }
        if paths.deepObservers == 0 { return }
        var (below, model) = (id, records.properties[id].model)
        while model != records.root, notification.deep.way.count < limits.maxDepth {
            notification.deep.way.append(.name(records.properties[below].name))
            below = records.models[model].holder
            model = records.properties[below].model
            var node = records.properties[below].bound
            while node != .noRecord {
                if paths.nodes[node].isDeep {
                    spellWay()
                    change.node = node
                    change.suffix = notification.deep.suffix
                    sink.pathChanged(change, in: self)
                }
                node = paths.nodes[node].nextBound
            }
        }
        notification.deep.way.removeAll()
    }

    // MARK: Text
}

extension StoredValue {
    @inline(__always)
    fileprivate var isPresentScalar: Bool {
        switch self {
        case .absent, .array, .model: false
        case .null, .bool, .int, .double, .string, .text: true
        }
    }

    /// Whether it is a model; a model's element in an array is none.
    @inline(__always)
    fileprivate var isModel: Bool {
        if case .model = self { true } else { false }
    }

    /// Whether `json` is of the same kind.
    @inline(__always)
    fileprivate func isKind(of json: JSONView) -> Bool {
        switch self {
        case .absent, .array, .model: false
        case .null: json.kind == .null
        case .bool: json.kind == .true || json.kind == .false
        case .int: json.kind == .integer
        case .double: json.kind == .double
        case .string, .text: json.kind == .string
        }
    }

    /// Becomes what `other` is without counting references. What it was must be without any, and it must become that
    /// again before it, or the other, goes.
    @unsafe
    @inline(__always)
    fileprivate mutating func overwrite(with other: inout StoredValue) {
        unsafe withUnsafeMutablePointer(to: &self) { own in
            unsafe withUnsafePointer(to: &other) { other in
                unsafe UnsafeMutableRawPointer(own).copyMemory(
                    from: other,
                    byteCount: MemoryLayout<StoredValue>.size
                )
            }
        }
    }

    /// Whether it is that text.
    @inline(__always)
    fileprivate func isText(_ canonicalContents: ByteView) -> Bool {
        var isEqual = false
        withText { isEqual = $0 == canonicalContents }
        return isEqual
    }

    /// The number, truth value or null that `json` says; nil for text and containers, and for a number out of range.
    @inline(__always)
    fileprivate init?(number json: JSONView) {
        switch json.kind {
        case .integer:
            guard let int = json.int64() else { return nil }
            self = .int(int)
        case .double:
            guard let double = json.double() else { return nil }
            self = .double(double)
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .null: self = .null
        case .string, .array, .object: return nil
        }
    }
}
