// SPDX-License-Identifier: MIT
// Publishers along key paths, and key paths that are not literals. Independent of trees.

extension ObservableModel {
    /// Publishes the value of `expression`: the current one, and each that differs.
    ///
    /// ```swift
    /// root.publisher(for: \.playbackController?.player?.videoTitle)
    ///     .compactMap(\.self)
    ///     .observe { print($0) }
    ///     .store(in: &tokens)
    /// ```
    ///
    /// - Parameter expression: A key path, or a closure.
    @inlinable
    public func publisher<Value>(for expression: @escaping (Self) -> Value) -> ValuePublisher<Value> {
        ValuePublisher { role, receive, end in
            Observation.values(of: self, role: role, equality: Equality(), expression, receive, onEnd: end)
        }
    }

    /// Publishes the value at a key path that is not a literal.
    @inlinable @_disfavoredOverload
    public func publisher<Value>(for keyPath: KeyPath<Self, Value>) -> ValuePublisher<Value> {
        publisher(for: { $0[keyPath: keyPath] })
    }

    /// Keeps a property of `target` equal to the value at a key path that is not a literal.
    @inlinable @_disfavoredOverload public func bind<Value, Target: AnyObject>(
        _ source: KeyPath<Self, Value>,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value>,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken { bind({ $0[keyPath: source] }, to: target, at: keyPath, isolation: isolation) }

    /// Keeps an optional property of `target` equal to the value at a key path that is not a literal.
    @inlinable @_disfavoredOverload public func bind<Value, Target: AnyObject>(
        _ source: KeyPath<Self, Value>,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value?>,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken {
        bind({ Optional($0[keyPath: source]) }, to: target, at: keyPath, isolation: isolation)
    }

    /// The values at a key path that is not a literal.
    @_disfavoredOverload public func values<Value>(
        of keyPath: KeyPath<Self, Value>,
        buffering: ChangeBuffering = .every,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservedSequence<Value> {
        values(of: { $0[keyPath: keyPath] }, buffering: buffering, isolation: isolation)
    }

    /// The changes after every assignment, also of an equal value, for a key path that is not a literal.
    @_disfavoredOverload public func changes<Value>(
        of keyPath: KeyPath<Self, Value>,
        options: ObservingOptions = [.initial, .new, .old],
        buffering: ChangeBuffering = .every,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservedSequence<Change<Value>> {
        changes(of: { $0[keyPath: keyPath] }, options: options, buffering: buffering, isolation: isolation)
    }
}
