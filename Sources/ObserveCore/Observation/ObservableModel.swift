// SPDX-License-Identifier: MIT
// Classes whose properties can be observed, and how they are. Knows nothing of trees or the wire.

/// A class whose ``Published`` properties can be observed, alone or along a key path.
///
/// ```swift
/// final class PlaybackController: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var player: Player?
/// }
///
/// let token = root.observe(\.playbackController?.player?.videoTitle) { print($0 ?? "nothing") }
/// ```
///
/// Observing evaluates the key path and notes which published properties it reads on the way, so it goes through
/// optionals, arrays and computed properties, and always through the models that are there *now*.
///
/// - Threading: a model, those it refers to and their observers belong to one queue, actor or thread at a time; nothing
///   here locks. Debug builds trap where they see two.
/// - Order: observers are told in the order in which they began; all see the same changes in the same order.
public protocol ObservableModel: AnyObject {
    /// Where the model's observers are: a stored constant, one for each model.
    var observationStore: ObservationStore { get }
}

extension ObservableModel {
    /// Calls `onChange` at once with what `expression` reads in the model, and again each time that is another value.
    ///
    /// ```swift
    /// let token = root.observe(\.playbackController?.player?.videoTitle) { print($0 ?? "nothing") }
    /// let other = root.observe({ $0.volume * 100 }) { print("\($0) %") }
    /// ```
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure. It is evaluated again after each change of a published property that it
    ///     read, of this or any other model, and must not change anything.
    ///   - onChange: Gets the value. Not called when the model goes; then the observation ends.
    /// - Returns: Ends the observation when it goes. The model isn't kept alive by it.
    @inlinable
    public func observe<Value>(
        _ expression: @escaping (Self) -> Value,
        onChange: @escaping (Value) -> Void
    ) -> ObservationToken {
        ObservationToken(Observation.values(of: self, equality: Equality(), expression, onChange))
    }

    /// Calls `onChange` at once with what `expression` reads in the model, and again each time that is another value.
    ///
    /// As for other values, but comparing takes no longer than `==` does.
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

    /// Calls `changeHandler` with each change of what `expression` reads in the model, and when the model goes.
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
    ///   - options: What to tell, and when. Without ``ObservingOptions/distinct`` each assignment along the path is
    ///     told, of an equal value too.
    ///   - changeHandler: Gets the changes. The last one says ``ChangeReason/sourceDeleted``.
    /// - Returns: Ends the observation when it goes. The model isn't kept alive by it.
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
                tell: changeHandler
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

extension ObservingOptions {
    /// The value at once, and each one that differs.
    @inlinable
    static var values: ObservingOptions { [.initial, .new, .distinct] }
}
