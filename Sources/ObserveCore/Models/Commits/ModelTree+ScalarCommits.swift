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
        precondition(touches.isEmpty, "a commit was begun inside another")
        assert(self.sink === sink && (!isRecorded || recorder === sink), "somebody else is to be told")
        guard properties[id].flags.isSubset(of: .declared), allowsFastPath, properties[id].slot.isPresentScalar,
            properties[id].flags.isEmpty || properties[id].slot.isKind(of: json)
        else { return nil }
        let node = properties[id].bound
        if node != noRecord, !isAlone(node) { return nil }
        var above = DeepReach.nowhere
        if deepObservers > 0 || !operators.isEmpty {
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
        swap(&properties[id].slot, &old)
        let isEqual = isText ? old.isText(json.contents) : old.equals(new)
        if isEqual {
            swap(&properties[id].slot, &old)
            return notesEqualAssignments ? nil : false
        }
        if hasPreUpdateHooks {
            swap(&properties[id].slot, &old)
            runPreUpdateHooks(ofAssigning: id)
            swap(&properties[id].slot, &old)
        }
        if isText { new = makeValue(json.contents) }
        swap(&properties[id].slot, &new)
        if isRecorded {
            pin()
            undoing.revisions.append(properties[id].revision)
            sink.record(self, scalar: json, of: id)
        }
        revision += 1
        properties[id].revision = revision
        if above == .somewhere || node != noRecord && nodes[node].firstObserver != noRecord {
            notify(node, id, isObservedAbove: above == .somewhere, &old, sink)
        }
        history.append(consume old, of: id, cause, by: author, at: revision)
        forgetBeyondLimits()
        return true
    }

    /// The same by a commit like any other, for a property that more comes of: it is read by bindings or computed
    /// properties, or several paths lead to it. Only the value need not be looked at twice.
    ///
    /// - Returns: as the short way does.
    @inline(never)
    func commitWhole(scalar json: JSONView, to id: PropertyID) -> Bool? {
        guard properties[id].flags.isSubset(of: [.declared, .read]), properties[id].slot.isPresentScalar,
            !properties[id].flags.contains(.declared) || properties[id].slot.isKind(of: json)
        else { return nil }
        let new: StoredValue
        if json.kind == .string {
            if json.hasEscapes { return nil }
            new = .string(makeText(json.contents))
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
            cause: cause
        )
        swap(&change.old, &old)
        unsafe change.new.overwrite(with: &properties[id].slot)
        if node != noRecord, nodes[node].firstObserver != noRecord { sink.pathChanged(change, in: self) }
        if isObservedAbove { notifyAbove(id, &change, sink) }
        var nothing = StoredValue.null
        unsafe change.new.overwrite(with: &nothing)
        swap(&change.old, &old)
    }

    /// Whether nothing in the tree makes a change of a scalar more than that.
    private var allowsFastPath: Bool {
        @inline(__always) get {
            hosted == nil && cyclicBindings == 0 && history.commitLimit > 0
        }
    }

    /// Whether the node is the only one bound to its property, and nothing follows what its value contains.
    @inline(__always)
    private func isAlone(_ node: NodeID) -> Bool {
        nodes[node].nextBound == noRecord && nodes[node].firstWildcard == noRecord
            && !nodes[node].isReplayed && (indistinctObservers == 0 || nodes[node].firstChild == noRecord)
            && (nodes[node].isMatched || nodes[nodes[node].parent].firstWildcard == noRecord)
    }

    // MARK: Above

    /// Whether deep observers, or operators over its model's properties, are to hear of a change of the property.
    ///
    /// - Returns: `unknown` where finding that out takes more than to go up from holder to holder: where a model on the
    ///   way is an array's element, or is referred to more than once; or where an operator looks into elements.
    private func reach(above id: PropertyID) -> DeepReach {
        if longestOperatorPath > 0, lookedAt[properties[id].name] != nil { return .unknown }
        var reach = DeepReach.nowhere
        var model = properties[id].model
        var depth = 1
        while model != rootModel, depth <= limits.maxDepth {
            let holder = models[model].holder
            guard models[model].strongReferences == 1, !weakReferrers.contains(model), holder != noRecord,
                !properties[holder].isWeak, properties[holder].slot.isModel
            else { return .unknown }
            var node = properties[holder].bound
            while node != noRecord {
                if nodes[node].isDeep || depth == 1 && isOperatedUpon(node) { reach = .somewhere }
                node = nodes[node].nextBound
            }
            model = properties[holder].model
            depth &+= 1
        }
        return reach
    }

    /// Whether collection operators over the node's value are observed.
    @inline(__always)
    private func isOperatedUpon(_ node: NodeID) -> Bool {
        // They stand before its other children.
        nodes[node].firstChild != noRecord && nodes[nodes[node].firstChild].isOperator
    }

    /// Tells all whom ``reach(above:)`` has seen, in the order of the general way: the operators, then the deep observers,
    /// the nearest first.
    @inline(never)
    private func notifyAbove(_ id: PropertyID, _ change: inout PathChange, _ sink: some ChangeSink) {
        if !operators.isEmpty, properties[id].model != rootModel {
            var node = properties[models[properties[id].model].holder].bound
            while node != noRecord {
                if isOperatedUpon(node) { notifyOperators(below: node, old: change.old, new: change.new) }
                node = nodes[node].nextBound
            }
        }
        if deepObservers == 0 { return }
        var (below, model) = (id, properties[id].model)
        while model != rootModel, deep.way.count < limits.maxDepth {
            deep.way.append(.name(properties[below].name))
            below = models[model].holder
            model = properties[below].model
            var node = properties[below].bound
            while node != noRecord {
                if nodes[node].isDeep {
                    spellWay()
                    change.node = node
                    change.suffix = deep.suffix
                    sink.pathChanged(change, in: self)
                }
                node = nodes[node].nextBound
            }
        }
        deep.way.removeAll()
    }

    // MARK: Text

    /// Text that is to belong to a property.
    @inline(__always)
    private func makeValue(_ canonicalContents: ByteView) -> StoredValue {
        canonicalContents.count <= TextPool.longest
            ? .text(texts.make(canonicalContents)) : .string(makeText(canonicalContents))
    }

    /// Text that belongs to whoever refers to it.
    @inline(__always)
    func makeText(_ canonicalContents: ByteView) -> StoredString {
        if var spare = spareText.take(), isKnownUniquelyReferenced(&spare), spare.take(canonicalContents) {
            return spare
        }
        return .make(canonicalContents)
    }

    /// Lets go of a value that belonged to a property, a commit or the history.
    @inline(__always)
    func recycle(_ value: consuming StoredValue) {
        if case .text(let text) = value { return texts.release(text) }
        recycle(string: value)
    }

    /// Text that nobody else will have is kept for the next.
    @inline(__always)
    func recycle(string value: consuming StoredValue) {
        guard case .string(let text) = consume value else { return }
        if text.room <= 4096 { spareText = text }
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
