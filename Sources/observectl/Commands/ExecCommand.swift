// SPDX-License-Identifier: MIT
// `observectl exec`: runs a command at each frame. Independent of the command.

import ObserveCore

extension CommandSpec {
    static let exec = CommandSpec(
        usage: "exec PATH… -- COMMAND…",
        summary: "run a command at each change of the values at the key paths",
        options: [
            OptionSpec("--initial", "run it for the values at the start too"),
            OptionSpec("--restart", "at a change, end the running command by SIGTERM"),
            OptionSpec("--debounce TIME", "run it once nothing has changed for TIME"),
            OptionSpec("--on-fail continue|stop", "when it fails: continue, or end with its status"),
            OptionSpec("--ready", "write 'ready' to standard error once no change can be missed"), .noWait,
        ],
        takesPatterns: true,
        details: """
            One command runs at a time. If something changes meanwhile, it runs again at once, and never
            without the last change. Its standard input has the events as JSON lines. $OBSERVED_PATH,
            $OBSERVED_VALUE and $OBSERVED_OLD are of the first one. The command dies with exec.

            Examples:
              observectl exec app.volume -- sh -c 'echo "volume: $OBSERVED_VALUE"'
              observectl exec --restart 'site.**' -- make site
            """,
        manual: """
            The command runs for the changes of one commit together, and for all changes while the run before
            lasted. Then its input has the last event of each path. OBSERVED_VALUE is a string without its quotes, and null
            is 'null'. OBSERVED_OLD is the value before the first change of that path. A value of over 100 KiB, or with
            NUL, is left out.

            Without a daemon, exec waits for one. It passes signals on to the running command, and ends after it. So it does
            when the reader of its output ends. If exec is killed, the kernel kills the command. Processes that the command
            has started continue, except those that 'setpriv --pdeathsig KILL' starts. With --restart the
            command gets SIGTERM, and SIGKILL five seconds later. If the first command can't be executed, the status is 127
            without the program, and else 126. If a later one can't be, exec says so and tries again until it can.
            """
    ) { (invocation) throws(CommandError) in try Executing(invocation).run() }
}

private final class Executing {
    /// How long a command may take to end after SIGTERM.
    private static let patience: UInt64 = 5000

    private let invocation: Invocation
    private let words: [String]
    private let follower: Follower
    private let signals: PassedSignals
    private var stopsOnFailure: Bool { invocation.arguments.options["--on-fail"] == "stop" }
    private var restarts: Bool { invocation.arguments.has("--restart") }
    /// How long nothing may have changed before the command runs, in milliseconds.
    private let debounce: UInt64
    private var pending = PendingEvents()
    private var child: ChildProcess?
    /// The time at which a command that was asked to end is killed.
    private var killTime: MonotonicTime?
    private var retryDelay = RetryDelay()
    /// The time at which a command that could not be executed is tried again.
    private var retryTime: MonotonicTime?
    /// The time at which nothing will have changed for long enough.
    private var quietTime: MonotonicTime = .now
    private var hasStarted = false

    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        guard let separator = arguments.operands.firstIndex(of: "--"), separator > 0
        else { throw arguments.usage("exec takes PATH… -- COMMAND: the paths, '--' and the command") }
        words = Array(arguments.operands[(separator + 1)...])
        guard let program = words.first, !program.isEmpty
        else { throw arguments.usage("a COMMAND is missing after '--'") }
        debounce = try arguments.milliseconds("--debounce").map { UInt64($0) } ?? 0
        let paths = Array(arguments.operands[..<separator])
        let params: RequestParams = [
            "paths": RawJSON(.array(paths.map(Value.string))), "old": true, "whole": true,
            "initial": arguments.has("--initial") ? nil : false,
        ]
        self.invocation = invocation
        follower = Follower(invocation, params)
        signals = try PassedSignals(of: invocation.process)
    }

    func run() throws(CommandError) {
        while true {
            try reap()
            if child == nil {
                if let number = signals.ending { throw .quiet(.signal(number)) }
                if !pending.isEmpty, startTime <= .now { try start() }
            }
            if signals.ending == nil { try follow() } else { awaitAlarm() }
        }
    }

    private var startTime: MonotonicTime { max(retryTime ?? quietTime, quietTime) }

    private func follow() throws(CommandError) {
        follower.alarms = alarms
        let start = child == nil && !pending.isEmpty ? startTime : nil
        do throws(CommandError) {
            switch try follower.next(until: killTime ?? start) {
            case .subscribed?: follower.announceReadiness()
            case .frame(let events)?:
                pending.add(events)
                if debounce > 0 { quietTime = MonotonicTime.now.adding(milliseconds: debounce) }
                follower.announceReadiness()
                if restarts { endChild() }
            case nil: kill()
            }
        } catch .client(.abandoned) {
            signals.pass(to: child)
            let output = Poll.wait(for: [(invocation.streams.output, [])], until: .now)
            if output[0].contains(.gone) {
                signals.end(by: CurrentProcess.brokenPipe)
                endChild()
            }
        }
    }

    private var alarms: [Int32] { signals.numbers + (child.map { [$0.number] } ?? []) }

    private func awaitAlarm() {
        guard child != nil else { return }
        let came = Poll.wait(for: alarms.map { ($0, .readable) }, until: killTime)
        if came.allSatisfy(\.isEmpty) { kill() }
        signals.pass(to: child)
    }

    // MARK: The command

    private func start() throws(CommandError) {
        let events = pending
        pending = PendingEvents()
        let input = try attempt(MemoryFile(events.lines, name: "events")) { (error: SocketError) in
            CommandError.failed("the command has no room for its input: \(error)")
        }
        do throws(CommandError) {
            let (number, isFirst) = (input.number, retryTime == nil)
            child = try invocation.start(words, input: number, events.variables, reportsFailure: isFirst)
            hasStarted = true
            retryTime = nil
            retryDelay.reset()
        } catch {
            if stopsOnFailure || !hasStarted { throw error }
            // A program may be missing while it is replaced. What changed must not be lost with it.
            pending = events
            retryDelay.fail()
            retryTime = MonotonicTime.now.adding(milliseconds: retryDelay.milliseconds)
        }
    }

    private func reap() throws(CommandError) {
        guard let end = child?.end() else { return }
        child = nil
        let wasEnded = killTime != nil
        killTime = nil
        guard stopsOnFailure, end.isFailure, !wasEnded, signals.ending == nil else { return }
        throw .quiet(end.ending)
    }

    private func endChild() {
        guard let child, killTime == nil else { return }
        child.signal(CurrentProcess.termination)
        killTime = MonotonicTime.now.adding(milliseconds: Executing.patience)
    }

    private func kill() {
        guard killTime != nil else { return }
        child?.signal(CurrentProcess.kill)
        killTime = .distantFuture
    }
}

/// The frames since the last run. Of each path, the last event waits, so memory is bounded by the number of paths.
struct PendingEvents {
    /// The last event of each path, with its place among all, and the value before the first; nil if the daemon did not say.
    private var latest: [[UInt8]: (place: Int, event: ChangeEvent, old: RawJSON?)] = [:]
    private var count = 0

    var isEmpty: Bool { latest.isEmpty }

    mutating func add(_ frame: [ChangeEvent]) {
        for event in frame {
            let path = (event.path ?? "").bytes
            let old = if let known = latest[path] { known.old } else { event.params.member("old") }
            latest[path] = (count, event, old)
            count += 1
        }
    }

    var lines: [UInt8] {
        latest.values.sorted { $0.place < $1.place }.flatMap { $0.event.params.bytes + [0x0A] }
    }

    /// The variables of the first event. A value that an environment can't hold is left out.
    var variables: [String: String?] {
        guard let first = latest.values.min(by: { $0.place < $1.place }) else { return [:] }
        return [
            "OBSERVED_PATH": PendingEvents.variable((first.event.path ?? "").bytes),
            "OBSERVED_VALUE": first.event.new.flatMap { PendingEvents.variable($0.unquoted) },
            "OBSERVED_OLD": first.old.flatMap { PendingEvents.variable($0.unquoted) },
        ]
    }

    private static let longestVariable = 100 << 10

    private static func variable(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= longestVariable, !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
