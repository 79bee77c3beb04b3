// SPDX-License-Identifier: MIT
// Executes requests. Independent of sockets: a transport carries the bytes.

/// Executes the requests of the clients of one tree, and answers them.
///
/// ``receive(_:from:)`` executes the requests in a client's bytes. Answers and events wait in the sessions' outputs.
///
/// - Threading: none of its own; its owner confines it to one queue, with its sessions.
@safe
final class Hub {
    let tree: ModelTree
    let clients: Clients
    let journaling: Journaling
    /// Rules for other users; nil if the socket's mode admits only its owner and root.
    var access: AccessRules?

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var prefetched = PrefetchedSets()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var reply = Reply()
    let parsed: ParsedRequest
    /// The answer of the request under way.
    let answer = ByteBuffer(capacity: 4096)

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime = { .now }) {
        clients = Clients(limits: limits, now: now, clock: clock)
        tree = clients.tree
        journaling = Journaling(clients)
        parsed = ParsedRequest(maxDepth: limits.tree.maxDepth)
    }

    /// Whether the path is in the root `observed`, the daemon's own.
    func isDaemonRoot(_ path: ParsedKeyPath) -> Bool { path.name(0) == "observed" }
}
