// SPDX-License-Identifier: MIT
// The server's limits and manners. Knows nothing of where they are configured.

/// How much a client may ask for; contract §8's names and defaults.
package struct ServerLimits: Sendable {
    /// Bytes of one line from a client.
    package var maxLineBytes = 1 << 20
    /// Bytes that may wait for one client: beyond it its requests are not read, and `delivery: "every"` is cut off.
    package var maxOutboxBytes = 16 << 20
    /// Bytes that wait for a client before changes of one path are folded into one event.
    package var foldAfterBytes = 64 << 10
    package var maxConnections = 16384
    package var tree = TreeLimits()

    /// Bytes that are gathered in a turn for a client that has taken all so far, before it is offered them in the middle of
    /// it. Sent in smaller pieces, they would wake it once for each, and it would read while we write to the same socket.
    var offerAfterBytes: Int { 4 * foldAfterBytes }

    package init() {}
}

/// What the server does between two batches of work.
package enum Pacing: Sendable {
    /// Returns to the queue at once: for a queue that belongs to somebody else.
    case embedded
    /// Keeps the queue until it is stopped, and waits there for all that concerns it; at first it looks again and again for
    /// some microseconds, while traffic is dense: a wake-up costs more than that.
    case dedicated
}
