// SPDX-License-Identifier: MIT
// Observations that end with their observer, without a token.

extension ObservableModel {
    /// Calls `handler` after each assignment of a property that `keyPath` reads, until `observer` or this model is deinitialised.
    ///
    /// ```swift
    /// event.addObserver(self, keyPath: \.title, options: .initial) { controller, title in
    ///     controller.label.text = title
    /// }
    /// ```
    ///
    /// ``didChangeValue(for:)`` for the same key path also calls it.
    ///
    /// - Parameters:
    ///   - observer: Held weakly. Its end ends the observation.
    ///   - keyPath: Any key path.
    ///   - options: ``ObservingOptions/initial`` also calls at once. ``ObservingOptions/distinct`` omits equal values.
    ///   - handler: Called with the observer and the value.
    ///   - isolation: The actor on which the end comes: by default the caller's.
    /// - Returns: A token whose cancellation ends the observation. Its release does not.
    @discardableResult public func addObserver<Observing: AnyObject, Value>(
        _ observer: Observing,
        keyPath: KeyPath<Self, Value>,
        options: ObservingOptions = [],
        isolation: isolated (any Actor)? = #isolation,
        handler: @escaping (Observing, Value) -> Void
    ) -> ObservationToken {
        ObservationToken(on: isolation, endsWithToken: false) {
            let engine = Observation.changes(
                of: self,
                named: keyPath,
                options: options.union(.new).subtracting(.prior),
                equality: Equality(),
                read: { $0[keyPath: keyPath] },
                notify: { [weak observer] change in
                    if let observer, let value = change.new { handler(observer, value) }
                }
            )
            .ending(with: observer)
            engine.keep()
            return engine
        }
    }
}
