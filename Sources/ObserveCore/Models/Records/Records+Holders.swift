// SPDX-License-Identifier: MIT
// Strong references to a model, and the strong part of a touched property's values.

extension Records {
    /// The property's values before and after the commit. Weak references count as absent.
    func strongValues(_ touch: Touch) -> (old: StoredValue, new: StoredValue) {
        let property = properties[touch.property]
        return (
            touch.oldFlags.contains(.weak) ? .absent : touch.old, property.isWeak ? .absent : property.slot
        )
    }

    func differsBelow(_ touch: Touch) -> Bool {
        if case .one(let edit) = touch.edits { return !edit.isEqual }
        let (old, new) = strongValues(touch)
        return !old.equals(new)
    }

    /// The property that holds the model strongly and came first, in a shadowed value too; nil if it is weak: it may
    /// hold the model only in a shadowed value, and then does not lead to it.
    @inline(__always)
    func firstStrongHolder(of model: ModelID) -> PropertyID? {
        let first = models[model].holder
        return first != .noRecord && !properties[first].isWeak ? first : nil
    }

    /// The others, lowest number first.
    func furtherStrongHolders(of model: ModelID) -> [PropertyID] {
        guard models[model].strongReferences > 1 else { return [] }
        let (first, other) = (models[model].holder, models[model].otherHolder)
        var others = [other]
        furtherHolders.forEach(of: model) { if $0 != other { others.append($0) } }
        others.sort()
        return others.filter { $0 != first && !properties[$0].isWeak }
    }

    func strongHolders(of model: ModelID) -> [PropertyID] {
        (firstStrongHolder(of: model).map { [$0] } ?? []) + furtherStrongHolders(of: model)
    }
}
