// SPDX-License-Identifier: MIT
// A JSON-RPC batch or a request between two turns of its client. Independent of methods.

/// A line whose client's turn was over before the line was executed, or before its initial events were sent.
final class SuspendedLine {
    /// The text of the batch or the request.
    let text: ByteBuffer
    /// The offset in a batch behind the last request that was executed; nil for a request alone.
    var position: Int?
    /// The answers of a batch so far: an array without its end.
    let answers = ByteBuffer()
    /// The events that follow the answer.
    var following = FollowingEvents()
    /// The index of the first of ``FollowingEvents/attachments`` whose initial event is not sent; nil before the answer.
    private(set) var sentInitial: Int?

    var hasAnswered: Bool { sentInitial != nil }

    var heldBytes: Int {
        text.heldBytes + answers.heldBytes + following.missedBytes
            + following.attachments.capacity * MemoryLayout<AttachmentID>.stride
    }

    /// - Parameter first: the index of the first attachment whose initial event is still to be sent.
    init(_ attachments: [AttachmentID], from first: Int) {
        text = ByteBuffer()
        following.attachments = attachments
        sentInitial = first
    }

    init(_ text: ByteView, position: Int?) {
        self.text = ByteBuffer(capacity: text.count)
        self.text.append(text)
        self.position = position
    }
}
