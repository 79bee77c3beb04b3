// SPDX-License-Identifier: MIT
// Removes attachments and pattern subscriptions from the tree and the registry. Independent of events.

extension Clients {
    /// Removes the attachments of a subscription to literal paths, or the first `limit` of them.
    ///
    /// - Returns: the first that is left; `noRecord` without one.
    @discardableResult
    func removeAttachments(from first: AttachmentID, atMost limit: Int = .max) -> AttachmentID {
        var (id, count) = (first, 0)
        while id != .noRecord, count < limit {
            sessions.turns.count(Turns.attachment)
            let attachment = registry.attachments[id]
            tree(of: id).removeObserver(attachment.observer)
            attachment.session?.forgetMark(of: id)
            if attachment.next == .noRecord, attachment.compound != .noRecord {
                registry.compounds.free(attachment.compound)
            }
            registry.attachments.free(id)
            (id, count) = (attachment.next, count + 1)
        }
        dismissDaemonTree()
        return id
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
