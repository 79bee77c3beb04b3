// SPDX-License-Identifier: MIT
// Bindings between properties of Swift models. Independent of trees.

extension ObservableModel {
    /// Keeps a property of `target` equal to the value of `expression`, from now on.
    ///
    /// ```swift
    /// viewModel.bind(\.navigationTitle, to: navigationItem, at: \.title).store(in: &tokens)
    /// ```
    ///
    /// The binding assigns at once, and then each time the value differs, in the commit that changed it. So
    /// observers never see one side without the other. If other code assigns the property, that value stays until
    /// the value of `expression` differs again.
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure.
    ///   - target: Held weakly. Its end is the end of the binding.
    ///   - keyPath: The property; the target need not be observable.
    ///   - isolation: The actor on which the end comes: by default the caller's.
    /// - Returns: A token that ends the binding when it is released. It keeps neither model alive.
    @inlinable public func bind<Value, Target: AnyObject>(
        _ expression: @escaping (Self) -> Value,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value>,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            Observation.values(of: self, role: .binding, equality: Equality(), expression) {
                [weak target] value in
                if let target { target[keyPath: keyPath] = value }
            }
            .ending(with: target)
        }
    }

    /// Keeps an optional property of `target` equal to the value of `expression`, from now on.
    @inlinable public func bind<Value, Target: AnyObject>(
        _ expression: @escaping (Self) -> Value,
        to target: Target,
        at keyPath: ReferenceWritableKeyPath<Target, Value?>,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken {
        bind({ Optional(expression($0)) }, to: target, at: keyPath, isolation: isolation)
    }

    /// Keeps two properties equal, whichever of them is assigned.
    ///
    /// At first, the binding assigns this model's value to `target`. Later it copies from the side that was assigned. This
    /// model's value wins if one commit changed both sides, or if a key path now leads through another model.
    ///
    /// - Parameters: As those of `bind(_:to:at:isolation:)`, but both are key paths, and the target is observable, too.
    public func bindBothWays<Value: Equatable, Target: ObservableModel>(
        _ source: ReferenceWritableKeyPath<Self, Value>,
        to target: Target,
        at destination: ReferenceWritableKeyPath<Target, Value>,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            let equality = Equality<Value>()
            var agreed: Value?
            let binding = Observation.changes(
                of: self,
                role: .binding,
                options: .values,
                equality: Equality<Ends<Value>?>(),
                read: { [weak target] model in
                    target.map { Ends(source: model[keyPath: source], destination: $0[keyPath: destination]) }
                },
                notify: { [weak self, weak target] change in
                    guard let self, let target, let ends = change.new ?? nil else { return }
                    let isBack =
                        change.reason == .valueChanged
                        && agreed.map { equality.isEqual(ends.source, $0) } ?? false
                    agreed = isBack ? ends.destination : ends.source
                    if equality.isEqual(ends.source, ends.destination) { return }
                    if isBack {
                        self[keyPath: source] = ends.destination
                    } else {
                        target[keyPath: destination] = ends.source
                    }
                }
            )
            #if DEBUG
                binding.noteSilence(of: target)
                binding.noteEnd(self[keyPath: source])
                binding.noteEnd(target[keyPath: destination])
            #endif
            return binding.ending(with: target)
        }
    }
}

/// The values at both ends of a two-way binding.
private struct Ends<Value: Equatable>: Equatable {
    let source: Value
    let destination: Value

    static func == (left: Ends, right: Ends) -> Bool {
        let equality = Equality<Value>()
        return equality.isEqual(left.source, right.source)
            && equality.isEqual(left.destination, right.destination)
    }
}
