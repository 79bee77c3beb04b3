// SPDX-License-Identifier: MIT
// The oracle's conditions of writes, after the protocol. Writes nothing.

@testable import ObserveCore

extension ReferenceTree {
    func check(_ condition: RefCondition?, _ names: [String]) throws {
        guard let condition else { return }
        let found = value(at: names)
        if let revision = condition.revision, lastChange(names) > revision { throw conflict(names, found) }
        if let value = condition.value, !found.matches(value) { throw conflict(names, found) }
    }

    private func conflict(_ names: [String], _ found: RefValue) -> RefError {
        RefError(
            kind: .conflict,
            path: dotted(names[...]),
            found: #""value":\#(found.json),"revision":\#(revision)"#
        )
    }

    /// The latest commit that assigned a component of the path, or anything that its value renders. For a missing
    /// value, its removal from its model.
    func lastChange(_ names: [String]) -> UInt64 {
        let walk = walk(names)
        var latest: UInt64 = 0
        for component in 0..<names.count {
            guard let owner = walk.owners[component] else { continue }
            guard let known = owner.index(names[component]) else {
                latest = max(latest, owner.removals[names[component]] ?? 0)
                break
            }
            latest = max(latest, owner.properties[known].revision)
        }
        for model in walk.last.models { latest = max(latest, lastChange(inside: model)) }
        return latest
    }

    private func lastChange(inside model: RefModel) -> UInt64 {
        var latest = model.removals.values.max() ?? 0
        for property in model.properties where template(model, property.name) == nil {
            latest = max(latest, property.revision)
            guard !property.isWeak else { continue }
            for inner in property.value.models { latest = max(latest, lastChange(inside: inner)) }
        }
        return latest
    }
}
