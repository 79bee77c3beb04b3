// SPDX-License-Identifier: MIT
// Checks references that become weak or strong: something must hold each model, and no cycle may close.

struct PlannedReference {
    let property: PropertyID
    let target: ModelID
    let declared: Declared
}

extension TypePlanner {
    mutating func checkReferences() {
        let gone = Set(weakened.map(\.property))
        var holders: [ModelID: [ModelID]] = [:]
        for reference in strengthened {
            let holder = tree.records.properties[reference.property].model
            if reaches(reference.target, from: holder, holders, except: gone) {
                refuse(reference, "a strong reference would close a cycle")
            } else {
                holders[reference.target, default: []].append(holder)
            }
        }
        var left: [ModelID: Int] = [:]
        for reference in weakened {
            left[
                reference.target,
                default: Int(tree.records.models[reference.target].strongReferences)
                    + (holders[reference.target]?.count ?? 0)
            ] -= 1
        }
        for reference in weakened where left[reference.target] ?? 0 < 1 {
            refuse(reference, "a weak reference would not keep its model alive, and nothing else does")
        }
    }

    private mutating func refuse(_ reference: PlannedReference, _ why: String) {
        let id = reference.property
        let initial = initialText(of: id)
        let advice = "assign another value first, or start with --adapt, which resets it to \(initial)"
        addMisfit("\(owner(id).text) is reset to \(initial)") {
            $0.misfit(id, "\(why)\($0.formerly(id))", advice)
        }
        reset(id, reference.declared)
    }

    /// Whether strong references lead from `target` to `model`, so that a further one back would close a cycle.
    private func reaches(
        _ target: ModelID,
        from model: ModelID,
        _ added: [ModelID: [ModelID]],
        except weakened: Set<PropertyID>
    ) -> Bool {
        var seen: Set<ModelID> = [model]
        var open = [model]
        while let next = open.popLast() {
            if next == target { return true }
            var holders = added[next] ?? []
            tree.records.forEachStrongReferrer(of: next) {
                if !weakened.contains($0) { holders.append(tree.records.properties[$0].model) }
            }
            for holder in holders where seen.insert(holder).inserted { open.append(holder) }
        }
        return false
    }
}
