// SPDX-License-Identifier: MIT
// The newest event of a frame in a session's output. Independent of sessions.

/// The last event of a subscription with several paths.
struct FramedEvent {
    /// The moment of the event; 0 if another event may not continue its frame.
    var moment: UInt32 = 0
    /// The lines of the outbox that it is in; nil if it is in the output.
    var lines: ByteBuffer?
    /// The offset of its end in its buffer.
    var end = 0

    /// Notes an event at the end of the output.
    @inline(__always)
    mutating func note(_ moment: UInt32, outputEnd: Int) {
        self.moment = moment
        end = outputEnd
        if lines != nil { lines = nil }
    }
}
