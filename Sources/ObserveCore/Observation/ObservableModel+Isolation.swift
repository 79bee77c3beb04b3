// SPDX-License-Identifier: MIT
// Observers that an actor isolates. Independent of the detection of changes.

extension ObservableModel {
    /// Calls `onChange`, isolated to `actor`, at once with the value of `expression`, and again each time the value differs.
    ///
    /// ```swift
    /// token = player.observe(\.videoTitle, on: self) { projector, title in projector.titles.append(title) }
    /// ```
    ///
    /// A closure that captures an actor weakly is not isolated to it. This one gets the actor as its argument.
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure.
    ///   - actor: The actor to which the models belong, held weakly.
    ///   - onChange: Called with the actor and each value.
    /// - Returns: A token that ends the observation when it is released. It keeps neither alive.
    /// - Threading: on the actor. The process ends if a model is assigned elsewhere.
    public func observe<Value, Isolation: Actor>(
        _ expression: @escaping (Self) -> Value,
        on actor: isolated Isolation,
        onChange: @escaping (isolated Isolation, Value) -> Void
    ) -> ObservationToken {
        observe(expression) { [weak actor] value in
            actor?.run(onChange, value)
        }
    }

    /// Calls `changeHandler`, isolated to `actor`, with each change of the value of `expression`, and when the model
    /// is deinitialised.
    ///
    /// - Parameters: As those of `observe(_:options:changeHandler:)` and `observe(_:on:onChange:)`.
    public func observe<Value, Isolation: Actor>(
        _ expression: @escaping (Self) -> Value,
        options: ObservingOptions,
        on actor: isolated Isolation,
        changeHandler: @escaping (isolated Isolation, Change<Value>) -> Void
    ) -> ObservationToken {
        observe(expression, options: options) { [weak actor] change in actor?.run(changeHandler, change) }
    }
}

extension Actor {
    /// Calls `body` on this actor, which is the current one.
    fileprivate nonisolated func run<Argument>(
        _ body: (isolated Self, Argument) -> Void,
        _ argument: Argument
    ) {
        // The argument stays on this actor, where it comes from.
        nonisolated(unsafe) let argument = argument
        nonisolated(unsafe) let body = body
        assumeIsolated { unsafe body($0, argument) }
    }
}
