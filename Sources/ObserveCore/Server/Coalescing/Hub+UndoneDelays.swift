// SPDX-License-Identifier: MIT
// Delayed events of commits that the journal refused. Independent of times and of sockets.

extension Hub {
    /// Makes delayed entries show only the commits before an undone batch.
    func forgetUndone(_ places: [PacedPath]) {
        for place in places {
            if var entry = place.delayed {
                entry.coalesced -= place.unflushedChanges
                entry.revision = min(entry.revision, revision)
                if entry.suffix == nil, place.lastText == nil, !place.pacer.isOver { describeAnew(&entry) }
                place.delayed = entry
            }
            place.unflushedChanges = 0
        }
        for session in sessions.all {
            session.delivery.lastRevision = min(session.delivery.lastRevision, revision)
        }
    }

    /// Describes the present state of the entry's path: the change that the entry describes may be undone.
    private func describeAnew(_ entry: inout OutboxEntry) {
        let tree = tree(of: entry.attachment)
        let node = tree.reader.observer(registry.attachments[entry.attachment].observer).node
        entry.nilAt = tree.brokenAncestor(of: node)
        if entry.reason == .sourceDeleted { entry.reason = .valueChanged }
    }
}
