// SPDX-License-Identifier: MIT
// When a conditional write may happen, by the contract's words. Writes nothing.

@testable import ObserveCore

extension ReferenceTree {
    func check(_ condition: RefCondition) throws {
        let path = dotted(condition.names[...])
        if let revision = condition.revision, lastChange(condition.names) > revision {
            throw RefError(kind: .conflict, path: path)
        }
        if let value = condition.value,
            !walk(condition.names).values[condition.names.count - 1].matches(value)
        {
            throw RefError(kind: .conflict, path: path)
        }
    }

    /// The latest commit that assigned a component of the path, or anything that its value renders; of what is absent
    /// no more is known than the latest removal from its model.
    func lastChange(_ names: [String]) -> UInt64 {
        let walk = walk(names)
        var latest: UInt64 = 0
        for component in 0..<names.count {
            guard let owner = walk.owners[component] else { continue }
            guard let known = owner.index(names[component]) else {
                latest = max(latest, owner.removalRevision)
                break
            }
            latest = max(latest, owner.properties[known].revision)
        }
        for model in walk.values[names.count - 1].models { latest = max(latest, lastChange(inside: model)) }
        return latest
    }

    private func lastChange(inside model: RefModel) -> UInt64 {
        var latest = model.removalRevision
        for property in model.properties {
            latest = max(latest, property.revision)
            guard !property.isWeak else { continue }
            for inner in property.value.models { latest = max(latest, lastChange(inside: inner)) }
        }
        return latest
    }
}
