// SPDX-License-Identifier: MIT
// The commit that most writes are: one property gets another scalar. Decides nothing that the general way does not.

extension ModelTree {
    /// Commits a `set` of one property to a scalar, where that does nothing else.
    ///
    /// The same comes of it as of ``set(_:to:path:)`` in a ``commit(_:)``: the same revision, the same record, the same
    /// call of the sink, the same entry in the history. What those look for is shown here not to be there, so no list of
    /// touches is made:
    ///
    /// - the property is present, strong, lasting and open, and nobody reads it, nor wants to be told of equal
    ///   assignments: no flag, reader, type or lifetime has a say;
    /// - what it held and what it gets are scalars: no reference is counted, no path leads elsewhere, no name comes or
    ///   goes, and nothing is below the nodes that are bound here;
    /// - at most one node is bound here, which the stars above it know already, and no operator or deep observer derives
    ///   anything from values.
    ///
    /// - Parameter sink: the tree's, and its recorder if it has one, by its type: asking the tree for it would count a
    ///   reference.
    /// - Returns: whether the value differs from the one that was there; nil where the above is not so, or where the
    ///   value is to be refused, with nothing done.
    @inline(__always)
    func commit(scalar json: JSONView, to id: PropertyID, telling sink: some ChangeSink & CommitRecorder)
        -> Bool?
    {
        precondition(touches.isEmpty, "a commit was begun inside another")
        assert(self.sink === sink && (!isRecorded || recorder === sink), "somebody else is to be told")
        guard properties[id].flags.isEmpty, isPlain, properties[id].slot.isPresentScalar else { return nil }
        let node = properties[id].bound
        if node != noRecord, !isAlone(node) { return nil }
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
            return false
        }
        if isWitnessed {
            swap(&properties[id].slot, &old)
            tellWitnesses(ofAssigning: id)
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
        if node != noRecord, nodes[node].firstObserver != noRecord { tell(node, id, &old, sink) }
        history.append(consume old, of: id, cause, by: author, at: revision)
        forgetBeyondLimits()
        return true
    }

    /// Both values are lent to the change, since each copy of one would count a reference: the old one by swapping; the
    /// new one byte for byte, as it has to stay where it is. The sink must not write, so it does.
    @inline(__always)
    private func tell(
        _ node: NodeID,
        _ id: PropertyID,
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
        sink.pathChanged(change, in: self)
        var nothing = StoredValue.null
        unsafe change.new.overwrite(with: &nothing)
        swap(&change.old, &old)
    }

    /// Whether nothing in the tree makes a change of a scalar more than that.
    private var isPlain: Bool {
        @inline(__always) get {
            hosted == nil && !notesEqualAssignments && cyclicBindings == 0
                && deepObservers == 0 && derivations.isEmpty
                && history.commitLimit > 0
        }
    }

    /// Whether the node is the only one bound to its property, and nothing follows what its value contains.
    @inline(__always)
    private func isAlone(_ node: NodeID) -> Bool {
        nodes[node].nextBound == noRecord && nodes[node].firstFollower == noRecord
            && !nodes[node].isReplayed
            && (nodes[node].isMatched || nodes[nodes[node].parent].firstFollower == noRecord)
    }

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
