// SPDX-License-Identifier: MIT
// Computes the value of a collection operator over a container. Assigns nothing.

extension Records {
    /// Computes the operator's value over the container, from all elements; nil if these are too many.
    mutating func evaluate(_ call: OperatorCall, over container: StoredValue) -> StoredValue? {
        guard container.isContainer else { return .null }
        guard mayLook(at: container, for: call) else { return nil }
        switch call.function {
        case .count, .sum, .avg: return tallied(call, container)
        case .min, .max: return extreme(call, container)
        case .unionOfObjects: return .array(StoredArray(values(call, container)))
        case .distinctUnionOfObjects:
            let values = values(call, container)
            guard mayCompare(values) else { return nil }
            return .array(StoredArray(distinct(values)))
        }
    }

    /// Counts a container's elements, times the components of the operator's path. Returns false if they are too many.
    mutating func mayLook(at container: StoredValue, for call: OperatorCall) -> Bool {
        if case .array(let array) = container {
            if array.isExcess { return false }
            if call.function == .count { return true }
        }
        let elements = elementCount(of: container)
        let looks = elements &* max(1, call.keyPath.count)
        // A hash of each element, and a search for it, take about four times as long as a sum.
        let cost = call.function == .distinctUnionOfObjects ? 4 &* looks : looks
        return effort.look(at: elements > limits.maxElements ? .max : cost)
    }

    /// Counts the text and the inner elements of values that are to be compared with each other.
    mutating func mayCompare(_ values: some Sequence<StoredValue>) -> Bool {
        values.allSatisfy { $0.isPlain || effort.look(at: $0.storageBytes >> 4) }
    }

    func elementCount(of container: StoredValue) -> Int {
        switch container {
        case .array(let array): array.elements.count
        case .model(let model): Int(models[model].count)
        default: 0
        }
    }

    private mutating func tallied(_ call: OperatorCall, _ container: StoredValue) -> StoredValue {
        let function = call.function
        if function == .count, case .array(let array) = container { return .int(Int64(array.elements.count)) }
        var tally = Tally()
        forEachValue(call, in: container) { value in
            tally.elements += 1
            if function != .count { tally.add(value) }
        }
        return tally.value(of: function)
    }

    /// The minimum or maximum; the first one of equal numbers.
    private mutating func extreme(_ call: OperatorCall, _ container: StoredValue) -> StoredValue {
        var best = StoredValue.null
        forEachValue(call, in: container) { found in
            if found.isNumber, best.isNull || call.prefers(found, to: best) { best = found }
        }
        return best
    }

    private mutating func values(
        _ call: OperatorCall,
        _ container: StoredValue
    ) -> ContiguousArray<StoredValue> {
        var values: ContiguousArray<StoredValue> = []
        forEachValue(call, in: container) { if !$0.isNull { values.append($0) } }
        return values
    }

    private func distinct(_ values: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
        var kept: ContiguousArray<StoredValue> = []
        var index = HashIndex<StoredValue>()
        index.reserve(values.count)
        for value in values {
            let hash = value.hash(seed: seed)
            if index.find(hash, { kept[$0.index].equals(value) }) != nil { continue }
            index.insert(hash, ID(index: kept.count))
            kept.append(value)
        }
        return kept
    }

    /// Calls `body` with the value at the operator's path in each element of an array, or in each strong property of a model.
    private mutating func forEachValue(
        _ call: OperatorCall,
        in container: StoredValue,
        _ body: (StoredValue) -> Void
    ) {
        switch container {
        case .array(let array):
            for element in array.elements { body(value(of: element, at: call.keyPath)) }
        case .model(let model):
            var id = models[model].first
            while id != .noRecord {
                if !properties[id].isWeak { body(value(of: properties[id].value, at: call.keyPath)) }
                id = properties[id].next
            }
        default: break
        }
    }

    mutating func value(of element: StoredValue, at keyPath: [NameID]) -> StoredValue {
        effort.count(1)
        effort.evaluations &+= 1
        var value = element
        for name in keyPath { value = child(named: name, of: value) }
        return value.kept
    }

    /// The value of the property or element of that name; text is borrowed.
    func child(named name: NameID, of value: StoredValue) -> StoredValue {
        switch value {
        case .model(let model): property(model, name).map { properties[$0].slot } ?? .absent
        case .array(let array): names.text(name).arrayIndex.map(array.element) ?? .absent
        default: .absent
        }
    }
}
