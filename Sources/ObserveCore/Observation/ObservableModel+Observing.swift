// SPDX-License-Identifier: MIT
// Observing a model by a key path or a closure. Independent of trees and the wire.

extension ObservableModel {
    /// Calls `onChange` at once with the value of `expression`, and again each time the value differs.
    ///
    /// ```swift
    /// let token = root.observe(\.playbackController?.player?.videoTitle) { print($0 ?? "nothing") }
    /// let other = root.observe({ $0.volume * 100 }) { print("\($0) %") }
    /// ```
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure. It is evaluated again after each change of a published property that it
    ///     read, of this or any other model, and must not change anything.
    ///   - onChange: Gets the value. Not called when the model is deinitialised; then the observation ends.
    /// - Returns: Ends the observation when it is released. It does not keep the model alive.
    @inlinable
    public func observe<Value>(
        _ expression: @escaping (Self) -> Value,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        ObservationToken(Observation.values(of: self, equality: Equality(), expression, onChange))
    }

    /// Calls `onChange` at once with the value of `expression`, and again each time the value differs.
    ///
    /// As for other values, but comparing costs no more than `==` does.
    @inlinable
    public func observe<Value: Equatable>(
        _ expression: @escaping (Self) -> Value,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        ObservationToken(Observation.values(of: self, equality: Equality(), expression, onChange))
    }

    /// Calls `onChange` at once with the value at a key path that is not a literal.
    @inlinable @_disfavoredOverload
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        observe({ $0[keyPath: keyPath] }, onChange: onChange)
    }

    /// Calls `changeHandler` with each change of the value of `expression`, and when the model is deinitialised.
    ///
    /// ```swift
    /// let token = root.observe(\.playbackController?.player?.videoTitle, options: [.old, .new]) { change in
    ///     print(change.reason, change.old ?? nil, change.new ?? nil)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure. It is evaluated again after each change of a published property that it
    ///     read, of this or any other model, and must not change anything.
    ///   - options: The contents of changes, and when to notify. Without ``ObservingOptions/distinct`` each assignment
    ///     along the path notifies, of an equal value too.
    ///   - changeHandler: Gets the changes. The last one says ``ChangeReason/sourceDeleted``.
    /// - Returns: Ends the observation when it is released. It does not keep the model alive.
    @inlinable
    public func observe<Value>(
        _ expression: @escaping (Self) -> Value,
        options: ObservingOptions,
        changeHandler: @escaping (Change<Value>) -> Void
    ) -> ObservationToken {
        ObservationToken(
            Observation.changes(
                of: self,
                options: options,
                equality: Equality(),
                read: expression,
                notify: changeHandler
            )
        )
    }

    /// Calls `changeHandler` with each change of the value at a key path that is not a literal.
    @inlinable @_disfavoredOverload
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: ObservingOptions,
        changeHandler: @escaping (Change<Value>) -> Void
    ) -> ObservationToken {
        observe({ $0[keyPath: keyPath] }, options: options, changeHandler: changeHandler)
    }
}
