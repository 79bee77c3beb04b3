// SPDX-License-Identifier: MIT
// Finds the models that strong references reach, and frees the others. Independent of the purpose.

extension WritingTree {
    /// Frees the models that ``Reachability/models(from:_:in:)`` did not reach. Call it inside a commit.
    func freeUnreached(_ reached: [Bool]) {
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            removeDependents(ofReleased: model)
        }
        dependents.forgetFreed()
        free(atMost: .max)
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            if records.models[model].first != .noRecord || records.models[model].instance != 0 {
                freeReleased(model)
            }
        }
    }
}

enum Reachability {
    /// For each model's number, whether strong references from `value`, also those in the stacks, reach the model.
    static func models(
        from value: StoredValue,
        _ stacks: [PropertyID: ValueStack],
        in records: borrowing Records
    ) -> [Bool] {
        var reached = [Bool](repeating: false, count: records.models.allocatedCount)
        var pending: [ModelID] = []
        func reach(_ model: ModelID) {
            if reached[model.index] { return }
            reached[model.index] = true
            pending.append(model)
        }
        value.forEachModel(reach)
        while let model = pending.popLast() { forEachModel(heldBy: model, stacks, in: records, reach) }
        return reached
    }

    /// A reached model in or below a cycle of strong references; nil without a cycle.
    /// - Cost: one visit of each reference. It removes models without holders until only cycles are left.
    static func modelInCycle(
        among reached: [Bool],
        _ stacks: [PropertyID: ValueStack],
        in records: borrowing Records
    ) -> ModelID? {
        var holders = [Int](repeating: 0, count: reached.count)
        var free: [ModelID] = []
        for model in ModelID(0)..<ModelID(index: reached.count) where reached[model.index] {
            // The records.root has one reference that is not a property's: see `Records`.
            let own = model == records.root ? 1 : 0
            holders[model.index] = Int(records.models[model].strongReferences) - own
            if holders[model.index] == 0 { free.append(model) }
        }
        while let model = free.popLast() {
            forEachModel(heldBy: model, stacks, in: records) { held in
                holders[held.index] -= 1
                if holders[held.index] == 0 { free.append(held) }
            }
        }
        return holders.firstIndex { $0 > 0 }.map { ModelID(index: $0) }
    }

    /// Calls `body` for each strong reference of the model's properties, also in the values that they shadow.
    static func forEachModel(
        heldBy model: ModelID,
        _ stacks: [PropertyID: ValueStack] = [:],
        in records: borrowing Records,
        _ body: (ModelID) -> Void
    ) {
        var id = records.models[model].first
        while id != .noRecord {
            stacks.forEachModel(heldBy: id, in: records, body)
            id = records.properties[id].next
        }
    }
}
