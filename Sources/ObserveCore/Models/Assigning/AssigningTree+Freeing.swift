// SPDX-License-Identifier: MIT
// Frees released models and large arrays in slices. Independent of what released them.

extension AssigningTree {
    /// The least units that the end of a commit frees.
    private static var sliceUnits: Int { 1024 }

    /// Whether released models or arrays wait for ``free(atMost:)``.
    package var hasUnfreed: Bool { history.unfreed.units > 0 || hasDiscarded }

    /// Frees released models and arrays. Call it between commits.
    /// - Parameter limit: the most units: one is a model, a property, or 32 elements of a large array.
    package func free(atMost limit: Int) {
        var left = limit
        while left > 0, hasUnfreed {
            if hasDiscarded {
                left -= freeDiscarded(atMost: left)
            } else if let model = history.unfreed.models.last {
                left -= freeSome(of: model, atMost: left)
            } else {
                left -= history.unfreed.freeElements(atMost: left)
            }
        }
    }

    /// Frees a slice at the end of a commit: a part of all that waits, so that this can't grow without bound.
    func freeSlice() { free(atMost: max(AssigningTree.sliceUnits, history.unfreed.units / 64)) }

    /// Gives the instance numbers after `last` to later models, unless unfreed models have them.
    func forgetInstances(after last: UInt64) {
        if history.unfreed.models.isEmpty { records.lastInstance = last }
    }

    private func freeSome(of model: ModelID, atMost limit: Int) -> Int {
        var freed = 0
        while freed < limit {
            let id = records.models[model].first
            if id == .noRecord {
                history.unfreed.removeModel()
                records.models.free(model)
                return freed + 1
            }
            records.models[model].first = records.properties[id].next
            freeReleased(id)
            history.unfreed.noteFreedProperty()
            freed += 1
        }
        return freed
    }

    func freeReleased(_ id: PropertyID) {
        precondition(records.properties[id].bound == .noRecord, "a path is bound to a released model")
        precondition(!records.properties[id].flags.contains(.read), "a released model is still read")
        if records.properties[id].flags.contains(.isStacked) { stacks.freeStack(id) }
        if case .array(let array) = records.properties[id].slot { history.unfreed.add(array) }
        records.free(id)
    }

    /// Frees the released models, with their properties: some at once, the others in slices.
    func freeReleased() {
        pending.releasedModels.drain { model in
            dropStacks(in: model)
            history.unfreed.add(model, properties: Int(records.models[model].count))
        }
        freeSlice()
    }

    /// Frees the model, which was never in use, with its properties.
    func freeReleased(_ model: ModelID) {
        forEachProperty(of: model) {
            records.discountWhole($0)
            freeReleased($0)
        }
        records.free(model)
    }
}
