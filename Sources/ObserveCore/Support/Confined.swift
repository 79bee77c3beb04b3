// SPDX-License-Identifier: MIT
// State that one queue owns. Independent of the type of the state.

package import Dispatch

/// State that belongs to one serial queue. Access from another queue traps, in release builds too: ``withObject(_:)`` checks the
/// queue. That is why it may be `@unchecked Sendable`, as the only type of the package.
/// - Threading: create it anywhere, use it on its queue or on a queue that targets it.
/// - Cost: the check takes about 6 ns.
package final class Confined<State: AnyObject>: @unchecked Sendable {
    package let queue: DispatchQueue
    private let state: State

    package init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// Lends the object to `body`. Calls may nest. The result belongs to the queue as well.
    package func withObject<R, E: Error>(_ body: (State) throws(E) -> R) throws(E) -> R {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(state)
    }

    /// Lends the object to `body` on the queue, later.
    package func async(_ body: @escaping @Sendable (State) -> Void) { queue.async { self.withObject(body) } }

    /// Lends the object to `body` on the queue, and waits until it returns. Called on the queue, it would wait for itself.
    package func sync<R, E: Error>(_ body: (State) throws(E) -> R) throws(E) -> R {
        try queue.sync { Result { () throws(E) in try withObject(body) } }.get()
    }
}
