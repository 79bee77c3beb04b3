// SPDX-License-Identifier: MIT
// Arrays of the oracle with one element inserted, replaced or removed. Knows nothing of who holds them.

extension ReferenceTree {
    func inserted(_ value: RefValue, _ indices: ArraySlice<Int>, _ new: RefValue) -> RefValue {
        guard case .array(var elements) = value, let index = indices.first else { return value }
        if indices.count > 1 {
            elements[index] = inserted(elements[index], indices.dropFirst(), new)
        } else {
            elements.insert(new, at: index)
        }
        return .array(elements)
    }

    func edited(
        _ value: RefValue,
        _ indices: ArraySlice<Int>,
        _ new: RefValue?,
        _ old: inout RefValue
    ) -> RefValue {
        guard case .array(var elements) = value, let index = indices.first else { return value }
        if indices.count > 1 {
            elements[index] = edited(elements[index], indices.dropFirst(), new, &old)
        } else {
            old = elements[index]
            if let new { elements[index] = new } else { elements.remove(at: index) }
        }
        return .array(elements)
    }
}
