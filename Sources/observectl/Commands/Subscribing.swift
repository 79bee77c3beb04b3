// SPDX-License-Identifier: MIT
// One run of `observectl subscribe`, over as many connections as it needs.

import ObserveCore

/// Prints the events of a subscription until it has the requested number.
final class Subscribing {
    private let invocation: Invocation
    private let limit: Int64?
    private let times: [(name: String, milliseconds: Int64)]
    private let isRaw: Bool
    private var printed: Int64 = 0
    private var isReady = false
    private var position = SubscriptionPosition()

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        limit = try invocation.arguments.count("--count")
        var times: [(name: String, milliseconds: Int64)] = []
        for name in ["throttle", "debounce"] {
            if let milliseconds = try invocation.arguments.milliseconds("--\(name)") {
                times.append((name, milliseconds))
            }
        }
        self.times = times
        isRaw = invocation.arguments.has("--raw")
    }

    func run() throws(CommandError) {
        var connection = try invocation.connect()
        while true {
            do throws(CommandError) {
                return try follow(connection)
            } catch {
                if error.isUpgrade {
                    connection = try reconnect(after: 0)
                    continue
                }
                guard error.isLoss, !invocation.arguments.has("--no-reconnect") else { throw error }
                invocation.process.report("\(error.sentence ?? "the daemon has gone"); waiting for it")
            }
            connection = try reconnect(after: 20)
        }
    }

    /// Subscribes, and prints events until it has the requested number.
    private func follow(_ connection: ClientConnection) throws(CommandError) {
        connection.audience = invocation.streams.output
        let answer = try attempt { () throws(ClientError) in
            try connection.call("subscribe", params, until: invocation.deadline)
        }
        try attempt { () throws(ClientError) in try position.start(answer) }
        announceReadiness()
        while limit.map({ printed < $0 }) ?? true {
            let event: ChangeEvent
            do throws(ClientError) {
                event = try connection.nextEvent(until: invocation.deadline)
            } catch {
                if let revision = connection.lastRevision { position.end(at: revision) }
                throw .client(error)
            }
            for event in position.collect(event) where limit.map({ printed < $0 }) ?? true {
                try print(event)
                printed += 1
            }
            announceReadiness()
        }
    }

    /// Tries to connect, at growing intervals, until a daemon runs again.
    ///
    /// - Parameter milliseconds: the first interval.
    private func reconnect(after milliseconds: UInt64) throws(CommandError) -> ClientConnection {
        var delay = milliseconds
        while true {
            let next = MonotonicTime.now.adding(milliseconds: delay)
            let until = min(next, invocation.deadline ?? .distantFuture)
            let came = Poll.wait(for: [(invocation.streams.output, [])], until: until)
            if came[0].contains(.gone) { throw .client(.abandoned) }
            if let deadline = invocation.deadline, deadline <= .now { throw .client(.timedOut) }
            delay = min(max(delay * 2, 20), 1000)
            do throws(CommandError) { return try invocation.connect() } catch {
                guard case .client(.unreachable) = error else { throw error }
            }
        }
    }

    private func announceReadiness() {
        guard !isReady, position.initialsLeft == 0 else { return }
        isReady = true
        if invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    private func print(_ event: ChangeEvent) throws(CommandError) {
        guard isRaw else { return try invocation.print(event.params.bytes) }
        guard let new = event.new else {
            return invocation.process.report("a new value is larger than the daemon shows")
        }
        try invocation.print(new.unquoted)
    }

    private var params: RequestParams {
        let arguments = invocation.arguments
        let paths = arguments.operands.map { Value.string($0) }
        var params: RequestParams =
            paths.count == 1 ? ["path": RawJSON(paths[0])] : ["paths": RawJSON(.array(paths))]
        if arguments.has("--no-initial") { params.append("initial", RawJSON(false)) }
        if arguments.has("--old") { params.append("old", RawJSON(true)) }
        if arguments.has("--origin") { params.append("origin", RawJSON(true)) }
        for (name, milliseconds) in times { params.append(name, RawJSON(.int(milliseconds))) }
        if let since = position.since { params.append("since", RawJSON(since)) }
        return params
    }
}

extension CommandError {
    /// Whether a newer daemon continues on the same socket.
    var isUpgrade: Bool { self == .client(.goodbye(reason: "upgrade")) }

    /// Whether the connection is lost, and a reconnect may succeed.
    fileprivate var isLoss: Bool {
        switch self {
        case .client(.connectionLost), .client(.goodbye("shutdown")), .client(.goodbye("accessChanged")),
            .client(.goodbye("commitsUndone")):
            true
        default: false
        }
    }
}
