// SPDX-License-Identifier: MIT
// What a commit would change: its properties with their values before and after it. Independent of who asks.

/// The changes of a commit that is rolled back: ``inspect()`` sees it open, and ``finish()`` the tree as before.
final class CommitPreview {
    struct Change {
        let model: ModelID
        let property: PropertyID
        let path: String
        let manner: ChangeManner
        let wasAbsent: Bool
        /// Both values as `get` renders them, as places in ``CommitPreview/text``.
        let new: Range<Int>
        var old = 0..<0
    }

    static let mostChanges = 1000

    private let tree: ModelTree
    /// The paths at and below which the client may read; nil if it may read all.
    private let readable: [ParsedKeyPath]?
    /// The newest model before the commit.
    private let lastInstance: UInt64
    let text = ByteBuffer()
    private(set) var changes: [Change] = []
    private(set) var furtherChanges = 0
    private(set) var hiddenChanges = 0
    /// The bindings whose writes failed in the commit, by number.
    private(set) var failures: [(binding: Binding, message: String)] = []
    /// Whether anything would change, also a property without a path or below paths that the client may not read.
    var hasChanges = false
    private var byteCount = 0
    private var isFull = false

    init(of tree: ModelTree, readable: [ParsedKeyPath]?) {
        self.tree = tree
        self.readable = readable
        lastInstance = tree.records.lastInstance
    }

    /// Notes the changes of the open commit, the request's own before the others, with the new values.
    func inspect() {
        let starts = readable.map { $0.compactMap(tree.pathStart) } ?? [tree.rootPathStart]
        for isOwn in [true, false] {
            for index in tree.pending.touches.indices
            where (tree.pending.touches[index].cause == .writer) == isOwn && isChange(index) {
                note(tree.pending.touches[index], below: starts)
            }
        }
        // A resting one has written nothing.
        for binding in tree.dependents.bindings.former where !binding.last.rests {
            if let failure = binding.failure { failures.append((binding, failure.message)) }
        }
        failures.sort { $0.binding.number < $1.binding.number }
    }

    /// Whether the property differs, in a model that was and stays in the tree: a new model is one change, where it is.
    private func isChange(_ index: Int) -> Bool {
        let id = tree.pending.touches[index].property
        let model = tree.records.properties[id].model
        guard tree.pending.touches[index].isChanged, !tree.records.isSelection(id),
            !tree.records.models[model].isReleased,
            !tree.pending.isNew(model, after: lastInstance, in: tree.records)
        else { return false }
        let (old, new) = (tree.before(id), tree.records.properties[id].slot)
        return old.isAbsent != new.isAbsent || !old.equals(new)
            || tree.pending.touches[index].wasWeak != tree.records.properties[id].isWeak
    }

    private func note(_ touch: Touch, below starts: [PathStart]) {
        if isFull, readable == nil { return furtherChanges += 1 }
        var path: String?
        for start in starts where path == nil { path = tree.path(of: touch.property, from: start) }
        guard let path else {
            if readable != nil { hiddenChanges += 1 }
            return
        }
        let start = text.count
        let fits = !isFull && tree.render(tree.records.properties[touch.property].slot, to: text)
        byteCount += path.utf8.count + text.count - start
        guard fits, byteCount <= tree.limits.maxRenderedBytes else {
            isFull = true
            return furtherChanges += 1
        }
        let isAbsent = tree.before(touch.property).isAbsent
        let manner = tree.manner(of: touch.property, touch.cause)
        changes.append(
            Change(
                model: tree.records.properties[touch.property].model,
                property: touch.property,
                path: path,
                manner: manner,
                wasAbsent: isAbsent,
                new: start..<text.count
            )
        )
        isFull = changes.count == CommitPreview.mostChanges
    }

    /// Adds the old values, after the rollback. If all are too many bytes, the last changes are only counted. Leaves out the
    /// properties of a model to which no path led before: like a new one, it is one change, where it is.
    func finish() {
        byteCount = 0
        changes.removeAll { !tree.hasPath(to: $0.model) }
        for index in changes.indices {
            let start = text.count
            let slot =
                changes[index].wasAbsent ? .null : tree.records.properties[changes[index].property].slot
            let fits = tree.render(slot, to: text)
            byteCount += changes[index].path.utf8.count + changes[index].new.count + text.count - start
            guard fits, byteCount <= tree.limits.maxRenderedBytes else {
                furtherChanges += changes.count - index
                return changes.removeSubrange(index...)
            }
            changes[index].old = start..<text.count
        }
    }
}
