// SPDX-License-Identifier: MIT
// A subscription that outlives its connections. Independent of the use of its frames.

import ObserveCore

/// Subscribes, waits for a daemon that is not there, and returns whole frames.
/// - Errors: as ``Invocation/connect(until:)``. A lost daemon is an error only if the follower does not wait for it. After
///   another error, the connection stays.
class Follower {
    enum Step: Equatable {
        /// A daemon has answered. The values, of the first connection alone, are for a follower that resumes and needs them:
        /// missed changes lead from older values to these or to later ones. `hasMissed` is false if the follower resumes and
        /// has missed nothing. Else missed changes follow, or the initial events.
        case subscribed(values: [ChangeEvent]?, hasMissed: Bool)
        case frame([ChangeEvent])
    }

    let invocation: Invocation
    private let params: RequestParams
    private var wait: DaemonWait
    private let readsAhead: Bool
    /// Whether the next connection needs the values from before the missed changes.
    private var needsValues: Bool
    var position: SubscriptionPosition
    private(set) var connection: ClientConnection?
    private var isReady = false
    /// Descriptors that end a wait when they are readable: ``next()`` then throws ``ClientError/abandoned``. So does the
    /// end of the output's reader.
    var alarms: [Int32] = [] { didSet { connection?.alarms = alarms } }

    /// - Parameters:
    ///   - params: of `subscribe`, without `since`.
    ///   - waits: whether it waits for a daemon that is not there, or has gone, unless an option forbids it.
    ///   - needsValues: whether the values of all paths are needed, though only missed changes follow.
    ///   - hasAudience: whether the end of the output's reader ends a wait.
    init(
        _ invocation: Invocation,
        _ params: RequestParams,
        from position: SubscriptionPosition = SubscriptionPosition(),
        waits: Bool = true,
        readsAhead: Bool = false,
        needsValues: Bool = false,
        hasAudience: Bool = true
    ) {
        (self.invocation, self.params, self.position) = (invocation, params, position)
        wait = DaemonWait(invocation, isPatient: waits, hasAudience: hasAudience)
        self.readsAhead = readsAhead
        self.needsValues = needsValues && position.since != nil
    }

    /// Whether missed events have the times of their commits.
    var wantsTimes = false

    var report: (String) -> Void {
        get { wait.report }
        set { wait.report = newValue }
    }

    var hasWaitingEvent: Bool { connection?.hasWaitingEvent ?? false }

    /// Says once, with `--ready`, that no change can be missed: the values at the start have come.
    func announceReadiness() {
        guard !isReady, position.initialsLeft == 0 else { return }
        isReady = true
        if invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    func next() throws(CommandError) -> Step {
        while true { if let step = try next(until: nil) { return step } }
    }

    /// Waits for the next step until that time; nil when it has passed. Events that have arrived come first. Without a daemon,
    /// nil may come later by the interval between two attempts to connect.
    func next(until time: MonotonicTime?) throws(CommandError) -> Step? {
        let deadline = invocation.deadline ?? .distantFuture
        let end = min(time ?? .distantFuture, deadline)
        while true {
            do throws(ClientError) {
                guard let connection else { return try connect() }
                let until = end == .distantFuture ? nil : end
                let frame = position.collect(try connection.nextEvent(until: until))
                if !frame.isEmpty { return .frame(frame) }
            } catch {
                if error == .timedOut, end < deadline, .now < deadline { return nil }
                try handle(error)
                if let time, time <= .now { return nil }
            }
        }
    }

    /// Waits until all that the daemon has done by now has arrived: an answer is a barrier. False if the connection is lost.
    func synchronize() throws(CommandError) -> Bool { try request("ping") != nil }

    /// The result of a request; nil without a connection, and if it is lost.
    func request(_ method: String, _ params: RequestParams = [:]) throws(CommandError) -> RawJSON? {
        do throws(ClientError) {
            return try connection?.call(method, params, until: invocation.deadline)
        } catch {
            try handle(error)
            return nil
        }
    }

    private func handle(_ error: ClientError) throws(CommandError) {
        if connection == nil, case .refused(let refusal) = error { return try wait.note(refusal: refusal) }
        try wait.note(error)
        if let revision = connection?.lastRevision { position.end(at: revision) }
        connection = nil
    }

    private func connect() throws(ClientError) -> Step {
        let fresh = try wait.connect(unless: alarms)
        fresh.audience = wait.audience
        fresh.alarms = alarms
        fresh.readsAhead = readsAhead
        let step = try begin(fresh)
        connection = fresh
        wait.found()
        return step
    }

    /// Subscribes on a new connection.
    func begin(_ fresh: ClientConnection) throws(ClientError) -> Step {
        let values = needsValues ? try fresh.initialEvents(params, until: invocation.deadline) : nil
        var since = position.since?.object
        if wantsTimes { since?["times"] = true }
        let resumed = params + ["since": since.map { RawJSON(.object($0)) }]
        let answer = try fresh.call("subscribe", resumed, until: invocation.deadline)
        try position.start(answer)
        needsValues = false
        return .subscribed(values: values, hasMissed: answer.int("replayed") != 0)
    }
}

extension ClientError {
    /// Whether a later attempt to connect may succeed. After contact, a daemon has answered before.
    func isLoss(afterContact: Bool) -> Bool {
        switch self {
        case .connectionLost, .goodbye("shutdown"), .goodbye("accessChanged"), .goodbye("journalFailed"): true
        case .unreachable(.noSocket), .unreachable(.noListener), .unreachable(.timedOut): true
        case .unreachable: afterContact
        default: false
        }
    }

    /// The loss as a clause before "waiting for it".
    var waitSentence: String {
        switch self {
        case .unreachable(.noSocket(let path)): "no daemon listens on \(path)"
        case .unreachable(.timedOut): "the daemon does not accept connections"
        default: description
        }
    }
}

extension ClientConnection {
    /// The initial events of a subscription, which ends at once. No event of it stays.
    func initialEvents(_ params: RequestParams, until deadline: MonotonicTime?) throws(ClientError)
        -> [ChangeEvent]
    {
        let answer = try call("subscribe", params, until: deadline)
        guard let subscription = answer.int("subscription"), let count = answer.int("initial")
        else { throw .malformed("an answer to subscribe without subscription and initial") }
        var events: [ChangeEvent] = []
        while events.count < count {
            let event = try nextEvent(until: deadline)
            if event.reason == .initial { events.append(event) }
        }
        _ = try call("unsubscribe", ["subscription": RawJSON(.int(subscription))], until: deadline)
        while waitingEvent() != nil {}
        return events
    }
}
