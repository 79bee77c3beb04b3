// SPDX-License-Identifier: MIT
// Finds the last change of a property, and its origin in the history. Changes nothing.

extension AssigningTree {
    /// The last change of a present property. For a computed property: the last commit in which its value differed.
    func lastChange(of id: PropertyID) -> LastChange {
        let revision = records.properties[id].revision
        return LastChange(revision: revision, origin: history.origin(of: id, at: revision, records.horizon))
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
    /// The origin of the property's change in the commit of that revision; nil if the history lacks the commit.
    ///
    /// - Parameter horizon: ``Records/horizon``.
    /// - Cost: proportional to the commit's changes.
    func origin(of property: PropertyID, at revision: UInt64, _ horizon: UInt64) -> ValueOrigin? {
        guard revision > 0, let first = firstCommit(after: revision - 1, horizon), first < commits.end,
            commits[first].revision == revision
        else { return nil }
        let author = authors[commits[first].author]
        for index in start(of: first).touch..<commits[first].end.touch
        where touches[index].property == property && touches[index].isChanged {
            return ValueOrigin(author: author, cause: touches[index].cause)
        }
        // Properties of a model that the commit made have no touches.
        return ValueOrigin(author: author, cause: .writer)
    }
}
