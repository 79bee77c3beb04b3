// SPDX-License-Identifier: MIT
// Finds the last change of a property, and its origin in the history. Changes nothing.

extension AssigningTree {
    /// The last change of a present property; its origin is nil if the commit is not in the history. For a computed property: the
    /// last commit in which its value differed.
    func lastChange(of id: PropertyID) -> (revision: UInt64, origin: ValueOrigin?) {
        let revision = records.properties[id].revision
        return (revision, history.origin(of: id, at: revision, records.horizon))
    }

    /// The origin of the property's present value, also within the commit that assigned it; nil if it is unknown.
    func presentOrigin(of id: PropertyID) -> ValueOrigin? {
        if records.properties[id].slot.isAbsent { return nil }
        let touched = Int(records.properties[id].touch)
        if touched != 0, pending.touches[touched - 1].isChanged {
            return ValueOrigin(author: pending.author, cause: pending.touches[touched - 1].cause)
        }
        return lastChange(of: id).origin
    }
}

extension History {
    /// The origin of the property's change in the commit of that revision; nil if the history lacks it. Scans its touches.
    func origin(of property: PropertyID, at revision: UInt64, _ horizon: UInt64) -> ValueOrigin? {
        guard let commit = commit(of: revision, horizon) else { return nil }
        let touch = touches(of: commit).first(where: {
            touches[$0].property == property && touches[$0].isChanged
        })
        // Properties of a model that the commit made have no touches.
        let cause = touch.map { touches[$0].cause } ?? .writer
        return ValueOrigin(author: authors[commits[commit].author], cause: cause)
    }
}
