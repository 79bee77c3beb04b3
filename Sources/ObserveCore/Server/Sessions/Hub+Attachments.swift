// SPDX-License-Identifier: MIT
// Removes attachments and pattern subscriptions from the tree and the registry. Independent of events.

extension Hub {
    func removeAttachments(from first: AttachmentID) {
        let compound = registry.attachments[first].compound
        if compound != .noRecord { registry.compounds.free(compound) }
        var id = first
        while id != .noRecord {
            sessions.turns.count(Turns.attachment)
            let next = registry.attachments[id].next
            tree(of: id).removeObserver(registry.attachments[id].observer)
            registry.attachments[id].session?.outbox.forget(id)
            registry.attachments.free(id)
            id = next
        }
        dismissDaemonTree()
    }

    func removePatterns(of id: CompoundID) {
        sessions.turns.count(registry.compounds[id].count * Turns.attachment)
        for pattern in registry.compounds[id].patterns { tree.removePattern(pattern) }
        for pattern in registry.compounds[id].daemonPatterns { daemonRoot.tree?.removePattern(pattern) }
        registry.compounds.free(id)
        dismissDaemonTree()
    }

    /// Releases the tree of the root `observed` when it has no observers.
    func dismissDaemonTree() {
        guard let daemonTree = daemonRoot.tree, !daemonTree.reader.isObserved else { return }
        daemonTree.notify(nil)
        self.daemonRoot.tree = nil
    }
}
