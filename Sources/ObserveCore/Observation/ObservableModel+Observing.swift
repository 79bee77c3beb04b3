// SPDX-License-Identifier: MIT
// Observes a model by a key path or a closure. Independent of trees and the wire.

extension ObservableModel {
    /// Calls `onChange` at once with the value of `expression`, and again each time the value differs.
    ///
    /// ```swift
    /// let token = root.observe(\.playbackController?.player?.videoTitle) { print($0 ?? "nothing") }
    /// let other = root.observe({ $0.volume * 100 }) { print("\($0) %") }
    /// ```
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure. It is evaluated again after each change of a published property
    ///     that it read, in any model. It must not change anything.
    ///   - onChange: Called with each value. It is not called when the model is deinitialised, which ends the observation.
    ///   - isolation: The actor on which the end comes: by default the caller's.
    /// - Returns: A token that ends the observation when it is released. It does not keep the model alive.
    @inlinable public func observe<Value>(
        _ expression: @escaping (Self) -> Value,
        isolation: isolated (any Actor)? = #isolation,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            Observation.values(of: self, equality: Equality(), expression, onChange)
        }
    }

    /// Calls `onChange` at once with the value of `expression`, and again each time the value differs.
    ///
    /// A comparison costs no more than `==`.
    @inlinable public func observe<Value: Equatable>(
        _ expression: @escaping (Self) -> Value,
        isolation: isolated (any Actor)? = #isolation,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            Observation.values(of: self, equality: Equality(), expression, onChange)
        }
    }

    /// Calls `onChange` at once, and again each time the value differs, for a key path that is not a literal.
    @inlinable @_disfavoredOverload public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        isolation: isolated (any Actor)? = #isolation,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken { observe({ $0[keyPath: keyPath] }, isolation: isolation, onChange: onChange) }

    /// Calls `changeHandler` after every assignment of a property that `expression` reads, also of an equal value, unless
    /// `options` contain ``ObservingOptions/distinct``; and when the model is deinitialised. Not at once, unless they contain
    /// ``ObservingOptions/initial``.
    ///
    /// ```swift
    /// let token = root.observe(\.playbackController?.player?.videoTitle, options: [.old, .new]) { change in
    ///     print(change.reason, change.old ?? nil, change.new ?? nil)
    /// }
    /// ```
    ///
    /// - Parameters: As those of `observe(_:isolation:onChange:)`, and
    ///   - options: The contents of changes, and when to notify.
    ///   - changeHandler: Called with each change. The last one has the reason ``ChangeReason/sourceDeleted``.
    @inlinable public func observe<Value>(
        _ expression: @escaping (Self) -> Value,
        options: ObservingOptions,
        isolation: isolated (any Actor)? = #isolation,
        changeHandler: @escaping (Change<Value>) -> Void
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            Observation.changes(
                of: self,
                options: options,
                equality: Equality(),
                read: expression,
                notify: changeHandler
            )
        }
    }

    /// Calls `changeHandler` after every assignment, also of an equal value, for a key path that is not a literal.
    @inlinable @_disfavoredOverload public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        options: ObservingOptions,
        isolation: isolated (any Actor)? = #isolation,
        changeHandler: @escaping (Change<Value>) -> Void
    ) -> ObservationToken {
        observe(
            { $0[keyPath: keyPath] },
            options: options,
            isolation: isolation,
            changeHandler: changeHandler
        )
    }
}
