// SPDX-License-Identifier: MIT
// A subscription that outlives its connections. Independent of the use of its frames.

import ObserveCore

/// Subscribes, waits for a daemon that is not there, and returns whole frames.
///
/// - Errors: as ``Invocation/connect(until:)``. A lost daemon is an error only if the follower does not wait for it.
/// - Threading: confined to its owner, whose thread it blocks.
final class Follower {
    enum Step: Equatable {
        /// A daemon has answered. Its initial events, or the missed changes, follow.
        case subscribed
        case frame([ChangeEvent])
    }

    private let invocation: Invocation
    private let params: RequestParams
    /// Whether it waits for a daemon that is not there, or has gone.
    private let waits: Bool
    private let readsAhead: Bool
    private(set) var position: SubscriptionPosition
    private var connection: ClientConnection?
    private var delay = RetryDelay()
    /// The report of the next connection, after a report of its lack.
    private var greeting: String?
    private var hadDaemon = false
    /// Descriptors that end a wait when they are readable: ``next()`` then throws ``ClientError/abandoned``. So does the
    /// end of the output's reader.
    var alarms: [Int32] = [] { didSet { connection?.alarms = alarms } }

    /// - Parameters:
    ///   - params: of `subscribe`, without `since`.
    ///   - position: where to resume.
    ///   - readsAhead: see ``ClientConnection/readsAhead``.
    init(
        _ invocation: Invocation,
        _ params: RequestParams,
        from position: SubscriptionPosition = SubscriptionPosition(),
        waits: Bool = true,
        readsAhead: Bool = false
    ) {
        self.invocation = invocation
        self.params = params
        self.position = position
        self.waits = waits
        self.readsAhead = readsAhead
    }

    /// Whether the next event has arrived already.
    var hasWaitingEvent: Bool { connection?.hasWaitingEvent ?? false }

    /// Waits for the next step.
    func next() throws(CommandError) -> Step {
        while true {
            if let step = try next(until: nil) { return step }
        }
    }

    /// Waits for the next step until that time; nil when it has passed. Events that have arrived come first.
    func next(until time: MonotonicTime?) throws(CommandError) -> Step? {
        let deadline = invocation.deadline ?? .distantFuture
        let end = min(time ?? .distantFuture, deadline)
        while true {
            do throws(ClientError) {
                guard let connection else {
                    try connect()
                    return .subscribed
                }
                let until = end == .distantFuture ? nil : end
                let frame = position.collect(try connection.nextEvent(until: until))
                if !frame.isEmpty { return .frame(frame) }
            } catch {
                if error == .timedOut, end < deadline { return nil }
                try handle(error)
            }
        }
    }

    /// Waits until everything that the daemon has done by now has arrived: an answer is a barrier.
    ///
    /// - Returns: false if the connection is lost.
    func synchronize() throws(CommandError) -> Bool {
        do throws(ClientError) {
            guard let connection else { return false }
            _ = try connection.call("ping", until: invocation.deadline)
            return true
        } catch {
            try handle(error)
            return false
        }
    }

    /// Prepares the next attempt after a loss. Throws if the error is not a loss.
    private func handle(_ error: ClientError) throws(CommandError) {
        if let revision = connection?.lastRevision { position.end(at: revision) }
        connection = nil
        if CommandError.client(error).isUpgrade {
            delay.reset()
            return
        }
        guard waits, error.isLoss(afterContact: hadDaemon) else { throw .client(error) }
        if greeting == nil {
            invocation.process.report("\(error.waitSentence); waiting for it")
            greeting = hadDaemon ? "the daemon is back" : "the daemon is there"
        }
        delay.grow()
    }

    private func connect() throws(ClientError) {
        try pause()
        let fresh = try attemptToConnect()
        fresh.audience = invocation.streams.output
        fresh.alarms = alarms
        fresh.readsAhead = readsAhead
        var params = params
        if let since = position.since { params.append("since", RawJSON(since)) }
        try position.start(try fresh.call("subscribe", params, until: invocation.deadline))
        connection = fresh
        hadDaemon = true
        delay.reset()
        if let greeting { invocation.process.report(greeting) }
        greeting = nil
    }

    /// A daemon with a full queue must not block the alarms for long.
    private func attemptToConnect() throws(ClientError) -> ClientConnection {
        let deadline = invocation.deadline ?? .distantFuture
        let soon = MonotonicTime.now.adding(milliseconds: RetryDelay.longest)
        do throws(ClientError) {
            return try invocation.connect(until: waits ? min(soon, deadline) : invocation.deadline)
        } catch {
            guard waits, error == .timedOut, deadline > .now else { throw error }
            throw .unreachable(.timedOut(""))
        }
    }

    /// Waits for the interval before the next attempt, if there is one.
    private func pause() throws(ClientError) {
        guard delay.milliseconds > 0 else { return }
        let deadline = invocation.deadline ?? .distantFuture
        let next = MonotonicTime.now.adding(milliseconds: delay.milliseconds)
        var wanted: [(descriptor: Int32, events: PollEvents)] = [(invocation.streams.output, [])]
        for alarm in alarms { wanted.append((alarm, .readable)) }
        let came = Poll.wait(for: wanted, until: min(next, deadline))
        if came[0].contains(.gone) || came[1...].contains(where: { !$0.isEmpty }) { throw .abandoned }
        if deadline <= .now { throw .timedOut }
    }
}

extension ClientError {
    /// Whether a later attempt to connect may succeed.
    ///
    /// - Parameter afterContact: whether a daemon has answered before.
    func isLoss(afterContact: Bool) -> Bool {
        switch self {
        case .connectionLost, .goodbye("shutdown"), .goodbye("accessChanged"), .goodbye("commitsUndone"): true
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

extension CommandError {
    /// Whether a newer daemon continues on the same socket.
    var isUpgrade: Bool { self == .client(.goodbye(reason: "upgrade")) }
}
