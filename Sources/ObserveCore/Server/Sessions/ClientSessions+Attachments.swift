// SPDX-License-Identifier: MIT
// Finds the trees of attachments, and removes attachments and pattern subscriptions. Independent of events.

extension ClientSessions {
    /// The tree of the attachment's observer.
    @inline(__always)
    func tree(of attachment: AttachmentID) -> ModelTree {
        if registry.attachments[attachment].flags.contains(.daemons), let tree = daemonRoot.tree {
            return tree
        }
        return tree
    }

    /// Removes the attachments of a subscription to literal paths, or the first `limit` of them.
    ///
    /// - Returns: the first that is left; `noRecord` without one.
    @discardableResult
    func removeAttachments(from first: AttachmentID, atMost limit: Int = .max) -> AttachmentID {
        var (id, removed) = (first, 0)
        while id != .noRecord, removed < limit {
            count(work: Cost.attachment)
            let attachment = registry.attachments[id]
            tree(of: id).removeObserver(attachment.observer)
            attachment.session?.forgetMark(of: id)
            if attachment.next == .noRecord, attachment.compound != .noRecord {
                registry.compounds.free(attachment.compound)
            }
            registry.attachments.free(id)
            (id, removed) = (attachment.next, removed + 1)
        }
        dismissDaemonTree()
        return id
    }

    /// The patterns and paths of a subscription as JSON, in the order of its request.
    func paths(of id: CompoundID) -> [String] {
        registry.compounds[id].patterns.map(tree.reader.json(of:))
            + registry.compounds[id].daemonPatterns.compactMap { daemonRoot.tree?.reader.json(of: $0) }
    }

    /// Removes a subscription that has a pattern, with all its attachments.
    func removeCompound(_ id: CompoundID) {
        count(work: registry.compounds[id].count * Cost.attachment)
        for pattern in registry.compounds[id].patterns { tree.removePattern(pattern) }
        for pattern in registry.compounds[id].daemonPatterns { daemonRoot.tree?.removePattern(pattern) }
        registry.compounds.free(id)
        dismissDaemonTree()
    }

    /// Releases the tree of the root `observed` when it has no observers.
    func dismissDaemonTree() {
        guard let daemonTree = daemonRoot.tree, !daemonTree.reader.isObserved else { return }
        daemonRoot.dismiss()
    }
}
