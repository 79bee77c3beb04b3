// SPDX-License-Identifier: MIT
// Computes the value of a collection operator over a container. Assigns nothing.

extension ModelTree {
    /// Computes the operator's value over the container, from all elements.
    func evaluate(_ call: OperatorCall, over container: StoredValue) -> StoredValue {
        guard container.isContainer else { return .null }
        switch call.function {
        case .count, .sum, .avg: return tallied(call, container)
        case .min, .max: return extreme(call, container)
        case .unionOfObjects: return .array(StoredArray(values(call, container)))
        case .distinctUnionOfObjects:
            return .array(StoredArray(distinct(values(call, container))))
        }
    }

    private func tallied(_ call: OperatorCall, _ container: StoredValue) -> StoredValue {
        let function = call.function
        if function == .count, case .array(let array) = container { return .int(Int64(array.elements.count)) }
        var tally = Tally()
        forEachElement(of: container) { element in
            tally.elements += 1
            if function != .count { tally.add(value(of: element, at: call.keyPath)) }
        }
        return tally.value(of: function)
    }

    /// The minimum or maximum; the first one of equal numbers.
    private func extreme(_ call: OperatorCall, _ container: StoredValue) -> StoredValue {
        var best = StoredValue.null
        forEachElement(of: container) { element in
            let found = value(of: element, at: call.keyPath)
            if found.isNumber, best.isNull || call.prefers(found, to: best) { best = found }
        }
        return best
    }

    private func values(_ call: OperatorCall, _ container: StoredValue)
        -> ContiguousArray<StoredValue>
    {
        var values: ContiguousArray<StoredValue> = []
        forEachElement(of: container) { element in
            let found = value(of: element, at: call.keyPath)
            if !found.isNull { values.append(found) }
        }
        return values
    }

    private func distinct(_ values: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
        var kept: ContiguousArray<StoredValue> = []
        var index = HashIndex<StoredValue>()
        for value in values {
            let hash = value.hash(seed: records.seed)
            if index.find(hash, { kept[$0.index].equals(value) }) != nil { continue }
            index.insert(hash, ID(index: kept.count))
            kept.append(value)
        }
        return kept
    }

    /// Calls `body` with an array's elements, or with the values of a model's strong properties.
    private func forEachElement(of container: StoredValue, _ body: (StoredValue) -> Void) {
        switch container {
        case .array(let array):
            for element in array.elements { body(element) }
        case .model(let model):
            var id = records.models[model].first
            while id != .noRecord {
                if !records.properties[id].isWeak { body(records.properties[id].value) }
                id = records.properties[id].next
            }
        default: break
        }
    }

    /// The value at the operator's path in an element.
    func value(of element: StoredValue, at keyPath: [NameID]) -> StoredValue {
        operators.evaluations &+= 1
        var value = element
        for name in keyPath {
            switch value {
            case .model(let model):
                guard let id = property(model, name) else { return .absent }
                value = records.properties[id].value
            case .array(let array):
                guard let index = records.names.text(name).arrayIndex else { return .absent }
                value = array.element(index)
            default: return .absent
            }
        }
        return value
    }
}
