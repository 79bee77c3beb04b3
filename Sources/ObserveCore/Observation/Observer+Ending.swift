// SPDX-License-Identifier: MIT
// The end of an observer: by its owner, its parts or its target. Independent of values.

extension Observer {
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

    /// Marks it as stale. One of its parts has a value, or has ended.
    func touchByPart() {
        guard isActive else { return cancel() }
        ObservationContext.withCurrent { $0.touch(self) }
    }

    /// Ends with `target`: at once if that is a model, else at the next change or the next sweep.
    @usableFromInline
    func ending(with target: AnyObject) -> Observer {
        if isCancelled { return self }
        if let model = target as? any ObservableModel { own([watcher(of: model)]) }
        setTarget(target)
        if let source = unsafe source { unsafe source.pointee.store.sweep(source) }
        return self
    }

    private func watcher(of model: any ObservableModel) -> Observer {
        let watcher = Observer(role: .watcher, options: [], needsCause: false) { [weak self] _, step in
            if case .sourceDeleted = step { self?.cancel() }
            return false
        }
        watcher.begin(on: model)
        return watcher
    }
}
