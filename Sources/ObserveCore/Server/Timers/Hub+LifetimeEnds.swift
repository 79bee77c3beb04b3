// SPDX-License-Identifier: MIT
// Ends temporary values: with their connection, or at their time. The tree keeps the values that they shadow.

extension Hub {
    /// Ends the temporary values of a closed connection, in one commit.
    func endLifetimes(of owner: Int32) {
        guard tree.reader.hasTemporaryValues(of: owner) else { return }
        end(.connection, orLater: .endLifetimes(owner)) { tree.expireAll(of: owner) }
    }

    func endLifetime(_ number: UInt64) {
        guard let lifetime = tree.lifetime(ofTimed: number) else { return }
        end(lifetime, orLater: .endLifetime(number)) { tree.expire(number) }
    }

    /// - Parameter item: scheduled a second later if the journal can't be written now.
    private func end(_ lifetime: Lifetime, orLater item: TimerItem, _ body: () -> Void) {
        // In a batch of its own: if the journal refuses it, no request repeats this commit.
        if journalGate.journal != nil, !flushBatch() || isRefusing {
            return schedule(item, at: clock().adding(milliseconds: 1000))
        }
        act(forEndOf: lifetime)
        tree.commit(causedBy: .lifetime, body)
        act(forEndOf: nil)
        if !flushBatch() { schedule(item, at: clock().adding(milliseconds: 1000)) }
    }
}
