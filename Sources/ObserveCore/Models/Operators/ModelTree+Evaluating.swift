// SPDX-License-Identifier: MIT
// Computes the value of a collection operator over a container. Assigns nothing.

extension ModelTree {
    /// Computes the operator's value over the container, and its tally if the function has one.
    func evaluate(_ observedOperator: ObservedOperator, over container: StoredValue) -> StoredValue {
        observedOperator.isKept = false
        guard container.isContainer else { return .null }
        if observedOperator.canTally {
            observedOperator.tally = Tally()
            forEachElement(of: container) { element in
                observedOperator.tally.elements += 1
                if observedOperator.function != .count {
                    observedOperator.tally.add(value(of: element, at: observedOperator.keyPath), times: 1)
                }
            }
            let isExact = observedOperator.tally.doubles == 0
            observedOperator.isKept = isExact && operators.adjustsValues
            if isExact { return tallied(observedOperator) }
        } else if observedOperator.function == .min || observedOperator.function == .max {
            observedOperator.isKept = operators.adjustsValues
            return extreme(observedOperator, container)
        }
        return evaluateInOrder(observedOperator, over: container)
    }

    /// The operator's value according to its tally.
    func tallied(_ observedOperator: ObservedOperator) -> StoredValue {
        let tally = observedOperator.tally
        switch observedOperator.function {
        case .count: return .int(Int64(tally.elements))
        case .avg: return tally.numbers == 0 ? .null : .double(Double(tally.total) / Double(tally.numbers))
        default: return Int64(exactly: tally.total).map(StoredValue.int) ?? .double(Double(tally.total))
        }
    }

    func evaluateInOrder(_ observedOperator: ObservedOperator, over container: StoredValue)
        -> StoredValue
    {
        var values: ContiguousArray<StoredValue> = []
        forEachElement(of: container) { element in
            let found = value(of: element, at: observedOperator.keyPath)
            if !found.isNull { values.append(found) }
        }
        switch observedOperator.function {
        case .sum, .avg:
            let sum = values.reduce(0.0) { $0 + ($1.number ?? 0) }
            let count = values.lazy.filter { $0.number != nil }.count
            let result = observedOperator.function == .sum ? sum : sum / Double(count)
            return result.isFinite ? .double(result) : .null
        case .distinctUnionOfObjects: return .array(StoredArray(distinct(values)))
        case .count, .min, .max, .unionOfObjects: return .array(StoredArray(values))
        }
    }

    /// The minimum or maximum; the first one of equal numbers.
    func extreme(_ observedOperator: ObservedOperator, _ container: StoredValue) -> StoredValue {
        var best = StoredValue.null
        forEachElement(of: container) { element in
            let found = value(of: element, at: observedOperator.keyPath)
            if found.isNumber, best.isNull || observedOperator.prefers(found, to: best) { best = found }
        }
        return best
    }

    func distinct(_ values: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
        var kept: ContiguousArray<StoredValue> = []
        var seen: [UInt64: [Int]] = [:]
        for value in values {
            let hash = hash(of: value)
            if seen[hash]?.contains(where: { kept[$0].equals(value) }) == true { continue }
            seen[hash, default: []].append(kept.count)
            kept.append(value)
        }
        return kept
    }

    /// A hash that is equal for equal values. Recursion is as deep as arrays nest, which the tree bounds.
    func hash(of value: StoredValue) -> UInt64 {
        switch value {
        case .absent, .null: 0
        case .bool(let bool): bool ? 1 : 2
        case .int(let int): UInt64(bitPattern: int) &* 0x9E37_79B9_7F4A_7C15
        case .double(let double):
            Numbers.exactInt64(double).map { UInt64(bitPattern: $0) &* 0x9E37_79B9_7F4A_7C15 }
                ?? double.bitPattern
        case .string(let string): string.hash(seed: records.seed)
        case .text(let text): text.view.hash(seed: records.seed)
        case .array(let array):
            array.elements.reduce(3) { ($0 ^ self.hash(of: $1)) &* 0x9E37_79B9_7F4A_7C15 }
        case .model(let id): UInt64(UInt32(bitPattern: id.number)) &* 0xD6E8_FEB8_6659_FD93
        }
    }

    /// Calls `body` with an array's elements, or with the values of a model's strong properties.
    func forEachElement(of container: StoredValue, _ body: (StoredValue) -> Void) {
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

    /// The value at the operator's path in an element, now or before the open commit.
    func value(of element: StoredValue, at keyPath: [NameID], before isBefore: Bool = false) -> StoredValue {
        var value = element
        for name in keyPath {
            switch value {
            case .model(let model):
                guard let id = property(model, name) else { return .absent }
                value = isBefore ? before(id).kept : records.properties[id].value
            case .array(let array):
                guard let index = records.names.text(name).arrayIndex else { return .absent }
                value = array.element(index)
            default: return .absent
            }
        }
        return value
    }
}
