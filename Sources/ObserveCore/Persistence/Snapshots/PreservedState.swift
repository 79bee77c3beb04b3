// SPDX-License-Identifier: MIT
// Old state that a read view keeps while its tree changes. Independent of the tree.

struct PreservedState: ~Copyable {
    /// The properties of a model in their old order, from the first that was not written yet.
    struct Order {
        let properties: [PropertyID]
        let removalRevision: UInt64
    }

    /// The ranges of ``text`` that have a property and its temporary values.
    private struct Place {
        let entry: Range<Int>
        let stack: Range<Int>
    }

    private var orders: [ModelID: Order] = [:]
    private var orderedCount = 0
    private var places: [PropertyID: Place] = [:]
    private let text = ByteBuffer()
    /// The instances of models that were released, and written at that moment, and of released ones that came back.
    private var released: Set<UInt64> = []

    var byteCount: Int {
        let placeBytes = MemoryLayout<PropertyID>.stride + MemoryLayout<Place>.stride
        return text.count + places.count * placeBytes + orderedCount * MemoryLayout<PropertyID>.stride
            + released.count * MemoryLayout<UInt64>.stride
    }

    mutating func removeAll() { self = PreservedState() }

    // MARK: Models

    func order(of model: ModelID) -> Order? { orders[model] }

    mutating func keep(_ order: Order, of model: ModelID) {
        orders[model] = order
        orderedCount += order.properties.count
    }

    /// Forgets the order of a model that is written.
    mutating func removeOrder(of model: ModelID) {
        if let order = orders.removeValue(forKey: model) { orderedCount -= order.properties.count }
    }

    func isReleased(_ instance: UInt64) -> Bool { released.contains(instance) }

    mutating func noteReleased(_ instance: UInt64) { released.insert(instance) }

    // MARK: Properties

    func hasValue(of id: PropertyID) -> Bool { places[id] != nil }

    mutating func keepValue(of id: PropertyID, entry: (ByteBuffer) -> Void, stack: ((ByteBuffer) -> Void)?) {
        let start = text.count
        entry(text)
        let middle = text.count
        stack?(text)
        places[id] = Place(entry: start..<middle, stack: middle..<text.count)
    }

    /// Moves the old value of the property to the slice. Returns false if none was kept.
    mutating func moveValue(of id: PropertyID, to slice: ViewSlice) -> Bool {
        guard let place = places.removeValue(forKey: id) else { return false }
        slice.models.append(text.view.slice(place.entry))
        if !place.stack.isEmpty {
            slice.beginStack()
            slice.stacks.append(text.view.slice(place.stack))
        }
        if places.isEmpty { text.removeAll() }
        return true
    }
}
