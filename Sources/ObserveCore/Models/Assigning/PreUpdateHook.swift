// SPDX-License-Identifier: MIT
// The callbacks before a change, for a scan of the tree in steps. Independent of the scan's purpose.

/// Called before each change, so that a read view can save old values while the tree keeps changing.
///
/// New models need no call, since no read view contains them.
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
    func add(_ hook: any PreUpdateHook) {
        hooks.preUpdateHooks.append(hook)
        hooks.hasPreUpdateHooks = true
    }

    /// Removing a hook twice is harmless.
    func remove(_ hook: any PreUpdateHook) {
        hooks.preUpdateHooks.removeAll { $0 === hook }
        hooks.hasPreUpdateHooks = !hooks.preUpdateHooks.isEmpty
    }

    /// Call before assigning the property.
    @inline(__always)
    func willAssign(_ id: PropertyID) {
        if hooks.hasPreUpdateHooks, !records.isSelection(id) { runHooks { $0.willAssign(id) } }
    }

    /// Call before adding properties to the model, or removing some.
    @inline(__always)
    func willReorder(_ model: ModelID) {
        if hooks.hasPreUpdateHooks { runHooks { $0.willReorder(model) } }
    }

    /// Call after releasing the model.
    @inline(__always)
    func didRelease(_ model: ModelID) {
        if hooks.hasPreUpdateHooks { runHooks { $0.didRelease(model) } }
    }

    /// Call before counting the references of a model that comes back.
    func didRestore(_ model: ModelID) { runHooks { $0.didRestore(model) } }

    /// Call before giving models other types.
    func willChangeTypes() { runHooks { $0.willChangeTypes() } }

    @inline(never)
    func runHooks(_ body: (any PreUpdateHook) -> Void) {
        for hook in hooks.preUpdateHooks { body(hook) }
    }
}
