// SPDX-License-Identifier: MIT
// Work for the event loop from other queues and threads. Knows nothing of what the work is.

internal import Synchronization

/// Closures that wait for the loop's next turn; putting one in wakes it.
final class Mailbox: Sendable {
    typealias Work = @Sendable (EventLoop) -> Void

    let wakeUp: EventCounter
    private let waiting = Mutex<[Work]>([])

    init() throws(SocketError) {
        wakeUp = try EventCounter()
    }

    func post(_ work: @escaping Work) {
        waiting.withLock { $0.append(work) }
        wakeUp.signal()
    }

    /// Runs what waits, outside of the lock.
    func drain(_ loop: EventLoop) {
        wakeUp.drain()
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for item in work { item(loop) }
    }
}
