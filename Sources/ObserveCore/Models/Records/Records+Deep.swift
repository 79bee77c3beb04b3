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

    /// Calls `body` with each property that holds the model strongly, in a shadowed value too. It skips weak
    /// properties: one may hold the model only in a shadowed value, and then does not lead to it.
    func forEachStrongHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        let (first, other) = (models[model].holder, models[model].otherHolder)
        if first != .noRecord, !properties[first].isWeak { body(first) }
        guard models[model].strongReferences > 1 else { return }
        var others = [other]
        furtherHolders.forEach(of: model) { if $0 != other { others.append($0) } }
        others.sort()
        for holder in others where holder != first && !properties[holder].isWeak { body(holder) }
    }

    func strongHolders(of model: ModelID) -> [PropertyID] {
        var holders: [PropertyID] = []
        forEachStrongHolder(of: model) { holders.append($0) }
        return holders
    }
}
