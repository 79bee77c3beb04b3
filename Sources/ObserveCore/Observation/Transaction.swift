// SPDX-License-Identifier: MIT
// Several assignments as one change. Independent of observers.

/// Makes one commit of all assignments in `body`, on any models. When it ends, it notifies each observer whose
/// value differs, once.
///
/// ```swift
/// transaction {
///     person.firstName = "Grace"
///     person.lastName = "Hopper"
/// }
/// ```
///
/// Transactions nest; the outermost one commits. A read inside gives the assigned value. Observers with
/// ``ObservingOptions/prior`` are notified before the first assignment of a property they depend on.
///
/// - Parameter body: If it throws, its assignments stay, and observers are notified of them.
/// - Returns: The result of `body`.
/// - Threading: as the models'.
public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    ObservationContext.withCurrent { $0.begin() }
    defer { ObservationContext.withCurrent { $0.end() } }
    return try body()
}
