// SPDX-License-Identifier: MIT
// `observectl subscribe`: prints changes as they happen. Independent of the values.

import ObserveCore

extension CommandSpec {
    static let subscribe = CommandSpec(
        usage: "subscribe|watch PATH…",
        summary: "print each change of the values at the key paths",
        options: subscribeForms + [
            OptionSpec("--under PREFIX", "a key path that precedes every PATH"),
            OptionSpec("--no-initial", "leave out the values at the start"),
            OptionSpec("--old", "let events carry the value before as well"),
            OptionSpec("--prior", "print an event before each change too"),
            OptionSpec("--origin", "let events name the origin of the change"),
            OptionSpec("--whole", "show arrays whole, as --raw and --format do"),
            OptionSpec("--tag TAG", "let events carry this text"),
            OptionSpec("--every", "every change, never coalesced"),
            OptionSpec("--throttle TIME", "each path at most once in TIME, its last value always"),
            OptionSpec("--debounce TIME", "each path once it has not changed for TIME"),
            OptionSpec("-n, --count N", "end after N events, or lines of --format"),
            OptionSpec("--ready", "write 'ready' to standard error after the first values"),
            OptionSpec("--since EPOCH:REV", "begin with the changes after that revision"),
            OptionSpec("--resume FILE", "continue where the last run with FILE ended"), .noWait,
            OptionSpec("--no-reconnect", "the same as --no-wait"),
        ],
        takesPatterns: true,
        details: """
            Each event is one JSON object a line. Several paths are one subscription. '*' matches one name or
            index, '**' at the end everything below: quote them. An operator may follow: films.@max.year.

            In a TEMPLATE, {PATH} is the value at a path, {} at the first. Without PATH, the paths are those of the TEMPLATE.
            {PATH ?? 'text'} has a text for null, and so has {PATH|none}. Expressions are {PATH + 1} or {PATH > 5 ? 'many' : 'few'}.
            {@reason}, {@path}, {@old}, {@nilAt}, {@time}, {@revision} and {@pid} are of the last event. 'waybar' and 'i3blocks'
            print the JSON of these bars.

            Formats follow a colon: {celsius:.1} rounds to one decimal, {title:20} cuts to 20 characters, {position:duration}
            is 3:07, and {PATH:json} is JSON. {title:markup}, :tmux, :polybar and :zsh keep text from being read as markup
            there; :plain shows hidden characters as escapes.

            Examples:
              observectl subscribe --raw --count 1 app.volume
              observectl subscribe --count 1 --format '{videoTitle} – {position}' \\
                --under app.playbackController.player videoTitle position
            """,
        manual: subscribeManual
    ) { (invocation) throws(CommandError) in try Subscribing(invocation).run() }

    private static let subscribeForms = [
        OptionSpec("-r, --raw", "the new value alone, unquoted; PATH<TAB>VALUE of several or a pattern"),
        OptionSpec("--format TEMPLATE", "one line for each frame that differs from the last"),
        OptionSpec("--all", "print equal lines of --format too, and one for each value of a pattern"),
        OptionSpec("-0", "end lines with NUL; values keep their line feeds"),
        OptionSpec("--time", "add the time at which each event came"),
    ]

    private static let subscribeManual = """
        An event comes when the last component of a path is assigned. It also comes when an earlier one is
        assigned, so that the path leads to another branch. '**' alone is everything. A collection operator may
        follow an array or a model, and a path into each element may follow the operator. Events of one commit,
        a frame, are written together, at once. With --count 0, the command checks the paths and prints nothing.

        'players.*[volume > 10].title' follows the players for which the condition in brackets is true.
        'players.@latest[status == "Playing"].title' follows the one that came to match last, and '@first' is the first in
        their order. With '@count[on]', an operator takes the elements that are on. docs/protocol.md describes conditions.

        Without a daemon, the command says so on standard error and waits for one. So it does when the daemon
        ends or the connection breaks. It also says when the daemon is back. Then it continues with the missed
        changes, if the daemon still has them, else with the current values, even with --no-initial. After a start of the
        daemon, an array that one commit edited more than once comes as replaced. An upgrade of the daemon does not interrupt it.

        It ends with status 0 after N events; with 124 after the timeout, whatever was printed; with 69 under
        --no-wait when the daemon ends; and by SIGPIPE as soon as its output has no reader, also while it
        has nothing to print. With --every it ends with 69 if its output is read too slowly.

        Paths in a template are as on the command line. Of a pattern, {PATH} is the value that changed last. Null is
        nothing without a text for it, and with :json 'null'. '{{' and '}}' are braces, and a backslash makes a character part
        of a path: spaces and the characters of operators need one. docs/protocol.md describes expressions. Line feeds in values become spaces, except with -0. A line that equals the one before is not printed, except
        with --all. If another model takes the place of --under, its values come in one frame, so one line shows them all.
        With --all and a pattern, each event has a line of its own, those at the start too.

        Formats apply from left to right, after the whole expression; :markup, :tmux, :polybar, :zsh and :plain come after
        all others. Decimals are rounded half away from zero. A format that does
        not fit the value, like :.1 and a text, has no effect.

        For waybar, the values at the first to fifth path are text, tooltip, class, alt and percentage, the first two in
        Pango markup; a member whose value is null is left out. For i3blocks they are full_text, short_text and color, and the
        text is not markup; since it reads no escaped quotation marks, it gets apostrophes.

        With --time, events have the member 'time' in UTC. Lines of --raw have a first column in local time with its offset, as
        {@time} has it. With --resume, FILE has the position EPOCH:REVISION after the last commit that was printed whole. If a signal ends the command during a burst of
        changes, the next run prints some of them again, and misses none. With --format, all missed changes are one line of
        the present values; if none were missed, the next change makes the first line.
        """
}

private final class Subscribing {
    private static let longestTag = 128

    private let invocation: Invocation
    private let follower: Follower
    private var paths: ObservedPaths
    private var resume: ResumeFile?
    /// The number of events, or of lines with a format.
    private let limit: Int64?
    /// Nil unless a frame is one line.
    private let format: LineFormat?
    private var isRaw: Bool { invocation.arguments.has("--raw") }
    private var hasTime: Bool { invocation.arguments.has("--time") }
    private var printsAll: Bool { invocation.arguments.has("--all") }
    private var skipsInitial: Bool { invocation.arguments.has("--no-initial") }
    /// The byte after each line.
    private let end: UInt8
    private var printed: Int64 = 0
    private var hasInitial = false
    /// Whether the values at the start, which `--no-initial` leaves out, come now.
    private var isStarting = false
    /// The last line of `--format`, which is not printed again.
    private var lastLine: [UInt8]?

    /// Nothing is connected yet.
    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        try Subscribing.check(arguments)
        self.invocation = invocation
        limit = try arguments.count("--count")
        end = arguments.has("-0") ? 0x00 : 0x0A
        let prefix = arguments.options["--under"]
        let paths = try ObservedPaths(arguments.operands, under: prefix, of: arguments)
        let format = try LineFormat(arguments, paths)
        (self.paths, self.format) = (paths, format)
        let params = try Subscribing.params(arguments, format)
        resume = try ResumeFile(arguments)
        let start = try Subscribing.start(arguments) ?? resume?.start ?? SubscriptionPosition()
        let waits = !arguments.has("--no-reconnect")
        follower = Follower(invocation, params, from: start, waits: waits, needsValues: format != nil)
    }

    private static func check(_ arguments: ParsedArguments) throws(CommandError) {
        try arguments.refuse(["--every"], beside: "--debounce")
        try arguments.refuse(["--raw", "--prior", "--time"], beside: "--format")
        try arguments.refuse(["--prior"], beside: "--raw")
        try arguments.refuse(["--since"], beside: "--resume")
        try arguments.refuse(["--debounce", "--every"], beside: "--throttle")
        if arguments.has("--all"), !arguments.has("--format") {
            throw arguments.usage("--all goes with --format alone")
        }
        if let tag = arguments.options["--tag"], tag.utf8.count > longestTag {
            throw arguments.usage("--tag takes at most \(longestTag) bytes, not \(tag.utf8.count)")
        }
    }

    private static func start(_ arguments: ParsedArguments) throws(CommandError) -> SubscriptionPosition? {
        guard let text = arguments.options["--since"] else { return nil }
        if let position = SubscriptionPosition(text) { return position }
        throw arguments.usage(
            "--since takes EPOCH:REVISION, the epoch of status and a revision, not '\(text)'"
        )
    }

    private static func params(_ arguments: ParsedArguments, _ format: LineFormat?) throws(CommandError)
        -> RequestParams
    {
        let prefix = arguments.options["--under"]
        let paths = arguments.operands.map { Value.string(ObservedPaths.joined(prefix, $0)) }
        let place: RequestParams =
            paths.count == 1 ? ["path": RawJSON(paths[0])] : ["paths": RawJSON(.array(paths))]
        return place + [
            // A line needs the values at the start, even if it does not show them at once.
            "initial": arguments.has("--no-initial") && format == nil ? false : nil,
            "old": arguments.has("--old") || format?.uses(.old) == true ? true : nil,
            "prior": arguments.flag("--prior"),
            "origin": arguments.has("--origin") || format?.uses(.pid) == true ? true : nil,
            "whole": arguments.has("--whole") || arguments.has("--raw") || format != nil ? true : nil,
            "tag": arguments.options["--tag"].map { RawJSON(.string($0)) },
            "delivery": arguments.has("--every") ? "every" : nil,
            "throttle": try arguments.milliseconds("--throttle").map { RawJSON(.int($0)) },
            "debounce": try arguments.milliseconds("--debounce").map { RawJSON(.int($0)) },
        ]
    }

    func run() throws(CommandError) {
        while true {
            switch try follower.next() {
            case .subscribed(let values, let hasMissed):
                if let values { apply(values, hasMissed: hasMissed) }
                isStarting = !hasInitial
                hasInitial = hasInitial || follower.position.initialsLeft == 0
            case .frame(let events): try print(events)
            }
            follower.announceReadiness()
            if isOver { return try keep() }
            if !follower.hasWaitingEvent { try keep() }
        }
    }

    private var zone: ClockZone { invocation.presentation.zone }

    private var isOver: Bool { limit.map { printed >= $0 } ?? false }

    private func keep() throws(CommandError) { try resume?.keep(follower.position) }

    /// Without missed changes, the values are those of the last line of an earlier run.
    private func apply(_ values: [ChangeEvent], hasMissed: Bool) {
        guard let format else { return }
        for event in values { paths.apply(event) }
        hasInitial = true
        guard !hasMissed, let last = values.last else { return }
        lastLine = format.line(paths, last: last, keepsLines: end == 0, zone: zone)
    }

    /// Ends within a frame. Its rest is for the next run, from the frame's beginning, or after the last of several missed
    /// commits that was printed whole.
    private func cut(_ frame: [ChangeEvent], at index: Int) throws(CommandError) {
        let revisions = frame.map { $0.params.int("revision") ?? 0 }
        let next = revisions[index...].min() ?? 0
        if let whole = revisions[..<index].filter({ $0 < next }).max() {
            try resume?.keep(follower.position.moved(to: whole))
        }
        resume = nil
    }

    // MARK: Lines

    private func print(_ frame: [ChangeEvent]) throws(CommandError) {
        if let format { return try printLine(of: frame, format) }
        // A program reads what ends with NUL.
        let isVerbatim = isRaw || end == 0 || invocation.presentation.isVerbatim
        var lines: [UInt8] = []
        for (index, event) in frame.enumerated() {
            if isOver {
                try cut(frame, at: index)
                break
            }
            printed += 1
            if let line = line(of: event) {
                // On a terminal, as people read it.
                let json = isVerbatim ? nil : try? RawJSON(validating: line)
                if let json { try invocation.show(json) } else if isVerbatim { lines += line + [end] }
            } else {
                invocation.process.report("a new value is larger than the daemon shows")
            }
        }
        if !lines.isEmpty { try invocation.write(lines) }
    }

    private func line(of event: ChangeEvent) -> [UInt8]? {
        guard isRaw else {
            guard hasTime else { return event.params.bytes }
            let now = Platform.text(ofTime: Platform.timeOfDay)
            return event.params.adding("time", RawJSON(.string(now))).bytes
        }
        guard let new = event.new else { return nil }
        let time = hasTime ? zone.rfc3339(.now) : nil
        let columns = [time, paths.count > 1 || paths.hasPattern ? event.path : nil].compactMap(\.self)
        return columns.flatMap { "\($0)\t".bytes } + new.unquoted
    }

    /// Prints the line of a frame, if it differs from the last one. With --all, each value of a pattern has a line.
    private func printLine(of frame: [ChangeEvent], _ format: LineFormat) throws(CommandError) {
        let hasLines = printsAll && paths.hasPattern
        for (index, event) in frame.enumerated() {
            if isOver { return try cut(frame, at: index) }
            paths.apply(event)
            if event.isTruncated, let path = event.path {
                invocation.process.report("\(path): the value is larger than the daemon shows")
            }
            if hasLines || index == frame.count - 1 { try printLine(format, last: event) }
        }
    }

    private func printLine(_ format: LineFormat, last event: ChangeEvent) throws(CommandError) {
        let line = format.line(paths, last: event, keepsLines: end == 0, zone: zone)
        hasInitial = true
        guard line != lastLine || printsAll else { return }
        lastLine = line
        if isStarting, event.reason == .initial, skipsInitial { return }
        printed += 1
        try invocation.write(line + [end])
    }
}
