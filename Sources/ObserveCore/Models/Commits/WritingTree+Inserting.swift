// SPDX-License-Identifier: MIT
// Inserts elements into arrays. Independent of observers.

extension WritingTree {
    /// Inserts the value of `json` into the array at `path`, before `index` or at the end.
    func insert(_ json: JSONView, _ path: ParsedKeyPath, at index: Int64?) throws(TreeError) {
        try refuseReserved(path)
        let (holder, insertion, declared) = try slot(path, index)
        guard let element = declared else { return edit(holder, insertion, new: try build(json)) }
        typing.beginTrail(.path(path))
        typing.trail.append(.index(insertion.index))
        edit(holder, insertion, new: try build(json, as: element, depth: 0, isPatch: false))
    }

    /// Inserts the model that `target` refers to now, by a strong reference.
    func insert(modelAt target: ParsedKeyPath, _ path: ParsedKeyPath, at index: Int64?) throws(TreeError) {
        try refuseReserved(path)
        let model = try linkTarget(target)
        let (holder, insertion, element) = try slot(path, index)
        if let element {
            typing.beginTrail(.path(path))
            _ = try typing.converted(.model(model), as: element, in: records)
        }
        let container = records.properties[holder].model
        try refuseCycle(from: container, to: .model(model), isElement: true, path, target)
        edit(holder, insertion, new: .model(model))
    }

    /// The property with the array, the insertion, and the declaration of the elements: nil if the array takes any value.
    private func slot(_ path: ParsedKeyPath, _ wanted: Int64?) throws(TreeError)
        -> (holder: PropertyID, insertion: ArrayEdit, element: Declared?)
    {
        let place = walk(path)
        let count = try elementCount(path, at: place)
        let index = wanted.map { Int($0) } ?? count
        guard index <= count else {
            let elements = count == 1 ? "1 element" : "\(count) elements"
            throw TreeError(.notFound, path, "has \(elements), so nothing can be inserted at \(index)")
        }
        let element = try writable(path, at: place).map { Declared(type: $0.type.element) }
        guard let holder = place.property else { throw noArray(path, .absent) }
        let indices = elementIndices(place)
        return (holder, ArrayEdit(kind: .insertion, path: indices, index: index, old: .absent), element)
    }

    /// The number of elements in the array there. (Returning the array itself would make the edit copy it.)
    private func elementCount(_ path: ParsedKeyPath, at place: Place) throws(TreeError) -> Int {
        try refuseMissing(path, at: place)
        let found = value(at: place)
        guard case .array(let array) = found else { throw noArray(path, found) }
        return array.elements.count
    }

    private func noArray(_ path: ParsedKeyPath, _ found: StoredValue) -> TreeError {
        let fault = "is \(found.kindPhrase), and elements can be inserted into arrays alone"
        return TreeError(found.isNull ? .notFound : .typeMismatch, path, fault)
    }
}
