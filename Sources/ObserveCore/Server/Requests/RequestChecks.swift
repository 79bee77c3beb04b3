// SPDX-License-Identifier: MIT
// The request under way, and all that its method asks first. Independent of sockets: a transport carries the bytes.

/// ``ReadingMethods`` and ``RequestMethods`` add the methods, and ``Hub`` executes the requests in a client's bytes.
@safe class RequestChecks {
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
    final let answer = ByteBuffer(capacity: 4096)

    init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime = { .now }) {
        clients = Clients(limits: limits, now: now, clock: clock)
        tree = clients.tree
        journaling = Journaling(clients)
        parsed = ParsedRequest(maxDepth: limits.tree.maxDepth)
    }

    final func isDaemonRoot(_ path: ParsedKeyPath) -> Bool { path.name(0) == "observed" }
}

struct WriteOutcome {
    var changed: Bool
    /// Whether the result leaves ``changed`` out: the client may not read the path.
    var isHidden = false
    /// The value at the path, if the result has it: after an increment.
    var value = StoredValue.absent
}

/// The results of the request under way; empty between requests.
struct Reply: ~Copyable {
    var outcomes = Scratch<WriteOutcome>()

    /// The client's turn was over before the request's end. The hub executes it again in the next turn, and the method
    /// continues from what it has kept.
    var isSuspended = false

    /// Whether the request under way must leave nothing: see ``Hub/preview(isLimited:_:)``.
    var isDryRun = false

    var isIdle: Bool { !isSuspended && !isDryRun && outcomes.isEmpty }

    mutating func popSuspended() -> Bool { exchange(&isSuspended, with: false) }
}

/// The request under way and its paths, in storage that each request reuses.
struct ParsedRequest: ~Copyable {
    let request: Request
    let operation: Request
    let path: ParsedKeyPath
    /// Read it only after parsing the param `target` into it: before that, it has another request's.
    let target: ParsedKeyPath

    init(maxDepth: Int) {
        request = Request(valueDepth: maxDepth)
        operation = Request(valueDepth: maxDepth)
        path = ParsedKeyPath(maxDepth: maxDepth)
        target = ParsedKeyPath(maxDepth: maxDepth)
    }
}
