// SPDX-License-Identifier: MIT
// The server's limits. Independent of their configuration.

/// How much one client may request: "Limits" in `docs/protocol.md`.
package struct ClientLimits: Sendable {
    package var maxLineBytes = 1 << 20
    package var maxOutboxBytes = 16 << 20
    package var foldAfterBytes = 64 << 10
    package var maxConnections = 16384
    package var maxConnectionsPerUser = 1024
    package var maxBufferedBytes = 256 << 20
    package var maxSubscriptions = 65536
    package var maxOperations = 16384

    /// Bytes that a turn collects for a client that has read everything, before the daemon sends them early. Smaller pieces would
    /// wake the client for each, which would read while the daemon writes to the same socket.
    var offerAfterBytes: Int { 4 * foldAfterBytes }

    /// Connections of all users but the daemon's own and root: ``maxConnections`` without those that are kept back.
    var maxOtherConnections: Int { maxConnections - min(16, maxConnections / 2) }

    package init() {}
}

/// The limits of a server: those of each client, and those of its tree.
package struct ServerLimits: Sendable {
    package var clients = ClientLimits()
    package var tree = TreeLimits()

    package init() {}
}

/// One limit: its name, and the values that a configuration may give it.
package struct NamedLimit {
    package let name: String
    package let range: ClosedRange<Int>
    package let value: WritableKeyPath<ServerLimits, Int>
}

extension ServerLimits {
    /// All limits. `status`, the configuration and its manual have the same.
    package static var all: [NamedLimit] {
        let (mebi, gibi) = (1 << 20, 1 << 30)
        return [
            // A larger number is probably a mistake: a client could make the daemon keep that many bytes.
            NamedLimit(name: "maxLineBytes", range: 1...gibi, value: \.clients.maxLineBytes),
            NamedLimit(name: "maxOutboxBytes", range: 1...gibi, value: \.clients.maxOutboxBytes),
            NamedLimit(name: "foldAfterBytes", range: 1...gibi, value: \.clients.foldAfterBytes),
            NamedLimit(name: "maxRenderedBytes", range: 1...gibi, value: \.tree.maxRenderedBytes),
            NamedLimit(name: "maxDepth", range: 1...256, value: \.tree.maxDepth),
            NamedLimit(name: "maxMatches", range: 1...mebi, value: \.tree.maxMatches),
            NamedLimit(name: "maxElements", range: 1...gibi, value: \.tree.maxElements),
            NamedLimit(name: "maxSubscriptions", range: 1...mebi, value: \.clients.maxSubscriptions),
            NamedLimit(name: "maxOperations", range: 1...mebi, value: \.clients.maxOperations),
            NamedLimit(name: "maxBindings", range: 1...mebi, value: \.tree.maxBindings),
            NamedLimit(name: "maxLifetimes", range: 1...mebi, value: \.tree.maxLifetimes),
            NamedLimit(name: "maxHistoryCommits", range: 1...mebi, value: \.tree.maxHistoryCommits),
            NamedLimit(name: "maxHistoryBytes", range: 1...gibi, value: \.tree.maxHistoryBytes),
            NamedLimit(name: "maxConnections", range: 1...mebi, value: \.clients.maxConnections),
            NamedLimit(
                name: "maxConnectionsPerUser",
                range: 1...mebi,
                value: \.clients.maxConnectionsPerUser
            ),
            NamedLimit(name: "maxBufferedBytes", range: 1...1024 * gibi, value: \.clients.maxBufferedBytes),
            NamedLimit(name: "maxTreeBytes", range: 1...1024 * gibi, value: \.tree.maxTreeBytes),
        ]
    }
}
