// SPDX-License-Identifier: MIT
// A JSON-RPC batch between two turns of its client. Independent of its requests.

/// A batch whose client's turn was over before its last request.
final class SuspendedBatch {
    /// The text of the batch, and the offset behind the last request that was executed.
    let text: ByteBuffer
    var position: Int
    /// The answers so far: an array without its end.
    let answers = ByteBuffer()
    /// The events that follow the answer.
    var following = FollowingEvents()

    var heldBytes: Int { text.heldBytes + answers.heldBytes + following.missedBytes }

    init(_ text: ByteView, position: Int) {
        self.text = ByteBuffer(capacity: text.count)
        self.text.append(text)
        self.position = position
    }
}
