// SPDX-License-Identifier: MIT
// Finds the indices of a model in arrays. Changes nothing.

extension ModelTree {
    /// Calls `body` with the indices of each reference to the model in the holder's value. The indices are
    /// empty if the value is the model itself.
    ///
    /// - Cost: a search for a model with one reference from the holder starts at its last index, since elements move
    ///   little between two searches. For other models the tree scans the array. After a commit with many touches it
    ///   scans each array once, and indexes it.
    func forEachPlace(of model: ModelID, in holder: PropertyID, _ body: ([Int]) -> Void) {
        switch records.properties[holder].value {
        case .model(model): body([])
        case .array(let array):
            let isInOnePlace =
                !records.properties[holder].isWeak && records.strongReferences(to: model, from: holder) == 1
            if isInOnePlace, let index = index(of: model, in: array) {
                body([index])
            } else if pending.touches.count <= 8 {
                var indices: [Int] = []
                ModelTree.forEachModel(in: array, &indices) { if $0 == model { body($1) } }
            } else {
                for indices in places(in: array, of: holder)[model] ?? [] { body(indices) }
            }
        default: break
        }
    }

    /// Searches for the model from its last known index in both directions.
    private func index(of model: ModelID, in array: StoredArray) -> Int? {
        let elements = array.elements
        let count = elements.count
        var after = min(Int(records.models[model].index), count)
        var before = after - 1
        while before >= 0 || after < count {
            if after < count {
                if case .model(model) = elements[after] {
                    expect(model, at: after)
                    return after
                }
                after += 1
            }
            if before >= 0 {
                if case .model(model) = elements[before] {
                    expect(model, at: before)
                    return before
                }
                before -= 1
            }
        }
        return nil
    }

    /// Sets the index at which the next search starts.
    func expect(_ model: ModelID, at index: Int) {
        records.models[model].index = Int32(truncatingIfNeeded: index)
    }

    private func places(in array: StoredArray, of holder: PropertyID) -> [ModelID: [[Int]]] {
        if let known = notification.placeIndex[holder] { return known }
        var places: [ModelID: [[Int]]] = [:]
        var indices: [Int] = []
        ModelTree.forEachModel(in: array, &indices) { places[$0, default: []].append($1) }
        notification.placeIndex[holder] = places
        return places
    }

    /// Recursion is as deep as arrays nest, which the tree bounds.
    private static func forEachModel(
        in array: StoredArray,
        _ indices: inout [Int],
        _ body: (ModelID, _ indices: [Int]) -> Void
    ) {
        if array.isPlain { return }
        let elements = array.elements
        indices.append(0)
        for index in elements.indices {
            switch elements[index] {
            case .model(let model):
                indices[indices.count - 1] = index
                body(model, indices)
            case .array(let inner):
                indices[indices.count - 1] = index
                forEachModel(in: inner, &indices, body)
            default: break
            }
        }
        indices.removeLast()
    }
}
