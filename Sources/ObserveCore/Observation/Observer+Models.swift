// SPDX-License-Identifier: MIT
// Begins observers on models, and tracks their reads. Independent of values.

extension Observer {
    /// Begins to observe. The observation ends with `model`.
    @usableFromInline func begin(on model: some ObservableModel) {
        ObservationContext.using {
            fix(.lifetime, holding: Never.self, of: model)
            if begin(), readsNothing {
                DeveloperNote.say(
                    "an observation of \(type(of: model)) reads no published property, so it is never notified of changes"
                )
            }
        }
    }

    /// Adds a dependency that evaluations keep.
    @usableFromInline
    func fix(_ key: PropertyKey, holding type: any Any.Type, of model: some ObservableModel) {
        let store = model.observationStore.core
        ObservationContext.using {
            if home == nil { home = store.home() }
            fix(key, holding: type, in: store, of: model)
        }
    }

    /// Adds a dependency on a property that announces itself. Evaluations keep it.
    @usableFromInline
    func fix<Model: ObservableModel, Value>(_ keyPath: KeyPath<Model, Value>, of model: Model) {
        NamedProperties.withKey(of: keyPath) { fix($0, holding: Value.self, of: model) }
    }

    /// Evaluates `body`; the observer depends on the properties it reads.
    @inlinable @inline(__always) func track<Value>(_ body: () -> Value) -> Value {
        let value = evaluate(body)
        #if DEBUG
            noteEnd(value)
        #endif
        return value
    }

    @inlinable @inline(__always) func evaluate<Value>(_ body: () -> Value) -> Value {
        if readsNoToolchain {
            let former = unsafe beginTracking()
            let value = body()
            unsafe endTracking(former)
            if readsNoToolchain { return value }
        }
        var result: Value?
        evaluateWithToolchain { result = body() }
        guard let value = result else { preconditionFailure("an evaluation has a value") }
        return value
    }

    @usableFromInline func evaluateWithToolchain(_ body: () -> Void) {
        var isComplete = false
        while !isComplete {
            let former = unsafe beginTracking()
            isComplete = trackToolchain(body)
            unsafe endTracking(former)
        }
    }

    @usableFromInline func beginTracking() -> Unmanaged<Observer>? {
        unsafe ObservationContext.withCurrent { unsafe $0.beginTracking(self) }
    }

    @usableFromInline func endTracking(_ former: Unmanaged<Observer>?) {
        endReading()
        ObservationContext.withCurrent { unsafe $0.endTracking(former) }
    }

    /// Notifies the observer of the first value, then all observers of the changes that this causes.
    @usableFromInline func notifyInitially(_ body: () -> Void) {
        ObservationContext.withCurrent { context in
            if role == .binding { context.untracked(body) } else { context.notifyingAfterwards(body) }
        }
    }
}

// MARK: - Targets

extension Observer {
    /// Ends with `target`: at once if that is a model, else at the next change or the next sweep.
    @usableFromInline func ending(with target: AnyObject) -> Observer {
        if isCancelled { return self }
        if let model = target as? any ObservableModel {
            own([Observer.watching(model) { [weak self] in self?.cancel() }])
        }
        setTarget(target)
        if let source = unsafe dependencies.source { unsafe source.pointee.store.sweep(source) }
        return self
    }

    static func watching(_ model: any ObservableModel, _ end: @escaping () -> Void) -> Observer {
        let watcher = Observer(role: .watcher, options: [], needsCause: false) { _, step in
            if case .sourceDeleted = step { end() }
            return false
        }
        watcher.begin(on: model)
        return watcher
    }
}
