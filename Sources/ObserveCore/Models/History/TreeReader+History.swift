// SPDX-License-Identifier: MIT
// The door through which other layers read the past commits. Independent of their purpose.

/// A commit of the history, with its entries.
struct KeptCommit {
    let revision: UInt64
    let author: CommitAuthor
    let touches: [PastTouch]
    let orderChanges: [OrderChange]
    let released: [ModelID]
}

extension TreeReader {
    /// The newest commits that a ``TreeBuilder`` can restore, oldest first, the revision before them, and
    /// ``History/typeRevision``. A commit with several edits of one array, or one that brought models back, can't be restored, and
    /// neither can the commits before it.
    func keptCommits() -> (commits: [KeptCommit], horizon: UInt64, types: UInt64) {
        var commits: [KeptCommit] = []
        var horizon = tree.history.horizon
        var position = HistoryPosition(
            touch: tree.history.touches.first,
            orderChange: tree.history.orderChanges.first,
            released: tree.history.released.first,
            restored: tree.history.restored.first
        )
        for number in tree.history.commits.first..<tree.history.commits.end {
            let commit = tree.history.commits[number]
            let touches = (0..<Int(commit.touches)).map { tree.history.touches[position.touch + $0] }
            let orders = (0..<Int(commit.orderChanges))
                .map { tree.history.orderChanges[position.orderChange + $0] }
            let released = (0..<Int(commit.released)).map { tree.history.released[position.released + $0] }
            position.touch += touches.count
            position.orderChange += orders.count
            position.released += released.count
            guard commit.restored == 0, touches.allSatisfy(\.isSimple) else {
                commits.removeAll()
                horizon = commit.revision
                continue
            }
            commits.append(
                KeptCommit(
                    revision: commit.revision,
                    author: tree.history.authors[commit.author],
                    touches: touches,
                    orderChanges: orders,
                    released: released
                )
            )
        }
        return (commits, horizon, tree.history.typeRevision)
    }

    /// The value of a released model's property.
    func releasedValue(of id: PropertyID) -> (value: StoredValue, isWeak: Bool) {
        (tree.records.properties[id].slot, tree.records.properties[id].isWeak)
    }
}

extension PastTouch {
    fileprivate var isSimple: Bool {
        if case .several = edits { return false }
        return elementCauses == nil
    }
}
