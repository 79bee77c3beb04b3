// SPDX-License-Identifier: MIT
// Counts what a pattern would match, before the tree makes a node for it. Changes nothing.

/// A model, and the component of a pattern that its properties have to match.
private struct CountedPlace: Hashable {
    let model: ModelID
    let component: Int
}

/// The count of what a pattern would match. Models that many paths share are counted once for each component.
private struct MatchCount {
    let components: [PatternComponent]
    /// Beyond it, a count is not exact.
    let limit: Int
    var known: [CountedPlace: Int] = [:]
    /// How many wildcards were counted: each is one match at least.
    var visits = 0

    /// Whether the pattern needs nothing of a path that matches the components before.
    func isEnd(_ component: Int) -> Bool {
        guard component < components.count else { return true }
        if case .anyDepth = components[component] { return true }
        return false
    }
}

extension ModelTree {
    /// What a new pattern would have as ``PatternRecord/size``, not exact if it is beyond ``TreeLimits/maxMatches``.
    ///
    /// - Cost: in proportion to the models and to the limit at most, whatever the size is.
    func size(of pattern: [PatternComponent]) -> Int {
        var count = MatchCount(components: pattern, limit: limits.maxMatches)
        return matches(0, at: .model(records.root), &count)
    }

    private func matches(_ component: Int, at value: StoredValue, _ count: inout MatchCount) -> Int {
        if count.isEnd(component) { return 1 }
        switch count.components[component] {
        case .derived, .anyDepth: return 1
        case .name(let name): return matches(component + 1, at: child(named: name, of: value), &count)
        case .anyName:
            guard case .model(let model) = value else { return matchesBelow(component, value, &count) }
            let place = CountedPlace(model: model, component: component)
            if let known = count.known[place] { return known }
            let total = matchesBelow(component, value, &count)
            count.known[place] = total
            return total
        }
    }

    /// The wildcard, and what the pattern matches at the properties or elements.
    private func matchesBelow(_ component: Int, _ value: StoredValue, _ count: inout MatchCount) -> Int {
        count.visits += 1
        if count.visits > count.limit { return count.limit + 1 }
        let isLast = count.isEnd(component + 1)
        var total = 1
        switch value {
        case .model(let model) where isLast: total += Int(records.models[model].count)
        case .array(let array) where isLast: total += array.elements.count
        case .model(let model):
            var id = records.models[model].first
            while id != .noRecord, total <= count.limit {
                total += matches(component + 1, at: records.properties[id].slot, &count)
                id = records.properties[id].next
            }
        case .array(let array):
            for element in array.elements where total <= count.limit {
                total += matches(component + 1, at: element, &count)
            }
        default: break
        }
        return total
    }

    func child(named name: NameID, of value: StoredValue) -> StoredValue {
        switch value {
        case .model(let model):
            return property(model, name).map { records.properties[$0].slot } ?? .absent
        case .array(let array): return records.names.text(name).arrayIndex.map(array.element) ?? .absent
        default: return .absent
        }
    }
}
