// SPDX-License-Identifier: MIT
// Counts one more strong reference to a model.

extension Records {
    mutating func addHolder(_ id: PropertyID, of model: ModelID) {
        switch models[model].strongReferences {
        case 0: models[model].holder = id
        case 1: models[model].otherHolder = id
        default: furtherHolders.add(id, to: model)
        }
        models[model].strongReferences += 1
    }
}
