// SPDX-License-Identifier: MIT
// One run of `observectl subscribe`: through the end of one connection and on with the next. Knows no command line.

import ObserveCore

/// Prints what a subscription is told until it has had enough.
final class Subscribing {
    private let invocation: Invocation
    private let limit: Int64?
    private let times: [(name: String, milliseconds: Int64)]
    private let isRaw: Bool
    private var printed: Int64 = 0
    private var isReady = false
    private var position = Position()

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        limit = try invocation.arguments.count("--count")
        var times: [(name: String, milliseconds: Int64)] = []
        for name in ["throttle", "debounce"] {
            if let milliseconds = try invocation.arguments.count("--\(name)") {
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
                guard error.isLoss, !invocation.arguments.has("--no-reconnect") else { throw error }
                invocation.tool.report("\(error.sentence ?? "the daemon has gone"); waiting for it")
            }
            connection = try reconnect()
        }
    }

    /// Subscribes, and prints events until there are enough.
    private func follow(_ connection: ClientConnection) throws(CommandError) {
        connection.audience = invocation.streams.output
        let answer = try attempt { () throws(ClientError) in
            try connection.call("subscribe", params, until: invocation.deadline)
        }
        try position.start(answer)
        announceReadiness()
        while limit.map({ printed < $0 }) ?? true {
            let event = try attempt { () throws(ClientError) in
                try connection.nextEvent(until: invocation.deadline)
            }
            guard try position.advance(event) else { continue }
            try print(event)
            printed += 1
            announceReadiness()
        }
    }

    /// Tries until there is a daemon again, more and more seldom.
    private func reconnect() throws(CommandError) -> ClientConnection {
        var delay: UInt64 = 20
        while true {
            let next = MonotonicTime.now.adding(milliseconds: delay)
            let until = min(next, invocation.deadline ?? .distantFuture)
            let came = Poll.wait(for: [(invocation.streams.output, [])], until: until)
            if came[0].contains(.gone) { throw .client(.abandoned) }
            if let deadline = invocation.deadline, deadline <= .now { throw .client(.timedOut) }
            delay = min(delay * 2, 1000)
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
            return invocation.tool.report("a new value is larger than the daemon shows")
        }
        try invocation.print(new.plainText)
    }

    private var params: [(name: String, value: RawJSON)] {
        let arguments = invocation.arguments
        let paths = arguments.operands.map { Value.string($0) }
        var params: [(name: String, value: RawJSON)] = [
            paths.count == 1 ? ("path", RawJSON(paths[0])) : ("paths", RawJSON(.array(paths)))
        ]
        if arguments.has("--no-initial") { params.append(("initial", RawJSON(false))) }
        if arguments.has("--old") { params.append(("old", RawJSON(true))) }
        if arguments.has("--origin") { params.append(("origin", RawJSON(true))) }
        for (name, milliseconds) in times { params.append((name, RawJSON(.int(milliseconds)))) }
        if let since = position.since { params.append(("since", RawJSON(since))) }
        return params
    }
}

/// What has been seen of a daemon's history: where to go on, and what not to print again.
private struct Position {
    private var epoch: String?
    /// The latest revision that was seen, and the paths of which an event said so.
    private var revision: Int64 = 0
    private var paths: Set<RawJSON> = []
    /// What a resumed subscription is told once more.
    private var known: (revision: Int64, paths: Set<RawJSON>) = (0, [])
    /// How many values at the start are still to come.
    private(set) var initialsLeft: Int64 = 0

    /// What to ask for after a loss; nil as long as not even the values at the start have come.
    ///
    /// The connection may have broken in the middle of a commit's events: then that commit is asked for again.
    var since: Value? {
        guard let epoch, initialsLeft == 0 else { return nil }
        return .object(
            ValueMembers([
                ("epoch", .string(epoch)), ("revision", .int(paths.isEmpty ? revision : revision - 1)),
            ])
        )
    }

    mutating func start(_ answer: RawJSON) throws(CommandError) {
        let isResumed = (try? answer.required("resumed").value()) == true
        known = isResumed ? (revision, paths) : (0, [])
        initialsLeft = try answer.requiredInt("initial")
        epoch = (try? answer.required("epoch").value())?.string
        guard !isResumed else { return }
        revision = (try? answer.requiredInt("revision")) ?? 0
        paths = []
    }

    /// Takes note of an event; false if it was seen before the connection was lost.
    mutating func advance(_ event: ChangeEvent) throws(CommandError) -> Bool {
        if event.reason == .initial { initialsLeft -= 1 }
        let eventRevision = (try? event.params.requiredInt("revision")) ?? 0
        guard let path = event.params.member("path") else { return true }
        if eventRevision == known.revision, known.paths.contains(path) { return false }
        if eventRevision > revision {
            revision = eventRevision
            paths = [path]
        } else if event.reason != .initial || !paths.isEmpty {
            paths.insert(path)
        }
        return true
    }
}

extension CommandError {
    /// Whether the daemon has gone, and another may come.
    fileprivate var isLoss: Bool {
        switch self {
        case .client(.connectionLost), .client(.goodbye("shutdown")): true
        default: false
        }
    }
}
