// SPDX-License-Identifier: MIT
// A walk through all models of a tree in small steps, while the tree changes between them.

/// Visits each model, and each of its properties, once. A tree supports one cursor at a time.
///
/// The tree keeps the position in ``Records/scan`` up to date. The cursor skips a property that is removed
/// before its visit. If a rollback restores a removed property, the cursor may visit that property twice.
final class ModelCursor {
    private let tree: ModelTree

    init(_ tree: ModelTree) {
        self.tree = tree
        enter(tree.records.root)
    }

    deinit { tree.records.scan = ScanCursor() }

    /// Whether the cursor has visited all models.
    var isAtEnd: Bool { tree.records.scan.model == .noRecord }

    /// The current model; nil if the cursor is between models, or if the model was released.
    var model: ModelID? {
        let scan = tree.records.scan
        guard scan.model != .noRecord, tree.records.models[scan.model].instance == scan.instance,
            !tree.records.models[scan.model].isReleased
        else { return nil }
        return scan.model
    }

    /// Whether the cursor has visited all properties of the model.
    var isAtModelEnd: Bool {
        @inline(__always) get { tree.records.scan.next == .noRecord }
    }

    /// Moves past the model's next property, and returns it; nil at the end.
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
        // A million free records may follow each other: a step skips at most 256.
        let last = min(ModelID(index: tree.records.models.allocatedCount), first.advanced(by: 256))
        while model < last {
            // Neither free records nor the set of roots have an instance.
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
        // No model has the instance `.max`, so ``model`` is nil until the next step.
        let isAtEnd = last == ModelID(index: tree.records.models.allocatedCount)
        tree.records.scan =
            isAtEnd
            ? ScanCursor() : ScanCursor(model: last.advanced(by: -1), instance: .max, next: .noRecord)
    }
}
