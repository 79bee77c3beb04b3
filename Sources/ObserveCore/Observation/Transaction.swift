// SPDX-License-Identifier: MIT
// Several assignments as one change. Knows nothing of who observes.

/// Makes one commit of all that `body` assigns, on any models: observers are told once, when it ends, of what differs
/// then.
///
/// ```swift
/// transaction {
///     person.firstName = "Grace"
///     person.lastName = "Hopper"
/// }
/// ```
///
/// Transactions nest; the outermost counts. Reading inside gives what was assigned. Observers that ask for
/// ``ObservingOptions/prior`` are told before the first assignment that concerns them.
///
/// - Parameter body: If it throws, what it assigned stays assigned and is told.
/// - Returns: What `body` returns.
/// - Threading: as the models'.
public func transaction<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    ObservationContext.withCurrent { $0.begin() }
    defer { ObservationContext.withCurrent { $0.end() } }
    return try body()
}
