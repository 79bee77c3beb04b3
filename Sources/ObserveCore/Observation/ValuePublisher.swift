// SPDX-License-Identifier: MIT
// The assignments of a property, and values that the program sends. Independent of their detection.

/// The values of a published property, one after another: the type of `$videoTitle`. A publisher keeps its models alive,
/// whatever its operators. An observation of it keeps none alive. So pass publishers on, and store tokens.
///
/// ```swift
/// viewModel.$recipientFirstName
///     .dropFirst()
///     .removeDuplicates()
///     .assign(to: \.firstName, on: package.recipient)
///     .store(in: &tokens)
/// ```
///
/// It publishes the current value, and then every assignment, also of an equal value, after it was made. Each chain
/// of operators observes by itself. For a value that depends on several properties, observe a computed property or
/// a closure: see `observe(_:onChange:)` of ``ObservableModel``.
///
/// - Threading: as the model's.
/// - Order: values come in the order of their assignments. Only operators omit values. A ``transaction(_:)``
///   publishes only the last assignment.
public struct ValuePublisher<Value> {
    @usableFromInline typealias Begin = (
        _ role: ObserverRole, _ receive: @escaping (Value) -> Void, _ end: (() -> Void)?
    ) -> Observer

    /// `receive` gets the values. `end` is called after the last one, when the source has ended.
    @usableFromInline let begin: Begin
    /// Whether ``assign(to:)`` assigned it to a projection.
    @usableFromInline var isAssigned = false

    @inlinable init(_ begin: @escaping Begin) { self.begin = begin }

    /// Calls `receive` at once with the first value, if there is one already, and with each that follows: after every assignment
    /// of a property, also of an equal value, unless an operator omits it.
    ///
    /// - Returns: A token that ends the observation when it is released. It does not keep the model alive.
    @inlinable public func observe(
        isolation: isolated (any Actor)? = #isolation,
        _ receive: @escaping (Value) -> Void
    ) -> ObservationToken { ObservationToken(on: isolation) { begin(.observer, receive, nil) } }

    /// Calls `receive` as ``observe(isolation:_:)`` does, and `onEnd` when no further value can come: all models have been
    /// deinitialised.
    ///
    /// - Parameter onEnd: Not called if the token ends the observation.
    @inlinable public func observe(
        isolation: isolated (any Actor)? = #isolation,
        _ receive: @escaping (Value) -> Void,
        onEnd: @escaping () -> Void
    ) -> ObservationToken { ObservationToken(on: isolation) { begin(.observer, receive, onEnd) } }

    /// Assigns each value to a property of `target`, in the commit that published it. So observers never see one
    /// side without the other.
    ///
    /// - Parameter target: Held weakly, so it may be the owner of the token. Its end is the end of the observation.
    @inlinable public func assign<Target: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Target, Value>,
        on target: Target,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            let assign = { [weak target] (value: Value) in
                guard let target else { return }
                if !Observation.isAgreed(target[keyPath: keyPath], value) { target[keyPath: keyPath] = value }
            }
            return begin(.binding, assign, nil).ending(with: target)
        }
    }

    /// Assigns each value to an optional property of `target`: as ``assign(to:on:isolation:)``.
    @inlinable public func assign<Target: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Target, Value?>,
        on target: Target,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken { map(Optional.some).assign(to: keyPath, on: target, isolation: isolation) }

    /// Assigns each value to a published property, in the commit that published it, as long as its model lives.
    ///
    /// ```swift
    /// player.$videoTitle.map { "♪ \($0)" }.assign(to: &viewModel.$navigationTitle)
    /// ```
    ///
    /// It needs no token. The model's `observationStore.removeAll()` ends the assignments earlier.
    ///
    /// - Parameter published: The projection of a property, whose model is held weakly.
    public func assign(to published: inout ValuePublisher) {
        var source = self
        source.isAssigned = true
        published = source
    }

    /// Calls `assign` with the model and each value, until the model or the values end.
    @usableFromInline func observe<Model: ObservableModel>(
        keptBy model: Model,
        _ assign: @escaping (Model, Value) -> Void
    ) {
        let keeper = Observer(role: .observer, options: [], needsCause: false) { _, _ in false }
        let binding = begin(
            .binding,
            { [weak model] value in if let model { assign(model, value) } },
            { [weak keeper] in keeper?.cancel() }
        )
        keeper.begin(on: model)
        keeper.own([binding])
        if binding.isActive { keeper.keep() } else { keeper.cancel() }
    }
}

/// Publishes the values that a program sends to it, and no value before the first one.
///
/// ```swift
/// let errors = ValueSubject<String>()
/// errors.publisher.filter { !$0.isEmpty }.observe { print($0) }.store(in: &tokens)
/// errors.send("no disc")
/// ```
///
/// For a value that also is a state, use a ``Published`` property.
///
/// - Threading: as a model's.
/// - Order: as of assignments. A ``transaction(_:)`` publishes only the last value that it sends.
/// - Lifetime: it keeps the last value. Its end is the end of its observations.
public final class ValueSubject<Value>: ObservableModel {
    /// The subject's observers.
    public let observationStore = ObservationStore()
    @Published private var last: Value?

    /// Creates a subject that has sent nothing.
    public init() {}

    /// Publishes a value.
    public func send(_ value: Value) { last = value }

    /// The values that are sent from now on.
    public var publisher: ValuePublisher<Value> { $last.dropFirst().compactMap(\.self) }
}

extension ValueSubject<Void> {
    /// Publishes an event.
    public func send() { send(()) }
}
