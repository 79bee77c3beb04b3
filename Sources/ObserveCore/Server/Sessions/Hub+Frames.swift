// SPDX-License-Identifier: MIT
// Marks events that others of their frame follow. Independent of the events' contents.

extension Hub {
    /// Notes the event at the end of the session's output as the last of its subscription.
    @inline(__always)
    func noteFramed(_ id: CompoundID, _ session: Session) {
        continueFrame(of: id, session)
        let output = session.output.hasRange ? session.output.range.count : session.output.count
        registry.compounds[id].lastEvent.note(frames.moment, outputEnd: output)
        session.delivery.frameMoment = frames.moment
        frames.isOpen = true
        if registry.compounds[id].pendingInitial > 0 { markContinued(id, session) }
    }

    /// Notes the event at the end of these lines of the outbox likewise.
    func noteFramed(_ id: CompoundID, queued lines: ByteBuffer, _ session: Session) {
        continueFrame(of: id, session)
        let event = FramedEvent(moment: frames.moment, lines: lines, end: lines.count)
        registry.compounds[id].lastEvent = event
        frames.isOpen = true
        if registry.compounds[id].pendingInitial > 0 { markContinued(id, session) }
    }

    /// Marks the subscription's last event, if that is of this moment: another continues its frame.
    ///
    /// - Returns: whether there is such an event.
    @inline(__always)
    @discardableResult
    func continueFrame(of id: CompoundID, _ session: Session) -> Bool {
        registry.compounds[id].lastEvent.moment == frames.moment && markContinued(id, session)
    }

    @inline(never)
    @discardableResult
    private func markContinued(_ id: CompoundID, _ session: Session) -> Bool {
        let last = registry.compounds[id].lastEvent
        registry.compounds[id].lastEvent = FramedEvent()
        if last.lines == nil { copyBroadcastRange(of: session) }
        guard let buffer = last.lines ?? session.output.buffer else {
            preconditionFailure("an event has left in its moment")
        }
        frames.noteContinued(in: buffer, end: last.end, of: session)
        return true
    }

    /// Whether initial events of the subscription are still to be sent.
    func hasPendingInitial(_ subscription: Int32, of session: Session) -> Bool {
        guard let compound = registry.compound(of: subscription, session.subscriptions) else { return false }
        return registry.compounds[compound].pendingInitial > 0
    }

    /// Whether the output has an event of this moment for the subscription, so that others follow there: if they waited,
    /// they could turn out to need no event, and the frame would have no end.
    func hasFrameBegun(_ attachment: AttachmentRecord) -> Bool {
        guard attachment.flags.contains(.framed) else { return false }
        let last = registry.compounds[attachment.compound].lastEvent
        return last.moment == frames.moment && last.lines == nil
    }
}
