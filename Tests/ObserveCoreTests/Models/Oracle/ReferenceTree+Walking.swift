// SPDX-License-Identifier: MIT
// Walks along paths in the reference tree, one component after another.

@testable import ObserveCore

extension ReferenceTree {
    func arrayIndex(_ name: String) -> Int? {
        guard let index = Int(name), index >= 0, String(index) == name else { return nil }
        return index
    }

    func walk(_ names: [String]) -> RefWalk {
        var walk = RefWalk()
        var value = RefValue.model(root)
        for name in names {
            var owner: RefModel?
            switch value {
            case .model(let model):
                owner = model
                value = model.value(name)
            case .array(let elements):
                let index = arrayIndex(name) ?? elements.count
                value = index < elements.count ? elements[index] : .absent
            default: value = .absent
            }
            walk.values.append(value)
            walk.owners.append(owner)
        }
        return walk
    }

    func value(at names: [String]) -> RefValue { names.isEmpty ? .model(root) : walk(names).last }

    func place(_ names: [String]) -> RefPlace {
        let walk = walk(names)
        let last = names.count - 1
        for component in 0..<last where !walk.values[component].isContainer {
            return .broken(component, isScalar: !walk.values[component].isNull)
        }
        var component = last
        var indices: [Int] = []
        while walk.owners[component] == nil {
            guard let index = arrayIndex(names[component]) else { return .missingElement }
            indices.insert(index, at: 0)
            component -= 1
        }
        guard let owner = walk.owners[component] else { return .missingElement }
        if indices.isEmpty { return .property(owner, names[component]) }
        if case .array(let elements) = last == 0 ? .absent : walk.values[last - 1],
            indices[indices.count - 1] < elements.count
        {
            return .element(owner, names[component], indices)
        }
        return .missingElement
    }
}

extension RefWalk {
    var last: RefValue { values[values.count - 1] }

    /// The first component before the last that is null, or a scalar with a further component.
    var broken: Int? { values.dropLast().firstIndex { !$0.isContainer } }
}
