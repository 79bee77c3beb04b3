// SPDX-License-Identifier: MIT
// Bounds how many bindings there are, and what they propagate. Refuses those that the declared types rule out. Independent of
// the order of updates.

extension BindingTree {
    /// Throws if clients can't make another binding. The configuration and kept state can.
    func requireRoomForBinding() throws(TreeError) {
        guard bindingCount >= limits.maxBindings else { return }
        throw TreeError(.limitExceeded, "the tree has at most \(limits.maxBindings) bindings (maxBindings)")
    }

    /// Whether a binding does not propagate the value: each write to an array that a binding shares copies it, and compares it.
    func isExcessive(_ value: StoredValue) -> Bool {
        guard case .array(let array) = value else { return false }
        return array.plainCount > limits.maxElements
    }

    /// Counts the comparison of both ends with their last values, and the copy of a shared array.
    func countComparison(of ends: BindingEnds) {
        if !ends.source.isPlain || !ends.target.isPlain {
            records.effort.count((ends.source.storageBytes + ends.target.storageBytes) >> 4)
        }
    }

    /// Lets the binding fail. It propagates the source again once that is smaller.
    func refuseElements(of binding: Binding) {
        (binding.last.source, binding.last.target, binding.last.isNew) = (.absent, .absent, true)
        let isSilent = binding.isRestored
        binding.isRestored = false
        note(tooManyElements(binding.source), of: binding, isBackward: false, isSilent: isSilent)
    }

    /// Throws if the arrays around the place and the value together nest deeper than a value may. Otherwise a binding into its
    /// own source would nest it without end.
    func refuseNesting(_ value: StoredValue, _ path: ParsedKeyPath, at place: Place) throws(TreeError) {
        guard case .array = value, value.nests(deeperThan: limits.maxDepth - elementIndices(place).count)
        else { return }
        let fault = "would nest deeper than \(limits.maxDepth) levels (maxDepth)"
        throw TreeError(.limitExceeded, "the array at \(path.escaped) \(fault)", at: path)
    }

    /// Throws if the declared types rule out that the target ever holds a value of the source, apart from null.
    func refuseUnfit(_ source: ParsedKeyPath, to target: ParsedKeyPath) throws(TreeError) {
        let to = try typing.declared(along: target, in: records).type
        let from: ValueType =
            switch source.collectionOperator {
            case nil: try typing.declared(along: source, in: records).type
            case .count?: .int
            case .sum?, .avg?: .double
            case .unionOfObjects?, .distinctUnionOfObjects?: .array(.any)
            case .min?, .max?: .any
            }
        if typing.types.mayHold(to, from) { return }
        let (found, wanted) = (typing.types.text(of: from), typing.types.text(of: to))
        typing.beginTrail(.path(target))
        let fault = "expected \(wanted), and \(source.escaped) is \(found), so the binding could never write"
        throw typing.typeError(fault, to, found)
    }

    func refuseFixed(_ path: ParsedKeyPath) throws(TreeError) {
        if let refusal = try typing.declared(along: path, in: records).refusal(at: path.escaped) {
            throw refusal
        }
    }
}
