// SPDX-License-Identifier: MIT
// The fast path of commits: one property gets another scalar. The general path would have the same results.

extension ModelTree {
    /// Commits a `set` of one property to a scalar, if the write has no other effects.
    ///
    /// ``set(_:to:path:)`` in a ``commit(_:)`` has the same results: the same revision, record, call of the sink and entry in the
    /// history. The conditions below exclude other effects, so the fast path records no touches:
    ///
    /// - The property is present, strong and permanent, and has no dependents: it has no flag but `declared`.
    /// - A text fits into what ``TreeLimits/maxTreeBytes`` leaves.
    /// - Both values are scalars: references, paths and names stay as they are, and no child of a bound node changes.
    /// - If the property is declared, both values are of one kind, so its type accepts the new one.
    /// - At most one node is bound to the property, and the wildcards above have matched it already.
    /// - Deep observers and operators, if any, are found by climbing from holder to holder: see ``reach(above:)``.
    ///
    /// - Parameters:
    ///   - sink: the tree's sink. Generic, since reading it from the tree would count a reference.
    ///   - recorder: called only if the tree has one, which this is.
    /// - Returns: whether the value differs; nil, without any effect, if a condition fails or the value must be refused.
    @inline(__always) func commit(
        scalar json: JSONView,
        to id: PropertyID,
        notifying sink: some ChangeSink,
        recording recorder: some CommitRecorder
    ) -> Bool? {
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        assert(
            hooks.sink === sink && (!hooks.isRecording || hooks.recorder === recorder),
            "the sink and the recorder are not the tree's own"
        )
        guard records.properties[id].flags.isSubset(of: .declared), allowsFastPath,
            records.properties[id].slot.isPresentScalar,
            records.properties[id].flags.isEmpty || records.properties[id].slot.isKind(of: json)
        else { return nil }
        let node = records.properties[id].bound
        if node != .noRecord, !paths.isAlone(node) { return nil }
        let above = isObservedAbove ? reach(above: id) : .nowhere
        if above == .unknown { return nil }
        var new = StoredValue.null
        let isText = json.kind == .string
        if isText {
            if json.hasEscapes || !hasRoom(forText: json.contents.count) { return nil }
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
        if hooks.isRecording, !recorder.hasRoom(forScalar: json, of: id) {
            swap(&records.properties[id].slot, &old)
            return nil
        }
        if hooks.hasPreUpdateHooks {
            swap(&records.properties[id].slot, &old)
            runHooks { $0.willAssign(id) }
            swap(&records.properties[id].slot, &old)
        }
        if isText { new = records.makeValue(json.contents) }
        records.assign(&new, isText: isText, of: id, insteadOf: &old)
        if hooks.isRecording { recorder.record(CommitView(self), scalar: json, of: id) }
        revision += 1
        let former = records.properties[id].revision
        records.properties[id].revision = revision
        if above == .somewhere || node != .noRecord && paths.nodes[node].firstObserver != .noRecord {
            notify(node, id, isObservedAbove: above == .somewhere, &old, sink)
        }
        remember(consume old, of: id, at: former)
        return true
    }

    /// Commits a scalar of the same kind, which its type accepts, by the general path, for example if dependents read the
    /// property. Returns whether the value differs; nil, without any effect, if ``set(_:to:path:)`` must make or refuse the
    /// write.
    @inline(never) func commitWhole(scalar json: JSONView, to id: PropertyID) -> Bool? {
        guard records.properties[id].flags.isSubset(of: [.declared, .read]),
            records.properties[id].slot.isPresentScalar,
            !records.properties[id].flags.contains(.declared) || records.properties[id].slot.isKind(of: json),
            !json.kind.isContainer, let new = try? build(json)
        else { return nil }
        var isChanged = false
        do throws(TreeError) {
            return try commit(refusingAs: { $0 }) { () throws(TreeError) in isChanged = put(new, in: id) }
                && isChanged
        } catch { return nil }
    }

    /// Notifies the sink, and lends it both values, since each copy would count a reference: swaps the old one in, and copies the
    /// bytes of the new one, which stays in its record meanwhile, since the sink must not write.
    @inline(__always) private func notify(
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
        if node != .noRecord, paths.nodes[node].firstObserver != .noRecord { sink.pathChanged(change) }
        if isObservedAbove { notifyAbove(id, &change, sink) }
        var nothing = StoredValue.null
        unsafe change.new.overwrite(with: &nothing)
        swap(&change.old, &old)
    }
}

extension StoredValue {
    @inline(__always) fileprivate var isPresentScalar: Bool { !isAbsent && !isContainer }

    @inline(__always) fileprivate func isKind(of json: JSONView) -> Bool {
        switch self {
        case .absent, .array, .model: false
        case .null: json.kind == .null
        case .bool: json.kind == .true || json.kind == .false
        case .int: json.kind == .integer
        case .double: json.kind == .double
        case .string, .text: json.kind == .string
        }
    }

    /// Copies the bytes of `other` without counting references. The old value must contain none. Overwrite the copy with such a
    /// value before the copy or `other` is destroyed.
    @unsafe @inline(__always) fileprivate mutating func overwrite(with other: inout StoredValue) {
        unsafe withUnsafeMutablePointer(to: &self) { own in
            unsafe withUnsafePointer(to: &other) { other in
                let size = MemoryLayout<StoredValue>.size
                unsafe UnsafeMutableRawPointer(own).copyMemory(from: other, byteCount: size)
            }
        }
    }

    @inline(__always) fileprivate func isText(_ canonicalContents: ByteView) -> Bool {
        var isEqual = false
        withText { isEqual = $0 == canonicalContents }
        return isEqual
    }

    /// The number, boolean or null in `json`; nil for text and containers, and for a number out of range.
    @inline(__always) fileprivate init?(number json: JSONView) {
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
