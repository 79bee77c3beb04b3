// SPDX-License-Identifier: MIT
// The origin of changes, and prior events. Independent of subscriptions.

extension ClientSessions {
    func origin(of cause: ChangeCause) -> ValueOrigin {
        ValueOrigin(author: tree.reader.author, cause: cause)
    }

    /// Whether the session's client made the change itself. Valid only while the tree notifies observers. If it assigned a model,
    /// the same commit may have changed things inside as a consequence, which a mirror must see.
    func isOwn(_ change: borrowing PathChange, of session: Session, _ options: ObservingOptions) -> Bool {
        guard tree.reader.author.number == session.number, change.cause == .writer else { return false }
        return !options.contains(.deep) || !tree.hasConsequences(inside: change.new)
    }

    func appendHead(of subscription: Int32, _ session: Session, to out: ByteBuffer) {
        out.appendChangeHead(subscription: subscription)
        if let tag = session.subscriptions.tag(of: subscription) { out.append(tag: tag) }
    }

    /// Appends the event before the change, behind its head.
    func appendPrior(
        _ change: borrowing PathChange,
        in tree: ModelTree,
        for observer: ObserverRecord,
        to out: ByteBuffer
    ) {
        let origin = observer.options.contains(.origin) ? origin(of: change.cause) : nil
        let extras = TreeReader.EventExtras(withOld: true, origin: origin, isPrior: true)
        tree.reader.encode(change, revision: revision, extras, to: out)
    }
}
