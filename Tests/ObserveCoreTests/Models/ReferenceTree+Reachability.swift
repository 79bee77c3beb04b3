// SPDX-License-Identifier: MIT
// Which models of the oracle's tree the roots reach, found anew each time. Counts nothing.

@testable import ObserveCore

extension ReferenceTree {
    /// All models that strong references lead to from `start`, itself included, that this search has not seen.
    func collect(_ start: RefModel) -> [RefModel] {
        var found = [start]
        start.mark = search
        var next = 0
        while next < found.count {
            for property in found[next].properties where !property.isWeak && property.value.isContainer {
                for model in property.value.models where model.mark != search {
                    model.mark = search
                    found.append(model)
                }
            }
            next += 1
        }
        return found
    }

    /// A weak reference to a model that no root reaches becomes null.
    func nullDeadReferences() {
        search += 1
        let reached = collect(root)
        models = Array(reached.dropFirst())
        for owner in reached {
            for index in 0..<owner.properties.count where owner.properties[index].isWeak {
                guard let model = owner.properties[index].value.model, model.mark != search else { continue }
                marks[mark(owner, owner.properties[index].name)].isAssigned = true
                owner.properties[index].value = .null
                owner.properties[index].revision = revision + 1
            }
        }
    }
}
