// SPDX-License-Identifier: MIT
// A JSON-RPC batch or a request between two turns of its client. Independent of methods.

/// A line whose client's turn was over before the line was executed, or whose client has to catch up before.
final class SuspendedLine {
    /// The text of the batch or the request.
    let text: ByteBuffer
    /// The offset in a batch behind the last request that was executed; nil for a request alone.
    var position: Int?
    /// The answers of a batch so far: an array without its end.
    let answers = ByteBuffer()
    /// The events that follow the answer.
    var following = FollowingEvents()
    /// Whether something of it was executed.
    let isBegun: Bool

    var heldBytes: Int {
        text.heldBytes + answers.heldBytes + following.missedBytes
            + following.attachments.capacity * MemoryLayout<AttachmentID>.stride
    }

    init(_ text: ByteView, position: Int?, isBegun: Bool = true) {
        self.isBegun = isBegun
        self.text = ByteBuffer(capacity: text.count)
        self.text.append(text)
        self.position = position
    }
}
