// SPDX-License-Identifier: MIT
// The request under way, and all that its method asks first. Independent of sockets: a transport carries the bytes.

/// The request under way: its paths and params, what its client may do, and how much.
///
/// ``ReadingMethods`` and ``RequestMethods`` add the methods, and ``Hub`` executes the requests in a client's bytes.
@safe
class RequestChecks {
    final let tree: ModelTree
    final let clients: Clients
    final let journaling: Journaling
    /// Rules for other users; nil if the socket's mode admits only its owner and root.
    final var access: AccessRules?
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var reply = Reply()
    final let parsed: ParsedRequest
    /// The answer of the request under way.
    final let answer = ByteBuffer(capacity: 4096)

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime = { .now }) {
        clients = Clients(limits: limits, now: now, clock: clock)
        tree = clients.tree
        journaling = Journaling(clients)
        parsed = ParsedRequest(maxDepth: limits.tree.maxDepth)
    }

    /// Whether the path is in the root `observed`, the daemon's own.
    final func isDaemonRoot(_ path: ParsedKeyPath) -> Bool { path.name(0) == "observed" }
}
