// SPDX-License-Identifier: MIT
// A publisher of values that the program sends. Independent of models.

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
