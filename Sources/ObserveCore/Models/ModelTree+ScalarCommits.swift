// SPDX-License-Identifier: MIT
// The commit that most writes are: one property gets another scalar. Decides nothing that the general way does not.

extension ModelTree {
    /// Commits a `set` of one property to a scalar, where that does nothing else.
    ///
    /// The same comes of it as of ``set(_:to:path:)`` in a ``commit(_:)``: the same revision, the same call of the sink,
    /// the same entry in the history. What those look for is shown here not to be there, so no list of touches is made:
    ///
    /// - the property is present, strong, lasting and open, and nobody reads it; nor does the journal keep a record, nor
    ///   anybody want to be told of equal assignments: no flag, reader, type or lifetime has a say;
    /// - what it held and what it gets are scalars: no reference is counted, no path leads elsewhere, no name comes or
    ///   goes, and nothing is below the nodes that are bound here;
    /// - at most one node is bound here, and no star, operator or deep observer derives anything from values.
    ///
    /// - Returns: whether the value differs from the one that was there; nil where the above is not so, or where the
    ///   value is to be refused, with nothing done.
    @inline(__always)
    func commit(scalar json: JSONView, to id: PropertyID) -> Bool? {
        precondition(touches.isEmpty, "a commit was begun inside another")
        guard properties[id].flags.isEmpty, isPlain else { return nil }
        let node = properties[id].bound
        if node != noRecord, !isAlone(node) { return nil }
        if json.kind == .string {
            guard !json.hasEscapes else { return nil }
            switch properties[id].value {
            case .absent, .array, .model: return nil
            case .string(let old) where old.equals(json.contents): return false
            default: break
            }
            exchange(.string(makeText(json.contents)), in: id, toldAt: node)
            return true
        }
        guard let new = StoredValue(number: json) else { return nil }
        switch properties[id].value {
        case .absent, .array, .model: return nil
        case let old where old.equals(new): return false
        default: break
        }
        exchange(new, in: id, toldAt: node)
        return true
    }

    /// Whether nothing in the tree makes a change of a scalar more than that.
    private var isPlain: Bool {
        @inline(__always) get {
            !isRecorded && hosted == nil && !notesEqualAssignments && cyclicBindings == 0
                && deepObservers == 0 && followingNodes.isEmpty && derivations.isEmpty
                && history.commitLimit > 0
        }
    }

    /// Whether the node is the only one bound to its property, and nothing follows what its value contains.
    @inline(__always)
    private func isAlone(_ node: NodeID) -> Bool {
        nodes[node].nextBound == noRecord && nodes[node].firstFollower == noRecord
            && !nodes[node].isReplayed && nodes[nodes[node].parent].firstFollower == noRecord
    }

    /// Puts `new` in the property as a commit of its own.
    @inline(__always)
    private func exchange(_ new: consuming StoredValue, in id: PropertyID, toldAt node: NodeID) {
        var value = new
        swap(&properties[id].value, &value)
        revision += 1
        properties[id].revision = revision
        if node != noRecord, nodes[node].firstObserver != noRecord {
            sink?.pathChanged(
                PathChange(
                    node: node,
                    reason: .valueChanged,
                    old: value,
                    new: properties[id].value,
                    differs: true,
                    cause: cause
                ),
                in: self
            )
        }
        history.append(value, of: id, cause, by: author, at: revision)
        forgetBeyondLimits()
    }

    /// Text for a property.
    @inline(__always)
    func makeText(_ canonicalContents: ByteView) -> StoredString {
        if let spare = spareText.take(), spare.take(canonicalContents) { return spare }
        return .make(canonicalContents)
    }

    /// Lets go of a value; text that nobody else has is kept for the next.
    @inline(__always)
    func recycle(_ value: consuming StoredValue) {
        guard case .string(var text) = consume value else { return }
        if isKnownUniquelyReferenced(&text) { spareText = text }
    }
}

extension StoredValue {
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
