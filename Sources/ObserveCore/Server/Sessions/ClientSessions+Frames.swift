// SPDX-License-Identifier: MIT
// Groups of events: which events of one are a frame, when it ends, and its time. Independent of the events' contents.

extension ClientSessions {
    /// Notes the event at the end of the session's output as the last of its subscription.
    @inline(__always) func noteFramed(_ id: CompoundID, _ session: Session) {
        continueFrame(of: id, session)
        let output = session.output.hasRange ? session.output.range.count : session.output.count
        registry.compounds[id].lastEvent = FramedEvent(group: frames.group, end: output)
        session.delivery.frameGroup = frames.group
        frames.isOpen = true
        if registry.compounds[id].hasOpenFrame { markContinued(id, session) }
    }

    /// Notes the event at the end of the session's output, if others may follow in its frame.
    @inline(__always) func noteIfFramed(_ id: AttachmentID, _ session: Session) {
        guard registry.attachments[id].flags.contains(.framed) else { return }
        noteFramed(registry.attachments[id].compound, session)
    }

    /// Marks the subscription's last event, if that is of this group: another continues its frame.
    @inline(__always) func continueFrame(of id: CompoundID, _ session: Session) {
        if registry.compounds[id].lastEvent.group == frames.group { markContinued(id, session) }
    }

    @inline(never) private func markContinued(_ id: CompoundID, _ session: Session) {
        let end = registry.compounds[id].lastEvent.end
        registry.compounds[id].lastEvent = FramedEvent()
        copyBroadcastRange(of: session)
        guard let buffer = session.output.buffer
        else { preconditionFailure("an event has left before its group ended") }
        frames.noteContinued(in: buffer, end: end)
    }

    /// Notes that `goodbye` came between two events of a frame.
    func cutFrame(of id: AttachmentID, in session: Session) {
        guard registry.attachments[id].flags.contains(.framed) else { return }
        continueFrame(of: registry.attachments[id].compound, session)
    }

    /// Whether the output has an event of this group for the subscription, so that others follow there: if they waited, they
    /// could need no event, and the frame would have no end.
    func hasFrameBegun(_ attachment: AttachmentRecord) -> Bool {
        attachment.flags.contains(.framed)
            && registry.compounds[attachment.compound].lastEvent.group == frames.group
    }

    /// Ends the group of events, and with it the frames of all subscriptions.
    @inline(__always) func endEventGroup() {
        guard frames.isOpen else { return }
        if !frames.isComplete { frames.completeContinued() }
        frames.beginGroup()
        assert(frames.isIdle)
    }

    func changesEnded() { endEventGroup() }

    /// The time of the present group. All that a commit delays has the same time, so it is due in one group, too.
    func eventTime() -> MonotonicTime {
        if let time = frames.time { return time }
        let time = clock()
        frames.begin(at: time)
        return time
    }

    /// Whether the session's output ends with a frame that may continue, so that nothing may leave.
    @inline(__always)
    func isInFrame(_ session: Session) -> Bool { session.delivery.frameGroup == frames.group }
}
