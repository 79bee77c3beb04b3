// SPDX-License-Identifier: MIT
// Why the newest commit changed a property, after the protocol: by following all that was read. No dependencies.

@testable import ObserveCore

/// A property in the chain of reasons.
struct RefReason {
    let owner: RefModel
    let name: String
    /// The members of the step besides its path.
    let manner: Set<String>
    /// Whether another property that the same model lost may stand here.
    var isOneOfMany = false
}

extension ReferenceTree {
    /// The property on the path that changed last; nil if none exists.
    func lastChanged(on names: [String]) -> (owner: RefModel, property: RefProperty)? {
        var last: (owner: RefModel, property: RefProperty)?
        let walk = walk(names)
        for (owner, name) in zip(walk.owners, names) {
            guard let owner, let index = owner.index(name) else { continue }
            if last.map({ owner.properties[index].revision > $0.property.revision }) ?? true {
                last = (owner, owner.properties[index])
            }
        }
        return last
    }

    /// The reasons for the change of that property in the newest commit.
    func reasons(_ owner: RefModel, _ name: String) -> [RefReason] {
        var reasons: [RefReason] = []
        var seen: Set<RefSlot> = []
        var next: (owner: RefModel, name: String, isOneOfMany: Bool)? = (owner, name, false)
        while let (owner, name, isOneOfMany) = next, reasons.count < 64 {
            seen.insert(RefSlot(owner, name))
            reasons.append(
                RefReason(owner: owner, name: name, manner: manner(owner, name), isOneOfMany: isOneOfMany)
            )
            next = nil
            for read in inputs(owner, name) where next == nil {
                let names = read.name.map { [$0] } ?? read.owner.removals.keys.sorted()
                let changed = names.filter {
                    isChanged(read.owner, $0) && !seen.contains(RefSlot(read.owner, $0))
                }
                if let first = changed.first { next = (read.owner, first, changed.count > 1) }
            }
        }
        return reasons
    }

    private func isChanged(_ owner: RefModel, _ name: String) -> Bool {
        guard let index = owner.index(name) else { return owner.removals[name] == revision }
        return owner.properties[index].revision == revision
    }

    private func manner(_ owner: RefModel, _ name: String) -> Set<String> {
        if template(owner, name) != nil { return [#","computed":true"#] }
        guard let index = owner.index(name) else { return [""] }
        let property = owner.properties[index]
        if let binding = property.binding { return [#","binding":\#(binding)"#] }
        guard property.isWeak, property.value.isNull else { return [""] }
        // A request may have set it to null.
        return ["", #","released":true"#]
    }

    private typealias Read = (owner: RefModel, name: String?)

    private func inputs(_ owner: RefModel, _ name: String) -> [Read] {
        var found: [Read] = []
        if let parts = template(owner, name)?.computed?.parts {
            for path in parts.flatMap(\.namedPaths) {
                read(.model(owner), path.names, path.observedOperator, &found)
            }
        } else if let index = owner.index(name), let number = owner.properties[index].binding,
            let binding = bindings.first(where: { $0.number == number })
        {
            let target = walk(binding.target)
            let last = target.owners.lastIndex { $0 != nil }
            let isTarget = last.map { target.owners[$0] === owner && binding.target[$0] == name } ?? false
            if binding.isTwoWay, !isTarget || target.broken != nil {
                read(.model(root), binding.target, nil, &found)
            } else {
                read(.model(root), binding.source, binding.observedOperator, &found)
            }
        }
        return found
    }

    private func read(
        _ start: RefValue,
        _ names: [String],
        _ observedOperator: (function: CollectionOperator, names: [String])?,
        _ found: inout [Read]
    ) {
        var value = start
        for name in names {
            if case .model(let model) = value { found.append((model, name)) }
            value = self.value(value, [name])
        }
        guard let observedOperator else { return }
        switch value {
        case .array(let elements):
            for element in elements { read(element, observedOperator.names, nil, &found) }
        case .model(let model):
            found.append((model, nil))
            for property in model.properties where !property.isWeak {
                found.append((model, property.name))
                read(property.value, observedOperator.names, nil, &found)
            }
        default: break
        }
    }
}
