// SPDX-License-Identifier: MIT
// Event lines that several clients share. Independent of sessions and sockets.

/// The event lines of this turn for clients without options, each once. Also other texts that subscribers share
/// while the server sends one event.
///
/// - Invariant: while ``rangeCount`` is not 0, sessions refer to bytes of ``lines``, which stay where they are.
struct Broadcast: ~Copyable {
    /// A longer line does not begin a range: for many clients that stop reading, it would be copied at once.
    static let longestLine = 4 << 10

    /// Lines as subscription 1 gets them.
    let lines = ByteBuffer(capacity: 4096)
    /// How many sessions have a range of ``lines``.
    var rangeCount = 0
    /// The event's texts for subscribers with `old`, with `origin`, and with both.
    let richTails = [ByteBuffer(), ByteBuffer(), ByteBuffer()]
    /// The value before the change under way, for subscribers with `old` that have not seen it yet; nil until the first.
    var old: ByteBuffer?
    /// The revision in answers and events.
    var revisionText = DecimalText()
    /// How many bytes of the event under way were copied for clients.
    var copiedBytes = 0
}
