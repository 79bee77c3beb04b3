// SPDX-License-Identifier: MIT
// Values that end: with the connection that set them, or when their time has come. The tree keeps what they lie over.

extension Hub {
    /// When the value of the write ends that the params are of; nil if it is to stay.
    func term(_ params: Params) throws(WireError) -> Expiry? {
        guard let value = params.value(.lifetime) else { return nil }
        if let milliseconds = value.int64(), milliseconds >= 0 {
            return .time(
                clock().adding(milliseconds: UInt64(milliseconds)),
                milliseconds: milliseconds
            )
        }
        guard value.kind == .string else { throw unknownLifetime }
        switch value.decodedString() {
        case "permanent": return nil
        case "connection": return writer.map { .owner($0.number) }
        default: throw unknownLifetime
        }
    }

    private var unknownLifetime: WireError {
        .invalidParams(
            "the param lifetime is \"permanent\", \"connection\", or a number of milliseconds that is whole and not negative"
        )
    }

    /// Makes sure that what was laid just now ends in time. If its commit is given up, there will be nothing to end.
    func scheduleEnd(_ term: Expiry?) {
        guard case .time(let end, _) = term else { return }
        schedule(.endLifetime(tree.reader.lastTemporaryValue), at: end)
    }

    /// Takes back what the session set for as long as it lasts: in one commit.
    func endLifetimes(of session: Session) {
        endLifetimes(of: session.number)
    }

    func endLifetimes(of owner: Int32) {
        guard tree.reader.hasTemporaryValues(of: owner) else { return }
        end(.connection, orLater: .endLifetimes(owner)) { tree.expireAll(of: owner) }
    }

    func endLifetime(_ number: UInt64) {
        guard let lifetime = tree.lifetime(ofTimed: number) else { return }
        end(lifetime, orLater: .endLifetime(number)) { tree.expire(number) }
    }

    /// - Parameter item: what is done again a second later, if the journal can't be written now.
    private func end(_ lifetime: Lifetime, orLater item: TimerItem, _ body: () -> Void) {
        // By itself: nobody's request could make it once more.
        if journal != nil, !flushBatch() || isRefusing {
            return schedule(item, at: clock().adding(milliseconds: 1000))
        }
        defer { if !flushBatch() { schedule(item, at: clock().adding(milliseconds: 1000)) } }
        endingLifetime = lifetime
        tree.commit(causedBy: .lifetime, body)
        endingLifetime = nil
    }
}
