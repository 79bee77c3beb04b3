// SPDX-License-Identifier: MIT
// A walk through all models of a tree in small steps, while the tree changes between them.

/// Visits each model, and each of its properties, once. At most one at a time for a tree.
///
/// The tree keeps the place up to date: a property that is removed before it is visited is skipped, and one that
/// returns to its place, since its removal was undone, is visited again.
final class ModelCursor {
    private let tree: ModelTree

    init(_ tree: ModelTree) {
        self.tree = tree
        enter(tree.records.root)
    }

    deinit { tree.records.scan = ScanCursor() }

    /// Whether all models were visited.
    var isAtEnd: Bool { tree.records.scan.model == .noRecord }

    /// The model of which properties remain to be visited; nil if there is none here.
    var model: ModelID? {
        let scan = tree.records.scan
        guard scan.model != .noRecord, tree.records.models[scan.model].instance == scan.instance,
            !tree.records.models[scan.model].isReleased
        else { return nil }
        return scan.model
    }

    /// Whether all properties of the model were visited.
    var isAtModelEnd: Bool {
        @inline(__always) get { tree.records.scan.next == .noRecord }
    }

    /// The next property of the model; the cursor moves behind it.
    @inline(__always)
    func nextProperty() -> PropertyID? {
        let id = tree.records.scan.next
        guard id != .noRecord else { return nil }
        tree.records.scan.next = tree.records.properties[id].next
        return id
    }

    /// Moves a step towards the next model: see ``model``.
    func advance() { enter(tree.records.scan.model.advanced(by: 1)) }

    private func enter(_ first: ModelID) {
        var model = first
        // There may be a million free records in a row: a step skips a few.
        let last = min(ModelID(index: tree.records.models.allocatedCount), first.advanced(by: 256))
        while model < last {
            // Free records have no instance; nor has the set of roots.
            if model == tree.records.root || tree.records.models[model].instance != 0,
                !tree.records.models[model].isReleased
            {
                tree.records.scan = ScanCursor(
                    model: model,
                    instance: tree.records.models[model].instance,
                    next: tree.records.models[model].first
                )
                return
            }
            model = model.advanced(by: 1)
        }
        // No model has that instance.
        let isAtEnd = last == ModelID(index: tree.records.models.allocatedCount)
        tree.records.scan =
            isAtEnd
            ? ScanCursor() : ScanCursor(model: last.advanced(by: -1), instance: .max, next: .noRecord)
    }
}
