// SPDX-License-Identifier: MIT
// State that one queue owns. Knows nothing of what the state is.

package import Dispatch

/// State that belongs to one serial queue; touching it elsewhere traps, in release builds too.
///
/// This is the package's only `@unchecked Sendable`: the promise is kept by the check in ``withState(_:)``.
///
/// - Threading: make it anywhere, use it on its queue. A queue that targets it counts as it.
/// - Order: ``withState(_:)`` does not nest. Call nobody else's code from inside it.
/// - Cost: the check takes about 6 ns.
package final class Confined<State>: @unchecked Sendable {
    package let queue: DispatchQueue
    private var state: State

    package init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// Lends the state to `body`. Only what is `Sendable` comes out.
    package func withState<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(&state)
    }
}

extension Confined where State: AnyObject {
    /// Lends an object to `body`, which may come to need it again before it returns: what the object does inside is its
    /// own business. What comes out of it belongs to the queue as well.
    package func withObject<R, E: Error>(_ body: (State) throws(E) -> R) throws(E) -> R {
        dispatchPrecondition(condition: .onQueue(queue))
        let object = state
        return try body(object)
    }
}
