// SPDX-License-Identifier: MIT
// `observectl log`: what changed, when, and who did it. Independent of the lines' form.

import ObserveCore

extension CommandSpec {
    static let log = CommandSpec(
        usage: "log [PATH…]",
        summary: "list past changes below the PATHs: when, by which process, from what to what",
        options: [
            OptionSpec("--since TIME", "only changes of the last TIME, or since then: 5m, 1d, 14:00"),
            OptionSpec("-f, --follow", "list further changes as they happen"),
            OptionSpec("--json", "print events as subscribe does, with time and name"), asciiOption, .noWait,
        ],
        takesPatterns: true,
        details: """
            Without PATH, it lists all changes. A PATH stands for all that is below it; patterns are as in
            subscribe. Times are local. The daemon's history has the last 1,000 commits at most.

            Examples:
              observectl log
              observectl log --since 5m app
            """,
        manual: """
            In a pipe each line begins with the date and the time. On a terminal, lines have dates if one is of another day
            than today.

            With --follow, it waits for a daemon, as subscribe does. A process that is connected has its name before its number. Weak references and computed values have no
            changes of their own, except where a PATH with '@' or '*' names them. If the daemon does not send so many changes at once, the command
            says so, and leaves out older ones.
            """
    ) { (invocation) throws(CommandError) in try Logging(invocation).run() }
}

private final class Logging {
    private let invocation: Invocation
    private let follower: Follower
    private var follows: Bool { invocation.arguments.has("--follow") }
    /// The earliest time of a change that is listed.
    private let start: ClockTime?
    private var lines: LogLines
    private var name: (Int64) -> String? = { _ in nil }

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        let arguments = invocation.arguments
        start = try invocation.past("--since")
        // A pipe's lines have the same form, whatever their times are.
        let (zone, hasDates) = (invocation.presentation.zone, !invocation.presentation.isTerminal)
        lines = LogLines(invocation.glyphs, zone, now: .now, hasDates: hasDates)
        let patterns = try Logging.patterns(arguments)
        let params: RequestParams = [
            "paths": RawJSON(.array(patterns.map(Value.string))), "old": true, "origin": true, "whole": true,
        ]
        let follows = arguments.has("--follow")
        let beginning = try invocation.awaitingDaemon(follows) { () throws(CommandError) in
            try invocation.beginningOfHistory(probing: patterns[0], params)
        }
        follower = Follower(invocation, params, from: beginning, waits: follows)
        follower.wantsTimes = true
    }

    /// The paths with everything below them.
    private static func patterns(_ arguments: ParsedArguments) throws(CommandError) -> [String] {
        let typed = arguments.operands.isEmpty ? [""] : arguments.operands
        return try typed.map { (path) throws(CommandError) in
            if path.isEmpty { return "**" }
            if Invocation.hasNoHistory(path) {
                throw arguments.usage("the daemon keeps no history of \(path); subscribe shows it")
            }
            let components = try arguments.components(of: path)
            let isLiteral = components.allSatisfy { if case .name = $0 { true } else { false } }
            return isLiteral ? "\(path).**" : path
        }
    }

    func run() throws(CommandError) {
        if follows {
            name = ProcessNames { [invocation] in invocation.processNames() }.name
        } else {
            let names = invocation.processNames()
            name = { names[$0] }
        }
        guard case .subscribed = try follower.next() else { return }
        guard try follower.synchronize() || follows else { return }
        var pastEvents: [ChangeEvent] = []
        while follower.hasWaitingEvent, case .frame(let events) = try follower.next() { pastEvents += events }
        if pastEvents.isEmpty {
            let roots = try invocation.request("describe", ["path": RawJSON("")]).member("properties")
            if roots?.elements.isEmpty ?? true {
                invocation.reportEmptyDaemon()
            } else {
                let paths = invocation.operands.map { (path: $0, value: RawJSON(.null)) }
                invocation.reportMissingRoots(paths, among: roots)
            }
        }
        try show(pastEvents, at: nil)
        guard follows else { return }
        while true {
            guard case .frame(let events) = try follower.next() else { continue }
            try show(events, at: .now)
        }
    }

    private func show(_ events: [ChangeEvent], at time: ClockTime?) throws(CommandError) {
        let isJSON = invocation.arguments.has("--json")
        var changes: [LoggedChange] = []
        for event in events where event.reason != .initial {
            let change = LoggedChange(event, at: time, name: name)
            if let start, let time = change.time, time.milliseconds < start.milliseconds { continue }
            if isJSON { try invocation.show(record(event, change)) } else { changes.append(change) }
        }
        guard !changes.isEmpty else { return }
        try invocation.draw(lines.lines(changes, columns: invocation.lineColumns))
    }

    private func record(_ event: ChangeEvent, _ change: LoggedChange) -> RawJSON {
        var record = event.params
        if record.member("time") == nil, let time = change.time {
            record = record.adding("time", RawJSON(.string(ClockZone.utc.rfc3339(time))))
        }
        if let name = change.maker.name { record = record.adding("name", RawJSON(.string(name))) }
        return record
    }
}
