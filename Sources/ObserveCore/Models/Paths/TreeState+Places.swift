// SPDX-License-Identifier: MIT
// Visits the properties that hold a model, and its places in arrays there; the nodes bound to a property, and those below a node.

extension TreeState {
    /// Calls `body` with the indices of each reference to the model in the holder's value; none if it is the model itself.
    /// - Cost: a search for a model with one reference from the holder starts at its last index, since elements move little
    ///   between two searches. For others the tree scans the array: after a commit with many touches once, to index it.
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

    /// Calls `body`, which may bind others, with each node bound to the property.
    @inline(__always) final func forEachNode(boundTo id: PropertyID, _ body: (NodeID) -> Void) {
        var node = records.properties[id].bound
        while node != .noRecord {
            body(node)
            node = paths.nodes[node].nextBound
        }
    }

    /// Calls `body`, which may add others, with each node below that one.
    @inline(__always) final func forEachChild(of node: NodeID, _ body: (NodeID) -> Void) {
        var child = paths.nodes[node].firstChild
        while child != .noRecord {
            body(child)
            child = paths.nodes[child].next
        }
    }

    /// Calls `body`, which may change records, with each property that holds the model strongly.
    func forEachStrongHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        if let first = records.firstStrongHolder(of: model) { body(first) }
        // Most models have one holder: this check costs less than the call.
        guard records.models[model].strongReferences > 1 else { return }
        for holder in records.furtherStrongHolders(of: model) { body(holder) }
    }

    /// Calls `body`, which may change records, with the strong holders of the model, then with the weak ones.
    func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        guard !records.weakReferrers.isEmpty else { return }
        let referrers = records.weakReferrers.sorted(of: model)
        records.effort.count(4 &* referrers.count)
        for referrer in referrers { body(referrer) }
    }
}
