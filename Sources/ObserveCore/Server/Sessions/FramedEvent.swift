// SPDX-License-Identifier: MIT
// The newest event of a frame in a session's output. Independent of sessions.

/// The last event of a subscription with several paths.
struct FramedEvent {
    /// The moment of the event; 0 if another event may not continue its frame.
    var moment: UInt32 = 0
    /// The offset of its end in the output.
    var end = 0
}
