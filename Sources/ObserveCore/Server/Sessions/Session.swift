// SPDX-License-Identifier: MIT
// The state of one client, without its socket: lines in, bytes out. Independent of descriptors.

/// Carries a session's bytes to its client.
protocol Transport: AnyObject {
    /// Writes as much of the output as the peer accepts now. Notes in ``Delivery/isBlocked`` whether that was less than all. Does
    /// not end the session, even if the peer is gone.
    func flush(_ session: Session)
}

/// The state of one client: its subscriptions, and its unsent output.
///
/// Bytes wait only in ``output``, for the socket. Beyond that, ``marks`` has the paths that the client has not seen.
@safe final class Session {
    // A delivery reads the first fields, in two or three cache lines: with a thousand clients, its cost beside the kernel's.

    /// Identifies the session in its transport.
    let token: UInt64
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var delivery = Delivery()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var output = Output()
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var behind = Rare<SessionMarks>()
    var subscriptions = Subscriptions()

    /// The restrictions of the client; nil if there are none.
    let grant: Grant?
    /// The author of the commits that the client requests.
    var author: CommitAuthor
    /// Counts sessions of a server from 1; not reused.
    var number: Int32 { author.number }
    weak var transport: (any Transport)?
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var input: Input
    // These fill the last bytes of `input`.

    /// Whether ``Admissions`` counts it.
    var isAdmitted = false
    /// The answer to the client's `upgrade` is still to come.
    var awaitsUpgrade = false

    /// The bytes that ``BufferedBytes`` has for the session.
    var accountedBytes = 0
    var figures = ClientFigures()
    /// The dump that the client reads, and what it loads.
    var dump: Dump?
    var intake: Intake?
    /// The batch or request that waits for the client's next turn.
    var suspended: SuspendedLine?

    init(token: UInt64, peer: PeerCredentials, grant: Grant? = nil, limits: ClientLimits) {
        self.token = token
        author = CommitAuthor(peer)
        self.grant = grant
        input = Input(limits)
    }

    /// What the client has not seen: see ``Delivery/isBehind``.
    var marks: SessionMarks {
        _read { yield behind.value }
        _modify { yield &behind.value }
    }

    /// Whether there may be marks or paces.
    var hasMarks: Bool { behind.isMade }

    func forgetMarks() {
        if behind.isMade { marks.end() }
        behind.forget()
        delivery.isBehind = false
    }

    /// The client reads nothing more: see ``Input/hasLeft``.
    func noteLeft() {
        input.hasLeft = true
        forgetMarks()
    }

    /// Forgets an attachment that is freed: another will have its number.
    func forgetMark(of id: AttachmentID) { if behind.isMade { marks.forget(id) } }

    /// Whether a frame has begun in the output that has no end yet.
    var hasOpenFrame: Bool { behind.isMade && marks.hasOpenFrame }

    var hasOutput: Bool { output.buffer != nil || output.hasRange || delivery.isBehind }

    func endDump() {
        dump?.readView?.end()
        dump = nil
    }
}

/// A client's input: the bytes that are not executed yet, and whether more will come.
struct Input {
    /// When the client last sent bytes, if it has left something unfinished since.
    var lastTime = MonotonicTime(nanoseconds: 0)
    var lines: LineReader
    // These fill the last bytes of `lines`.

    /// The client sends no more, and its requests are executed.
    var hasEnded = false
    /// A write has failed, or the client has hung up: it reads nothing more. The server executes only those of its requests
    /// that may change the state.
    var hasLeft = false
    /// Whether the timer queue has a ``TimerItem/endIdle(_:)`` of the session.
    var isWatchedForIdleness = false

    init(_ limits: ClientLimits) { lines = LineReader(limitBytes: limits.maxLineBytes) }

    var heldBytes: Int { lines.heldBytes }

    /// Drops the received bytes that are not executed.
    mutating func forgetLines() { lines = LineReader(limitBytes: lines.limitBytes) }
}
