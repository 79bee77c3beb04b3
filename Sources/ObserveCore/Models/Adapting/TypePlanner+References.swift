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
        let isAboveCycle = modelsAboveCycles(except: gone)
        var holders: [ModelID: [ModelID]] = [:]
        for reference in strengthened {
            let holder = holder(of: reference)
            if isAboveCycle[reference.target.index],
                reaches(reference.target, from: holder, holders, except: gone)
            {
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

    private func holder(of reference: PlannedReference) -> ModelID {
        tree.records.properties[reference.property].model
    }

    /// For each model's number, whether it is in a cycle of the strong references that the plan wants, or leads to one; empty if
    /// no reference becomes strong. Without a cycle, no reference takes a search of its own.
    private func modelsAboveCycles(except weakened: Set<PropertyID>) -> [Bool] {
        if strengthened.isEmpty { return [] }
        var held = [Int](repeating: 0, count: types.count)
        var added: [ModelID: [ModelID]] = [:]
        for reference in strengthened { added[reference.target, default: []].append(holder(of: reference)) }
        let models = tree.records.modelsInUse
        for model in models {
            for holder in holders(of: model, added, except: weakened) { held[holder.index] += 1 }
        }
        var free = models.filter { held[$0.index] == 0 }
        while let model = free.popLast() {
            for holder in holders(of: model, added, except: weakened) {
                held[holder.index] -= 1
                if held[holder.index] == 0 { free.append(holder) }
            }
        }
        return held.map { $0 > 0 }
    }

    /// The models with strong references to the model, present and added ones.
    private func holders(
        of model: ModelID,
        _ added: [ModelID: [ModelID]],
        except weakened: Set<PropertyID>
    ) -> [ModelID] {
        var holders = added[model] ?? []
        tree.records.forEachStrongReferrer(of: model) {
            if !weakened.contains($0) { holders.append(tree.records.properties[$0].model) }
        }
        return holders
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
            for holder in holders(of: next, added, except: weakened) where seen.insert(holder).inserted {
                open.append(holder)
            }
        }
        return false
    }
}
