// SPDX-License-Identifier: MIT
// Observers that need no token. Knows nothing of what they do.

extension ObservableModel {
    /// Calls `handler` after each assignment of what `keyPath` reads, until `observer` or this model goes.
    ///
    /// ```swift
    /// event.addObserver(self, keyPath: \.title, options: .initial) { controller, title in
    ///     controller.label.text = title
    /// }
    /// ```
    ///
    /// Also told of what ``didChangeValue(for:)`` announces for this very key path.
    ///
    /// - Parameters:
    ///   - observer: Held weakly. When it is gone, the observation is cleaned up with the next change.
    ///   - keyPath: Any key path.
    ///   - options: ``ObservingOptions/initial`` calls at once as well; ``ObservingOptions/distinct`` leaves equal
    ///     values out.
    ///   - handler: Gets the observer and the value.
    /// - Returns: Ends the observation when it is cancelled, but not when it goes.
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
            tell: { [weak observer] change in
                guard let observer else { return end.cancel() }
                if let value = change.new { handler(observer, value) }
            }
        )
        end.observer = engine
        engine.keep()
        return ObservationToken(engine, endsWithToken: false)
    }
}
