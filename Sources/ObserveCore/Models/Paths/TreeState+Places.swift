// SPDX-License-Identifier: MIT
// Finds the indices of a model in arrays. Changes nothing.

extension TreeState {
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
            if isInOnePlace, let index = records.index(of: model, in: array) {
                body([index])
            } else if pending.touches.count <= 8 {
                var indices: [Int] = []
                array.forEachModel(&indices) { if $0 == model { body($1) } }
            } else {
                for indices in places(in: array, of: holder)[model] ?? [] { body(indices) }
            }
        default: break
        }
    }

    private func places(in array: StoredArray, of holder: PropertyID) -> [ModelID: [[Int]]] {
        if let known = pending.places[holder] { return known }
        var places: [ModelID: [[Int]]] = [:]
        var indices: [Int] = []
        array.forEachModel(&indices) { places[$0, default: []].append($1) }
        pending.places[holder] = places
        return places
    }
}
