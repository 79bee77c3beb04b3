// SPDX-License-Identifier: MIT
// The present moment: its one time, and whether a session's frame may continue. Independent of events.

extension ClientSessions {
    /// The time of the present moment. All that a commit delays has the same time, so it ends at one moment, too.
    func timeOfMoment() -> MonotonicTime {
        if let time = frames.time { return time }
        let time = clock()
        frames.begin(at: time)
        return time
    }

    /// Whether the session's output ends with a frame that may continue, so that nothing may leave.
    @inline(__always)
    func isInFrame(_ session: Session) -> Bool { session.delivery.frameMoment == frames.moment }
}
