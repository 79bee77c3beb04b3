// SPDX-License-Identifier: MIT
// Work for the event loop's next turn, from other queues and threads. Posting some wakes the loop. Independent of the work.

internal import Synchronization

final class Mailbox: Sendable {
    typealias Work = @Sendable (EventLoop) -> Void

    let wakeUp: EventCounter
    /// Nil once it is closed.
    private let waiting = Mutex<[Work]?>([])

    init() throws(SocketError) { wakeUp = try EventCounter() }

    /// - Returns: false, with nothing done, if it is closed.
    @discardableResult func post(_ work: @escaping Work) -> Bool {
        guard waiting.withLock({ $0?.append(work) }) != nil else { return false }
        wakeUp.signal()
        return true
    }

    /// Runs the waiting closures, outside of the lock.
    func drain(_ loop: EventLoop) {
        wakeUp.drain()
        let work = waiting.withLock { waiting in
            defer { waiting = waiting.map { _ in [] } }
            return waiting
        }
        run(work, loop)
    }

    /// Runs the waiting closures, and accepts no more.
    func close(_ loop: EventLoop) { run(waiting.withLock { $0.take() }, loop) }

    private func run(_ work: [Work]?, _ loop: EventLoop) { for item in work ?? [] { item(loop) } }
}
