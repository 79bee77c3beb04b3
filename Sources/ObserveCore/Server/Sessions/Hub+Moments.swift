// SPDX-License-Identifier: MIT
// Whether a session's frame may continue. Independent of its events.

extension Hub {
    /// Whether the session's output ends with a frame that may continue, so that nothing may leave.
    @inline(__always)
    func isInFrame(_ session: Session) -> Bool { session.delivery.frameMoment == frames.moment }
}
