// SPDX-License-Identifier: MIT
// Counts what a pattern would match, before the tree makes a node for it. Changes nothing.

/// Models that many paths share are counted once for each component.
private struct MatchCount {
    let components: [PatternComponent]
    let lastWildcard: Int
    /// What the pattern matches at a model, by the component that the model's properties have to match.
    var known: [Int: [ModelID: PatternSize]] = [:]
}

extension ObservingTree {
    /// What one pattern may need at most.
    var patternLimit: PatternSize { PatternSize(matches: limits.maxMatches, places: limits.maxElements) }

    /// What a new pattern would need; not exact beyond ``patternLimit``, so that a large one costs no more to count.
    func needs(of pattern: [PatternComponent]) -> PatternSize {
        var count = MatchCount(components: pattern, lastWildcard: pattern.lastWildcard)
        return matches(0, at: .model(records.root), &count)
    }

    private func matches(_ component: Int, at value: StoredValue, _ count: inout MatchCount) -> PatternSize {
        if component > count.lastWildcard { return PatternSize(matches: 1) }
        guard records.effort.look(at: 1) else { return PatternSize(places: patternLimit.places + 1) }
        switch count.components[component] {
        case .derived, .anyDepth: return PatternSize(matches: 1)
        case .name(let name): return matches(component + 1, at: child(named: name, of: value), &count)
        case .anyName(where: let condition):
            guard case .model(let model) = value else {
                return matchesBelow(component, where: condition, value, &count)
            }
            if let known = count.known[component]?[model] { return known }
            let total = matchesBelow(component, where: condition, value, &count)
            count.known[component, default: [:]][model] = total
            return total
        }
    }

    /// The wildcard's place, and what the pattern matches at the properties or elements.
    private func matchesBelow(
        _ component: Int,
        where condition: NameID,
        _ value: StoredValue,
        _ count: inout MatchCount
    ) -> PatternSize {
        var total = PatternSize(places: 1)
        if condition != .noRecord {
            total.places += records.elementCount(of: value) &* conditionSize(condition).places
        }
        if component == count.lastWildcard {
            total.matches = records.elementCount(of: value)
            return total
        }
        switch value {
        case .model(let model):
            var id = records.models[model].first
            while id != .noRecord, total.fits(patternLimit) {
                let child = selected(records.properties[id].slot, where: condition)
                total = total + matches(component + 1, at: child, &count)
                id = records.properties[id].next
            }
        case .array(let array):
            for element in array.elements where total.fits(patternLimit) {
                total = total + matches(component + 1, at: selected(element, where: condition), &count)
            }
        default: break
        }
        return total
    }

    /// What a pattern's condition, given by its text, needs at each value that its wildcard matches: a place for itself, whose
    /// name has the text, and an update whenever an input changes. With eight, a commit that changes as many conditions as the
    /// limits permit keeps others waiting for 35 ms.
    func conditionSize(_ condition: NameID) -> PatternSize {
        PatternSize(places: 12 + records.names.text(condition).count / 16)
    }

    func child(named name: NameID, of value: StoredValue) -> StoredValue {
        if records.isSelection(named: name) {
            return value.isContainer ? peek(template(named: name), in: value) : .absent
        }
        return records.child(named: name, of: value)
    }
}
