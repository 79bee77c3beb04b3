// SPDX-License-Identifier: MIT
// Finds whether a strong reference would close a cycle. Independent of who makes it.

extension AssigningTree {
    /// Whether `ancestor` is `model`, or reaches it by strong references: one from `model` to `ancestor` would close a cycle. Nil
    /// if `isBounded`, and if the request or commit would look at too many references.
    func reaches(_ ancestor: ModelID, _ model: ModelID, isBounded: Bool) -> Bool? {
        var model = model
        while model != ancestor {
            let holder = records.models[model].holder
            if holder == .noRecord { return false }
            if records.models[model].strongReferences > 1 {
                return search(from: model, to: [ancestor], isBounded: isBounded)
            }
            model = records.properties[holder].model
            records.effort.count(1)
        }
        return true
    }

    /// Whether strong references from `model` to any of the ancestors, which share one search, would close a cycle; nil if the
    /// search would look at too many references.
    func reaches(anyOf ancestors: [ModelID], _ model: ModelID, isBounded: Bool = true) -> Bool? {
        guard let first = ancestors.first else { return false }
        if ancestors.count == 1 { return reaches(first, model, isBounded: isBounded) }
        return ancestors.contains(model) ? true : search(from: model, to: ancestors, isBounded: isBounded)
    }

    /// Whether strong references lead from the model back to it. Ends even if there are other cycles.
    func holdsItself(_ model: ModelID) -> Bool {
        var above = model
        var steps = 0
        while records.models[above].strongReferences < 2, steps <= records.models.allocatedCount {
            let holder = records.models[above].holder
            if holder == .noRecord { return false }
            above = records.properties[holder].model
            if above == model { return true }
            steps += 1
        }
        return search(from: above, to: [model], isBounded: false) ?? true
    }

    /// Models that the search has found from one end.
    private struct Side {
        var open: [ModelID]
        var seen: Set<ModelID>
        /// How many references it has looked at.
        var steps = 0

        init(_ models: [ModelID]) { (open, seen) = (models, Set(models)) }

        mutating func note(_ model: ModelID) { if seen.insert(model).inserted { open.append(model) } }
    }

    /// Whether holders lead from `model` up to one of the ancestors, in one step or more.
    ///
    /// Climbs from `model` and descends from the ancestors, always where it has looked at less: either may lead to most of the
    /// tree, but seldom both do.
    private func search(from model: ModelID, to ancestors: [ModelID], isBounded: Bool) -> Bool? {
        var next = PropertyID.noRecord
        var (climb, descent) = (Side([model]), Side(ancestors))
        records.effort.count(4 &* (ancestors.count - 1))
        var isMet = false
        while let lowest = climb.open.last {
            while next == .noRecord {
                guard let found = descent.open.popLast() else { return false }
                next = records.models[found].first
            }
            let (up, down) = (Int(records.models[lowest].strongReferences), looks(below: next))
            let climbs = climb.steps + up <= descent.steps + down
            guard mayLook(at: climbs ? up : down, isBounded) else { return nil }
            let known = climb.seen.count + descent.seen.count
            if climbs {
                _ = climb.open.popLast()
                climb.steps += up
                records.forEachStrongReferrer(of: lowest) {
                    let above = records.properties[$0].model
                    isMet = isMet || descent.seen.contains(above)
                    climb.note(above)
                }
            } else {
                descent.steps += down
                stacks.byProperty.forEachModel(heldBy: next, in: records) {
                    isMet = isMet || climb.seen.contains($0)
                    descent.note($0)
                }
                next = records.properties[next].next
            }
            if isMet { return true }
            let new = climb.seen.count + descent.seen.count - known
            guard mayLook(at: AssigningTree.modelLooks * new, isBounded) else { return nil }
        }
        return false
    }

    /// A new model takes about as long as that many properties.
    private static var modelLooks: Int { 4 }

    /// How much a search below the property looks at: one, and arrays and shadowed values by their memory, 16 bytes an element.
    private func looks(below id: PropertyID) -> Int {
        var count = 1
        if case .array(let array) = records.properties[id].slot, !array.isPlain {
            count += array.byteCount >> 4
        }
        if records.properties[id].flags.contains(.isStacked), let stack = stacks.byProperty[id] {
            count += stack.byteCount >> 4
        }
        return count
    }

    private func mayLook(at elements: Int, _ isBounded: Bool) -> Bool {
        if isBounded { return records.effort.look(at: elements) }
        records.effort.count(4 &* elements)
        return true
    }
}
