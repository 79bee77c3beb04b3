// SPDX-License-Identifier: MIT
// Finds models in arrays.

extension Records {
    /// Searches for the model from its last known index in both directions.
    mutating func index(of model: ModelID, in array: StoredArray) -> Int? {
        let elements = array.elements
        let count = elements.count
        var after = min(Int(models[model].index), count)
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
    mutating func expect(_ model: ModelID, at index: Int) {
        models[model].index = Int32(truncatingIfNeeded: index)
    }
}

extension StoredArray {
    /// Calls `body` with the models in the array and in arrays inside it, and with the indices that lead there.
    ///
    /// Recursion is as deep as arrays nest, which the tree bounds.
    func forEachModel(_ indices: inout [Int], _ body: (ModelID, _ indices: [Int]) -> Void) {
        if isPlain { return }
        let elements = elements
        indices.append(0)
        for index in elements.indices {
            switch elements[index] {
            case .model(let model):
                indices[indices.count - 1] = index
                body(model, indices)
            case .array(let inner):
                indices[indices.count - 1] = index
                inner.forEachModel(&indices, body)
            default: break
            }
        }
        indices.removeLast()
    }
}
