// SPDX-License-Identifier: MIT
// Counts sent and coalesced events, of all clients together and of each subscription. Independent of contents.

extension ClientSessions {
    /// Counts a sent event of the attachment. Those of the root `observed` do not count: this would cause further ones.
    func count(eventOf id: AttachmentID) {
        guard !registry.attachments[id].flags.contains(.daemons) else { return }
        countEvent()
        countSent(id)
    }

    @inline(__always) func countEvent() {
        metrics.eventsSent &+= 1
        count(work: Cost.event)
    }

    /// Counts events that share a line.
    @inline(__always) func count(eventsSent events: UInt64, bytes: Int) {
        metrics.eventsSent &+= events
        count(work: Cost.events(events, bytes: bytes))
    }

    @inline(__always)
    func countSent(_ id: AttachmentID) { if registry.attachments[id].countSent() { noteOverflow(of: id) } }

    @inline(never) private func noteOverflow(of id: AttachmentID) {
        guard let session = registry.attachments[id].session else { return }
        session.subscriptions.count(earlierEvents: 1 << 24, of: registry.attachments[id].subscription)
    }

    /// Counts events that the server sends of a subscription as a whole.
    func count(events: Int, of subscription: Int32, _ session: Session) {
        metrics.eventsSent &+= UInt64(events)
        count(work: events &* Cost.event)
        session.subscriptions.count(earlierEvents: UInt64(events), of: subscription)
    }

    func count(coalesced changes: Int, _ session: Session) {
        guard changes > 1 else { return }
        metrics.eventsCoalesced &+= UInt64(changes - 1)
        session.figures.eventsCoalesced &+= UInt64(changes - 1)
    }

    // MARK: Sums

    func eventsSent(of number: Int32, _ session: Session) -> UInt64 {
        var sum = session.subscriptions.further.notes[number]?.earlierEvents ?? 0
        if number == 1 { sum &+= session.output.rangeEvents }
        if let compound = session.subscriptions.compounds[number] {
            sum &+= registry.compounds[compound].earlierEvents
        }
        forEachAttachment(of: number, session) { sum &+= registry.attachments[$0].eventsSent }
        return sum
    }

    /// Keeps the count of a subscription that is about to end.
    func noteEvents(of number: Int32, _ session: Session) {
        guard session.subscriptions.contains(number) else { return }
        session.figures.earlierEvents &+= eventsSent(of: number, session)
        if number == 1 { session.output.rangeEvents = 0 }
    }
}
