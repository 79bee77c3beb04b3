// SPDX-License-Identifier: MIT
// The fast path of commits: one property gets another scalar. The general path would have the same results.

extension ModelTree {
    /// Commits a `set` of one property to a scalar, if the write has no other effects.
    ///
    /// ``set(_:to:path:)`` in a ``commit(_:)`` has the same results: the same revision, record, call of the
    /// sink and entry in the history. The conditions below exclude other effects, so the fast path records no
    /// touches:
    ///
    /// - The property is present, strong and permanent, and has no dependents: it has no flag but `declared`.
    /// - The old and the new value are scalars: references, paths and names stay as they are, and no child of
    ///   a bound node changes.
    /// - If the property is declared, both values are of one kind, so its type accepts the new one.
    /// - At most one node is bound to the property, and the wildcards above have matched it already.
    /// - Deep observers and operators, if any, are found by climbing from holder to holder: see
    ///   ``reach(above:)``.
    ///
    /// - Parameter sink: the tree's sink, which is also its recorder if it has one. Generic, since reading it
    ///   from the tree would count a reference.
    /// - Returns: whether the value differs from the old one; nil, without any effect, if a condition fails
    ///   or the value must be refused.
    @inline(__always)
    func commit(scalar json: JSONView, to id: PropertyID, notifying sink: some ChangeSink & CommitRecorder)
        -> Bool?
    {
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        assert(
            self.hooks.sink === sink && (!history.undoing.isRecording || hooks.recorder === sink),
            "the sink and the recorder are not the tree's own"
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
        // Swapped out for the comparison: looking at it in place would count a reference.
        var old = StoredValue.null
        swap(&records.properties[id].slot, &old)
        let isEqual = isText ? old.isText(json.contents) : old.equals(new)
        if isEqual {
            swap(&records.properties[id].slot, &old)
            return paths.notesEqualAssignments ? nil : false
        }
        if hooks.hasPreUpdateHooks {
            swap(&records.properties[id].slot, &old)
            runPreUpdateHooks(ofAssigning: id)
            swap(&records.properties[id].slot, &old)
        }
        if isText { new = records.makeValue(json.contents) }
        swap(&records.properties[id].slot, &new)
        if history.undoing.isRecording {
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

    /// Commits a scalar by the general path, if dependents read the property or several paths lead to it.
    ///
    /// Skips the check against a declared type, since the value's kind stays the same.
    ///
    /// - Returns: the same as the fast path.
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

    /// Lends both values to the change, since each copy would count a reference. Swaps the old one in; copies
    /// the bytes of the new one, which must stay in place. It does, since the sink must not write.
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

    /// Whether the whole tree permits the fast path.
    private var allowsFastPath: Bool {
        @inline(__always) get {
            hosted == nil && dependents.bindings.cyclic == 0 && history.commitLimit > 0
        }
    }

    /// Whether the node is the only one bound to its property, and no path follows its value's contents.
    @inline(__always)
    private func isAlone(_ node: NodeID) -> Bool {
        paths.nodes[node].nextBound == .noRecord && paths.nodes[node].firstWildcard == .noRecord
            && !paths.nodes[node].isReplayed
            && (paths.indistinctObservers == 0 || paths.nodes[node].firstChild == .noRecord)
            && (paths.nodes[node].isMatched
                || paths.nodes[paths.nodes[node].parent].firstWildcard == .noRecord)
    }

    // MARK: Above

    /// Whether a change of the property concerns deep observers, or operators over its model's properties.
    ///
    /// - Returns: `unknown` if climbing from holder to holder does not suffice. A model on the way may be an
    ///   array's element or have several references, or an operator may look into elements.
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

    /// Notifies all that ``reach(above:)`` found, in the order of the general path: the operators, then the
    /// deep observers, the nearest first.
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
}

extension StoredValue {
    @inline(__always)
    fileprivate var isPresentScalar: Bool {
        switch self {
        case .absent, .array, .model: false
        case .null, .bool, .int, .double, .string, .text: true
        }
    }

    /// Whether it is itself a model, not an array of models.
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

    /// Copies the bytes of `other` without counting references. The old value must contain none. Overwrite
    /// the copy with such a value before the copy or `other` is destroyed.
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

    /// Whether it is the text with those canonical contents.
    @inline(__always)
    fileprivate func isText(_ canonicalContents: ByteView) -> Bool {
        var isEqual = false
        withText { isEqual = $0 == canonicalContents }
        return isEqual
    }

    /// The number, boolean or null in `json`; nil for text and containers, and for a number out of range.
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
