// SPDX-License-Identifier: MIT
// Records the places that bindings may write to.

extension UpdateQueue {
    mutating func noteWriter(_ dependent: DependentID, of slot: Slot, depth: Int) {
        guard slot.model != .noRecord else { return }
        pendingWriters[slot, default: PendingWriters()].add(dependent, depth: depth)
        pendingWriters[Slot(model: slot.model), default: PendingWriters()].add(dependent, depth: depth)
    }
}
