// SPDX-License-Identifier: MIT
// Finds the models that strong references reach, and frees the others. Independent of the purpose.

extension ModelTree {
    /// Finds the models that strong references reach from `value`.
    ///
    /// - Parameter stacks: stacks of temporary values; references in them count too.
    /// - Returns: for each model's number, whether they reach the model.
    func reached(from value: StoredValue, _ stacks: [PropertyID: [TemporaryValue]]) -> [Bool] {
        var reached = [Bool](repeating: false, count: records.models.allocatedCount)
        var pending: [ModelID] = []
        func reach(_ value: StoredValue) {
            switch value {
            case .model(let model):
                if reached[model.index] { return }
                reached[model.index] = true
                pending.append(model)
            case .array(let array): for element in array.elements where element.isContainer { reach(element) }
            default: return
            }
        }
        reach(value)
        while let model = pending.popLast() {
            var id = records.models[model].first
            while id != .noRecord {
                if records.properties[id].slot.isContainer, !records.properties[id].isWeak {
                    reach(records.properties[id].slot)
                }
                if !stacks.isEmpty, let stack = stacks[id] {
                    for temporaryValue in stack where !temporaryValue.isWeak { reach(temporaryValue.value) }
                }
                id = records.properties[id].next
            }
        }
        return reached
    }

    /// Frees the models that ``reached(from:_:)`` did not reach. Call it inside a commit.
    func freeUnreached(_ reached: [Bool]) {
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            removeDependents(ofReleased: model)
        }
        dependents.forgetFreed()
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            if records.models[model].first != .noRecord || records.models[model].instance != 0 {
                freeReleased(model)
            }
        }
    }
}
