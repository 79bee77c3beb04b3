// SPDX-License-Identifier: MIT
// Values that end: with the connection that set them, or when their time has come. The tree keeps what they lie over.

extension Hub {
    /// When the value of the write ends that the params are of; nil if it is to stay.
    func term(_ params: Params) throws(WireError) -> OverlayTerm? {
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
    func scheduleEnd(_ term: OverlayTerm?) {
        guard case .time(let end, _) = term else { return }
        schedule(.endLifetime(tree.lastOverlay), at: end)
    }

    /// Takes back what the session set for as long as it lasts: in one commit.
    func endLifetimes(of session: Session) {
        guard tree.overlayOwners[session.number] != nil else { return }
        end(.connection) { tree.endOverlays(of: session.number) }
    }

    func endLifetime(_ number: UInt64) {
        guard let lifetime = tree.lifetime(ofTimed: number) else { return }
        end(lifetime) { tree.endOverlay(number) }
    }

    private func end(_ lifetime: Lifetime, _ body: () -> Void) {
        endingLifetime = lifetime
        tree.commit {
            tree.cause = .lifetime
            body()
            tree.cause = .writer
        }
        endingLifetime = nil
    }
}
