// SPDX-License-Identifier: MIT
// The end of an observer: by its owner or its parts. Independent of values.

extension Observer: HomeMember {
    /// Ends the observation: the observer is never notified again.
    @usableFromInline
    func cancel() {
        if isCancelled { return }
        // Another thread may release the token as soon as the observer is cancelled.
        let own = unsafe Unmanaged.passRetained(self)
        defer { unsafe own.release() }
        ObservationContext.using {
            if isQueued { ObservationContext.withCurrent { $0.retain(self) } }
            detach()
        }
        for part in popParts() { part.cancel() }
        if !isQueued { freeCallbackIfCancelled() }
        stopKeeping()
    }

    /// Marks it as stale. One of its parts has a value or has ended, or an object of the toolchain has changed.
    func touchByPart() {
        guard isActive else { return cancel() }
        ObservationContext.withCurrent { $0.touch(self) }
    }
}
