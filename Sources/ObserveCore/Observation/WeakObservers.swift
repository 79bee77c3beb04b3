// SPDX-License-Identifier: MIT
// Observers that need no token.

extension ObservableModel {
    /// Calls `handler` after each assignment of a property that `keyPath` reads, until `observer` or this model is
    /// deinitialised.
    ///
    /// ```swift
    /// event.addObserver(self, keyPath: \.title, options: .initial) { controller, title in
    ///     controller.label.text = title
    /// }
    /// ```
    ///
    /// ``didChangeValue(for:)`` with this very key path notifies it as well.
    ///
    /// - Parameters:
    ///   - observer: Held weakly. Once it is gone, the next change ends the observation.
    ///   - keyPath: Any key path.
    ///   - options: ``ObservingOptions/initial`` calls at once as well; ``ObservingOptions/distinct`` leaves equal
    ///     values out.
    ///   - handler: Gets the observer and the value.
    /// - Returns: Ends the observation when it is cancelled, but not when it is released.
    @discardableResult
    public func addObserver<Observing: AnyObject, Value>(
        _ observer: Observing,
        keyPath: KeyPath<Self, Value>,
        options: ObservingOptions = [],
        handler: @escaping (Observing, Value) -> Void
    ) -> ObservationToken {
        let end = ObserverEnd()
        let engine = Observation.changes(
            of: self,
            named: keyPath,
            options: options.union(.new).subtracting(.prior),
            equality: Equality(),
            read: { $0[keyPath: keyPath] },
            notify: { [weak observer] change in
                guard let observer else { return end.cancel() }
                if let value = change.new { handler(observer, value) }
            }
        )
        end.observer = engine
        engine.keep()
        return ObservationToken(engine, endsWithToken: false)
    }
}
