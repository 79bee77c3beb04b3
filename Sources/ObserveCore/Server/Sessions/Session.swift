// SPDX-License-Identifier: MIT
// One client's side of the conversation, without its socket: lines in, bytes out. Knows nothing of descriptors.

/// What carries a session's bytes away.
protocol Transport: AnyObject {
    /// Writes as much of the session's output as the peer takes now, and notes in ``Session/isBlocked`` whether that
    /// was less than all. Does not end the session, even if the peer is gone.
    func flush(_ session: Session)
}

/// Why a connection ended. Every close has one of these.
package enum CloseReason: Equatable, Sendable {
    case peerClosed
    case overflow
    case shutdown
    case tooManyConnections
    /// No rule lets its user in.
    case accessDenied
    /// The rules are others than those that let its user in.
    case accessChanged
    /// A goodbye was said, and the client took nothing for too long.
    case unresponsive
    case failed(errno: Int32)
}

/// The state of one client: what it has subscribed, what it has yet to be sent.
///
/// Output stands in two places: ``output``, bytes that only wait for the socket; behind them, and only while the
/// client is slow, ``outbox``, where changes of one path are folded.
///
/// - Threading: none of its own; confined with its hub.
@safe
final class Session {
    // What sending a line reads stands together, in the object's first two or three cache lines: with a thousand clients
    // that is what a delivery costs beside the kernel.

    /// Finds the session again in its transport.
    let token: UInt64
    /// Bytes that wait for the socket; none while there are none.
    @safe @exclusivity(unchecked) private(set) var output: ByteBuffer?
    /// The same once more: what is done with it counts no reference.
    @safe @exclusivity(unchecked) private var unretainedOutput: Unmanaged<ByteBuffer>?
    /// Which of the lines in ``Hub/broadcast`` wait for the socket instead: those who only listen are sent what others
    /// are sent from where it stands, and nothing is copied for each of them. Never beside ``output``; over by the end of
    /// the turn.
    @safe @exclusivity(unchecked) var broadcastRange = 0..<0
    /// Nothing is in the way of a change: the client takes what it is sent. One question instead of four, and no count
    /// of references, for each subscriber of each change.
    @safe @exclusivity(unchecked) private(set) var isFree = true
    /// Whether anything stands in ``outbox``; then nothing may pass it by.
    @safe @exclusivity(unchecked) var isQueueing = false { didSet { findFree() } }
    /// The socket took less than it was offered; it will say when it takes more.
    @safe @exclusivity(unchecked) var isBlocked = false { didSet { findFree() } }
    /// Already in the hub's list of sessions that have something to be sent.
    @safe @exclusivity(unchecked) var isDirty = false
    /// How much of what waits shows no commit that the journal does not have yet; while there are any.
    @safe @exclusivity(unchecked) var flushedCount = 0
    /// The same for those that are not being synced; while there is a ``InFlightBatch``.
    @safe @exclusivity(unchecked) var inFlightCount = 0
    /// The client sends no more.
    @safe @exclusivity(unchecked) var hasEndedInput = false
    /// Set with the goodbye: what is still to be sent is all there will be.
    @safe @exclusivity(unchecked) var closing: CloseReason? { didSet { findFree() } }

    /// What its client is restricted to; nil if to nothing.
    let grant: Grant?
    /// Who commits what its client asks for, as the kernel says.
    @safe @exclusivity(unchecked) var author: CommitAuthor
    /// Counted from 1 in its hub; never given out again.
    var number: Int32 { author.number }
    weak var transport: (any Transport)?
    @safe @exclusivity(unchecked) var lines: LineReader

    @safe @exclusivity(unchecked) var outbox = Outbox()
    /// The last batch (see ``JournalGate``) in which something was queued.
    @safe @exclusivity(unchecked) var queuedInBatch: UInt64 = 0

    /// The first attachment of each subscription, by the subscription's number.
    @safe @exclusivity(unchecked) var subscriptions = SubscriptionTable()
    /// The subscriptions with patterns, by their numbers.
    @safe @exclusivity(unchecked) var patternSubscriptions: [Int32: PatternSubscriptionID] = [:]
    /// The outbox entries of what changed below deeply observed paths.
    @safe @exclusivity(unchecked) var deepEntries: [AttachmentID: WaitingBelow] = [:]
    @safe @exclusivity(unchecked) var lastSubscription: Int32 = 0
    /// What the subscriptions with `throttle` or `debounce` hold back, by their numbers.
    @safe @exclusivity(unchecked) var pacers: [Int32: Pacer] = [:] { didSet { findFree() } }
    /// The newest revision that the client was told, or will be when what waits is sent; kept while there are ``pacers``.
    @safe @exclusivity(unchecked) var lastRevision: UInt64 = 0

    /// The picture that the client is being told, and what it is loading.
    @safe @exclusivity(unchecked) var dump: Dump?
    @safe @exclusivity(unchecked) var intake: Intake?

    init(token: UInt64, peer: PeerCredentials, grant: Grant? = nil, limits: ServerLimits) {
        self.token = token
        author = CommitAuthor(peer)
        self.grant = grant
        lines = LineReader(limitBytes: limits.maxLineBytes)
    }

    private func findFree() { isFree = !isQueueing && !isBlocked && closing == nil && pacers.isEmpty }

    /// Calls `body` with ``output``.
    ///
    /// - Returns: false where there is none.
    @discardableResult
    @inline(__always)
    func withOutput(_ body: (ByteBuffer) -> Void) -> Bool {
        guard let output = unretainedOutput else { return false }
        unsafe output._withUnsafeGuaranteedRef(body)
        return true
    }

    /// Begins ``output``, of which there is none.
    @inline(__always)
    func beginOutput(in buffer: consuming ByteBuffer) {
        unsafe unretainedOutput = Unmanaged.passUnretained(buffer)
        output = consume buffer
    }

    /// Ends ``output``.
    @inline(__always)
    func popOutput() -> ByteBuffer? {
        var taken: ByteBuffer?
        swap(&taken, &output)
        unretainedOutput = nil
        return taken
    }

    @inline(__always)
    var hasBroadcastRange: Bool { broadcastRange.upperBound != broadcastRange.lowerBound }

    /// Bytes that only wait for the socket.
    @inline(__always)
    var outputCount: Int {
        var count = broadcastRange.count
        withOutput { count += $0.count }
        return count
    }

    /// Bytes that wait for the client, folded changes not counted: those take a bounded room for each path.
    @inline(__always)
    var waitingBytes: Int { outputCount + outbox.lineBytes }

    var hasSubscriptions: Bool { !subscriptions.isEmpty || !patternSubscriptions.isEmpty }

    var hasOutput: Bool { output != nil || hasBroadcastRange || isQueueing }
}
