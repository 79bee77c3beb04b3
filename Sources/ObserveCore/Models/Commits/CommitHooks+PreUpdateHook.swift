// SPDX-License-Identifier: MIT
// Calls every registered pre-update hook.

extension CommitHooks {
    @inline(never)
    func runPreUpdateHooks(ofAssigning id: PropertyID) {
        for hook in preUpdateHooks { hook.willAssign(id) }
    }

    @inline(never)
    func runPreUpdateHooks(ofReordering model: ModelID) {
        for hook in preUpdateHooks { hook.willReorder(model) }
    }

    @inline(never)
    func runPreUpdateHooks(ofReleased model: ModelID) {
        for hook in preUpdateHooks { hook.didRelease(model) }
    }
}
