// SPDX-License-Identifier: MIT
// Ends temporary values: with their connection, or at their time. The tree keeps the values that they shadow.

extension Journaling {
    /// So many values end in one commit, which takes about 3 ms.
    static let mostEnds = 1024

    /// Ends the temporary values of a closed connection: in one commit, or in several if they are more than `limit`.
    func endLifetimes(of owner: Int32, atMost limit: Int = mostEnds) {
        guard tree.reader.hasTemporaryValues(of: owner) else { return }
        let isDone = end(.connection, orLater: .endLifetimes(owner)) {
            clients.count(work: tree.expireAll(of: owner, atMost: limit) * Cost.termEnd)
        }
        if isDone, tree.reader.hasTemporaryValues(of: owner) {
            clients.schedule(.endLifetimes(owner), at: clients.clock())
        }
    }

    func endLifetime(_ number: UInt64) {
        guard let lifetime = tree.lifetime(ofTimed: number) else { return }
        end(lifetime, orLater: .endLifetime(number)) { tree.expire(number) }
    }

    /// - Parameter item: scheduled a second later if the journal has no room now.
    /// - Returns: whether it had.
    @discardableResult
    private func end(_ lifetime: Lifetime, orLater item: TimerItem, _ body: () -> Void) -> Bool {
        guard clients.gate.acceptsWrites else { return later(item) }
        clients.act(on: lifetime.code)
        tree.commit(causedBy: .termEnd, body)
        clients.act(on: 0)
        return refusals.pop() ? later(item) : true
    }

    private func later(_ item: TimerItem) -> Bool {
        clients.schedule(item, at: clients.clock().adding(milliseconds: 1000))
        return false
    }
}
