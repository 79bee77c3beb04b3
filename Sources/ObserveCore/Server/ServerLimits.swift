// SPDX-License-Identifier: MIT
// The server's limits, and how it waits for work. Independent of their configuration.

/// How much one client may request. `docs/protocol.md`, "Limits", has the names and defaults.
package struct ClientLimits: Sendable {
    /// Bytes of one line from a client.
    package var maxLineBytes = 1 << 20
    /// Bytes that may wait for one client. Beyond them the daemon reads no more of its requests, and disconnects a
    /// client with `delivery: "every"`.
    package var maxOutboxBytes = 16 << 20
    /// Bytes that wait for a client before the daemon coalesces changes of one path into one event.
    package var foldAfterBytes = 64 << 10
    package var maxConnections = 16384

    /// Bytes that a turn collects for a client that has read everything, before the daemon sends them early.
    /// Smaller pieces would wake the client for each. It would then read while the daemon writes to the same
    /// socket.
    var offerAfterBytes: Int { 4 * foldAfterBytes }

    package init() {}
}

/// The limits of a server: those of each client, and those of its tree.
package struct ServerLimits: Sendable {
    package var clients = ClientLimits()
    package var tree = TreeLimits()

    package init() {}
}

/// How the server waits between two batches of work.
package enum Pacing: Sendable {
    /// Returns at once to its queue, which may have other work.
    case embedded
    /// Keeps the queue until the server stops. While traffic is dense, it polls for some microseconds before it
    /// sleeps: a wake-up costs more.
    case dedicated
}
