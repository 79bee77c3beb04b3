// SPDX-License-Identifier: MIT
// The assignments of a property, and operators on them. Independent of their detection.

/// The values of a published property, one after another: the type of `$videoTitle`.
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
    /// Begins to observe; `receive` gets the values.
    @usableFromInline let begin: (_ role: ObserverRole, _ receive: @escaping (Value) -> Void) -> Observer

    @inlinable
    init(_ begin: @escaping (_ role: ObserverRole, _ receive: @escaping (Value) -> Void) -> Observer) {
        self.begin = begin
    }

    /// Calls `receive` at once with the first value, if there is one already, and with each that follows.
    ///
    /// - Returns: A token that ends the observation when it is released. It does not keep the model alive.
    @inlinable
    public func observe(_ receive: @escaping (Value) -> Void) -> ObservationToken {
        ObservationToken(begin(.observer, receive))
    }

    /// Assigns each value to a property of `target`, in the commit that published it. So observers never see one
    /// side without the other.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - target: Held weakly, so it may be the owner of the token. Its end is the end of the observation.
    /// - Returns: A token that ends the observation when it is released.
    @inlinable
    public func assign<Target: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Target, Value>,
        on target: Target
    ) -> ObservationToken {
        let end = ObserverEnd()
        let observer = begin(.binding) { [weak target] value in
            if let target { target[keyPath: keyPath] = value } else { end.cancel() }
        }
        end.observer = observer
        return ObservationToken(observer)
    }

    /// Assigns each value to an optional property of `target`: as ``assign(to:on:)``.
    @inlinable
    public func assign<Target: AnyObject>(
        to keyPath: ReferenceWritableKeyPath<Target, Value?>,
        on target: Target
    ) -> ObservationToken {
        map(Optional.some).assign(to: keyPath, on: target)
    }
}

// MARK: - Operators

extension ValuePublisher {
    /// The results of `transform` for each value.
    @inlinable
    public func map<Result>(_ transform: @escaping (Value) -> Result) -> ValuePublisher<Result> {
        ValuePublisher<Result> { role, receive in
            begin(role) { value in receive(transform(value)) }
        }
    }

    /// The results of `transform` for each value, without nil.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> ValuePublisher<Result> {
        ValuePublisher<Result> { role, receive in
            begin(role) { value in
                if let result = transform(value) { receive(result) }
            }
        }
    }

    /// The values for which `isIncluded` is true.
    @inlinable
    public func filter(_ isIncluded: @escaping (Value) -> Bool) -> ValuePublisher {
        ValuePublisher { role, receive in
            begin(role) { value in
                if isIncluded(value) { receive(value) }
            }
        }
    }

    /// The values without the first `count`. The current value counts as one.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> ValuePublisher {
        precondition(count >= 0, "can't drop fewer values than none")
        return ValuePublisher { role, receive in
            var left = count
            return begin(role) { value in
                if left > 0 { left -= 1 } else { receive(value) }
            }
        }
    }

    /// The values without repetitions of the previous one.
    @inlinable
    public func removeDuplicates(by areSame: @escaping (Value, Value) -> Bool) -> ValuePublisher {
        ValuePublisher { role, receive in
            var last: Value?
            return begin(role) { value in
                if let last, areSame(last, value) { return }
                last = value
                receive(value)
            }
        }
    }
}

extension ValuePublisher where Value: Equatable {
    /// The values without those that equal the previous one.
    @inlinable
    public func removeDuplicates() -> ValuePublisher { removeDuplicates(by: ==) }
}
