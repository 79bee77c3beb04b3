// SPDX-License-Identifier: MIT
// Inserts elements into arrays. Independent of observers.

extension WritingTree {
    /// Inserts the value of `json` into the array at `path`, before `index` or at the end.
    func insert(_ json: JSONView, _ path: ParsedKeyPath, at index: Int64?) throws(TreeError) {
        try refuseReserved(path)
        let slot = try slot(path, index)
        guard let element = slot.element else { return insert(try build(json), slot) }
        typing.beginTrail(.path(path))
        typing.trail.append(.index(slot.index))
        insert(try build(json, as: element, depth: 0, isPatch: false), slot)
    }

    /// Inserts the model that `target` refers to now, by a strong reference.
    func insert(modelAt target: ParsedKeyPath, _ path: ParsedKeyPath, at index: Int64?) throws(TreeError) {
        try refuseReserved(path)
        let model = try linkTarget(target)
        let slot = try slot(path, index)
        if let element = slot.element {
            typing.beginTrail(.path(path))
            _ = try typing.converted(.model(model), as: element, in: records)
        }
        let container = records.properties[slot.holder].model
        try refuseCycle(from: container, to: .model(model), isElement: true, path, target)
        insert(.model(model), slot)
    }

    private struct Slot {
        let holder: PropertyID
        /// The indices that lead from the holder's array to the one that grows.
        let path: [Int]
        let index: Int
        /// The declaration of the array's elements; nil if the array takes any value.
        var element: Declared?
    }

    private func insert(_ new: StoredValue, _ slot: Slot) {
        let edit = ArrayEdit(kind: .insertion, path: slot.path, index: slot.index, old: .absent)
        self.edit(slot.holder, edit, new: new)
    }

    private func slot(_ path: ParsedKeyPath, _ wanted: Int64?) throws(TreeError) -> Slot {
        let place = walk(path)
        let count = try elementCount(path, at: place)
        let index = wanted.map { Int($0) } ?? count
        guard index <= count else {
            let elements = count == 1 ? "1 element" : "\(count) elements"
            throw TreeError(.notFound, path, "has \(elements), so nothing can be inserted at \(index)")
        }
        let element = try writable(path, at: place).map { Declared(type: $0.type.element) }
        guard let holder = place.property else { throw noArray(path, .absent) }
        return Slot(holder: holder, path: elementIndices(place), index: index, element: element)
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
