// SPDX-License-Identifier: MIT
// Bindings between properties.

extension ObservableModel {
    /// Keeps a property of `target` equal to the value of `expression`, from now on.
    ///
    /// ```swift
    /// viewModel.bind(\.navigationTitle, to: navigationItem, at: \.title).store(in: &tokens)
    /// ```
    ///
    /// Assigns at once, and each time the value differs, as part of the commit that changed it. So the property's
    /// observers are notified with all others, and never of a state in between. An assignment from elsewhere to the
    /// property stays until the value differs again.
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure.
    ///   - target: Held weakly. Once it is gone, the binding ends.
    ///   - keyPath: The property; the target need not be observable.
    /// - Returns: Ends the binding when it is released. It keeps neither model alive.
    @inlinable
    public func bind<Value, Target: AnyObject>(
        _ expression: @escaping (Self) -> Value,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value>
    ) -> ObservationToken {
        let end = ObserverEnd()
        let observer = Observation.values(of: self, role: .binding, equality: Equality(), expression) {
            [weak target] value in
            if let target { target[keyPath: keyPath] = value } else { end.cancel() }
        }
        end.observer = observer
        return ObservationToken(observer)
    }

    /// Keeps an optional property of `target` equal to the value of `expression`, from now on.
    @inlinable
    public func bind<Value, Target: AnyObject>(
        _ expression: @escaping (Self) -> Value,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value?>
    ) -> ObservationToken {
        bind({ Optional(expression($0)) }, to: target, at: keyPath)
    }

    /// Keeps two properties equal, whichever of them is assigned.
    ///
    /// This model's value is assigned to `target` at once. Later the one that was assigned wins; if both were in one
    /// commit, or one of the key paths leads through another model now, this model's.
    ///
    /// - Parameters:
    ///   - source: The property of this model.
    ///   - target: Held weakly. Once it is gone, the binding ends.
    ///   - destination: The property of `target`.
    /// - Returns: Ends the binding when it is released. It keeps neither model alive.
    public func bindBothWays<Value: Equatable, Target: ObservableModel>(
        _ source: ReferenceWritableKeyPath<Self, Value>,
        to target: Target,
        at destination: ReferenceWritableKeyPath<Target, Value>
    ) -> ObservationToken {
        let end = ObserverEnd()
        var agreed: Value?
        let ends = Observation.changes(
            of: self,
            role: .binding,
            options: [.initial, .new, .distinct],
            equality: Equality<Ends<Value>?>(),
            read: { [weak target] model in
                target.map { Ends(source: model[keyPath: source], destination: $0[keyPath: destination]) }
            },
            notify: { [weak self, weak target] change in
                guard let self, let target, let ends = change.new ?? nil else { return end.cancel() }
                let isBack = change.reason == .valueChanged && ends.source == agreed
                agreed = isBack ? ends.destination : ends.source
                if ends.source == ends.destination { return }
                if isBack {
                    self[keyPath: source] = ends.destination
                } else {
                    target[keyPath: destination] = ends.source
                }
            }
        )
        end.observer = ends
        return ObservationToken(ends)
    }
}

/// The values at both ends of a two-way binding.
private struct Ends<Value: Equatable>: Equatable {
    let source: Value
    let destination: Value
}
