// SPDX-License-Identifier: MIT
// The callbacks before a change, for a scan of the tree in steps. Independent of the scan's purpose.

/// Called before each change, so that a read view can save old values while the tree keeps changing. No view has new models.
protocol PreUpdateHook: AnyObject {
    /// The tree is about to assign the property, or a value that it shadows. May be called more than once.
    func willAssign(_ id: PropertyID)
    /// The tree is about to add properties to the model, or to remove some.
    func willReorder(_ model: ModelID)
    /// The model was released. It still has its properties, with their values.
    func didRelease(_ model: ModelID)
    /// A released model belongs to the tree again: not to a read view that was made before.
    func didRestore(_ model: ModelID)
    /// Models are about to get other types.
    func willChangeTypes()
}

extension AssigningTree {
    func add(_ hook: any PreUpdateHook) { hooks.preUpdateHooks.append(hook) }

    /// Removing a hook twice is harmless.
    func remove(_ hook: any PreUpdateHook) { hooks.preUpdateHooks.removeAll { $0 === hook } }

    @inline(__always) func willAssign(_ id: PropertyID) {
        if hooks.hasPreUpdateHooks, !records.isSelection(id) { runAllHooks { $0.willAssign(id) } }
    }

    /// Call before a change, except after releasing a model.
    @inline(__always)
    func runHooks(_ body: (any PreUpdateHook) -> Void) { if hooks.hasPreUpdateHooks { runAllHooks(body) } }

    @inline(never) private func runAllHooks(_ body: (any PreUpdateHook) -> Void) {
        for hook in hooks.preUpdateHooks { body(hook) }
    }
}
