// SPDX-License-Identifier: MIT
// Where in arrays a model stands. Changes nothing.

extension ModelTree {
    /// Calls `body` with the indices of each place in the holder's value that refers to the model: none, where it is
    /// the value itself.
    ///
    /// - Cost: a commit that touches much asks often of the same large array, so that is indexed then, once a telling.
    func forEachPlace(of model: ModelID, in holder: PropertyID, _ body: ([Int]) -> Void) {
        switch properties[holder].value {
        case .model(model): body([])
        case .array(let array):
            if touches.count <= 8 {
                ModelTree.forEachModel(in: array, []) { if $0 == model { body($1) } }
            } else {
                for indices in places(in: array, of: holder)[model] ?? [] { body(indices) }
            }
        default: break
        }
    }

    private func places(in array: StoredArray, of holder: PropertyID) -> [ModelID: [[Int]]] {
        if let known = placeIndex[holder] { return known }
        var places: [ModelID: [[Int]]] = [:]
        ModelTree.forEachModel(in: array, []) { places[$0, default: []].append($1) }
        placeIndex[holder] = places
        return places
    }

    /// Recursion is as deep as arrays nest, which the tree bounds.
    private static func forEachModel(
        in array: StoredArray,
        _ indices: [Int],
        _ body: (ModelID, _ indices: [Int]) -> Void
    ) {
        for (index, element) in array.elements.enumerated() {
            switch element {
            case .model(let model): body(model, indices + [index])
            case .array(let inner): forEachModel(in: inner, indices + [index], body)
            default: break
            }
        }
    }
}
