// SPDX-License-Identifier: MIT
// Who goes through the tree bit by bit and must not miss what it was. Knows nothing of what they make of it.

/// Told before anything is changed, so that a picture of the tree at one moment can be taken while it goes on changing.
///
/// What is changed back, since a commit was refused, is told like any change. Models that are new need not be told of:
/// nobody's picture has them.
protocol PreUpdateHook: AnyObject {
    /// The property, or what lies below its value, is about to be assigned; it may have been before.
    func willAssign(_ id: PropertyID)
    /// Properties are about to come to the model, or to leave it.
    func willReorder(_ model: ModelID)
    /// The model was released. It still has its properties, with their values.
    func didRelease(_ model: ModelID)
}

extension ModelTree {
    func add(_ hook: any PreUpdateHook) {
        hooks.preUpdateHooks.append(hook)
        hooks.hasPreUpdateHooks = true
    }

    /// Harmless when done twice.
    func remove(_ hook: any PreUpdateHook) {
        hooks.preUpdateHooks.removeAll { $0 === hook }
        hooks.hasPreUpdateHooks = !hooks.preUpdateHooks.isEmpty
    }
}
