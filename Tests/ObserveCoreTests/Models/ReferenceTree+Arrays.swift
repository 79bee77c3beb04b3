// SPDX-License-Identifier: MIT
// Arrays of the oracle with one element inserted, replaced or removed.

@testable import ObserveCore

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

    // MARK: Inserting

    func insert(_ names: [String], _ draft: Draft, at index: Int) throws {
        try refuseReserved(names)
        let place = place(names)
        if case .broken(let component, let isScalar) = place {
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        }
        let found = walk(names).values[names.count - 1]
        guard case .array(let elements) = found else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(names[...]))
        }
        guard index <= elements.count else { throw RefError(kind: .notFound, path: dotted(names[...])) }
        let new = draft.value(at: revision + 1)
        switch place {
        case .property(let model, let name): insert(model, name, [index], new)
        case .element(let model, let name, let indices): insert(model, name, indices + [index], new)
        case .missingElement, .broken: throw RefError(kind: .notFound, path: dotted(names[...]))
        }
    }

    private func insert(_ model: RefModel, _ name: String, _ indices: [Int], _ new: RefValue) {
        guard let known = model.index(name) else { return }
        let marked = mark(model, name)
        model.properties[known].value = inserted(model.properties[known].value, indices[...], new)
        model.properties[known].revision = revision + 1
        marks[marked].edits.append(
            RefEdit(
                path: Array(indices.dropLast()),
                index: indices[indices.count - 1],
                kind: .insertion,
                old: .absent,
                new: new
            )
        )
        hasChanged = true
    }
}
