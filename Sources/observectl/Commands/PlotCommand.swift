// SPDX-License-Identifier: MIT
// `observectl plot`: numbers over time, from the daemon or from standard input. Independent of their drawing.

import ObserveCore

extension CommandSpec {
    static let plot = CommandSpec(
        usage: "plot [PATH…]",
        summary: "draw numbers over time: at PATHs, or of standard input",
        options: [
            OptionSpec("--since TIME", "begin that long ago, or then: 5m, 14:00; what the history has"),
            OptionSpec("--window TIME", "show the last TIME alone; live 1m"),
            OptionSpec("--min N", "the least number of the axis"),
            OptionSpec("--max N", "the greatest number of the axis"), OptionSpec("--width N", "columns"),
            OptionSpec("--height N", "rows"),
            OptionSpec("--once", "draw the history once and end, as without a terminal"),
            OptionSpec("--svg FILE", "write a picture of it instead, for a browser"),
            OptionSpec("--blocks", "draw with blocks instead of Braille"), asciiOption, .noWait,
        ],
        takesPatterns: true,
        details: """
            Lines of input are numbers, [TIME, NUMBER] or events. 'q' ends a live plot.

            Examples:
              observectl plot --once app.volume
              seq 1 20 | observectl plot --height 8
            """,
        manual: """
            Events are those of subscribe. On a terminal, a plot of PATHs is live.
            A value holds until the next one. True is 1 and false is 0; where a value is not a number, or is one beyond
            ±1e300, the line has a gap.
            Numbers of standard input without times are in the order of their lines, and straight lines connect them. With
            --once and --svg, the plot begins where the history of the daemon begins, or at --since. At most twelve series
            are drawn. Times are local. In a line, TIME is text after RFC 3339, with 'Z' or an offset, or seconds since 1970;
            numbers above 100,000,000,000 are milliseconds. A line with another TIME is an error. A live plot begins with the
            history of its window, and has a gap while the daemon is away.

            The status is 0 once the picture is drawn, or 'q' has ended a live plot. It is 1 if nothing can be drawn: no
            number came, a line is not one, or the daemon refuses a path. A FILE that can't be written ends it with 74.
            """
    ) { (invocation) throws(CommandError) in try Plotting(invocation).run() }
}

private final class Plotting {
    private static let frameMilliseconds: UInt64 = 100
    private static let longestLine = 1 << 20
    private static let liveWindow = 60.0

    private let invocation: Invocation
    private var since: ClockTime?
    private let width: Int?
    private let height: Int?
    private let file: String?
    private var state = PlotState()
    private var data = PlotData()

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        let arguments = invocation.arguments
        since = try invocation.past("--since")
        state.clockOffset = Double(invocation.presentation.zone.at(Platform.timeOfDay / 1000).offset)
        width = try arguments.count("--width", in: 4...1000)
        height = try arguments.count("--height", in: 4...1000)
        file = arguments.options["--svg"]
        state.low = try Plotting.number("--min", arguments)
        state.high = try Plotting.number("--max", arguments)
        if let low = state.low, let high = state.high, low >= high {
            throw arguments.usage("--min \(low) is not below --max \(high)")
        }
        state.window = try arguments.duration("--window").map { Double($0.nanoseconds) / 1e9 }
        if arguments.has("--blocks") { state.dots = .blocks }
        if since != nil, arguments.operands.isEmpty {
            throw arguments.usage("--since needs a PATH: standard input has no history")
        }
        // A faulty path is a usage error before anything is connected.
        _ = try ObservedPaths(arguments.operands, under: nil, of: arguments)
    }

    private static func number(_ name: String, _ arguments: ParsedArguments) throws(CommandError) -> Double? {
        guard let text = arguments.options[name] else { return nil }
        if let number = Double(text), abs(number) <= PlotScale.greatest { return number }
        throw arguments.usage("\(name) takes a number between ±\(PlotScale.greatest), not '\(text)'")
    }

    func run() throws(CommandError) {
        if invocation.operands.isEmpty {
            try readInput()
            state.isStepped = data.axis == .time && data.series.contains { !$0.name.isEmpty }
            return try show()
        }
        let isStill = file != nil || invocation.arguments.has("--once") || !invocation.presentation.isTerminal
        guard isStill else { return try watch() }
        // A path without a history would leave none to the others.
        let kept = invocation.operands.filter { !Invocation.hasNoHistory($0) }
        if kept.isEmpty {
            try addPresent()
        } else {
            try readPast(follower(of: kept, try beginning(of: kept), waits: false))
        }
        state.now = Double(Platform.timeOfDay) / 1000
        try show()
    }

    // MARK: Standard input

    private func readInput() throws(CommandError) {
        invocation.announceInput("numbers")
        var lines = TextLines()
        var number = 0
        while true {
            let came = Poll.wait(for: [(invocation.streams.input, .readable)], until: invocation.deadline)
            if came[0].isEmpty { throw .client(.timedOut) }
            let bytes = try invocation.availableInput()
            for line in lines.consume(bytes ?? [0x0A]) {
                number += 1
                try add(line, number)
            }
            guard lines.rest.count <= Plotting.longestLine
            else { throw .failed("line \(number + 1) is too long") }
            if bytes == nil { return }
        }
    }

    private func add(_ line: [UInt8], _ number: Int) throws(CommandError) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        try attempt(data.add(line: line, at: .now)) { (fault: PlotFault) in
            switch fault {
            case .form:
                let wanted = "a number, [TIME, NUMBER] or an event like the lines before"
                let text = String(decoding: line.prefix(80), as: UTF8.self)
                return CommandError.failed("line \(number) is not \(wanted): '\(text)'")
            case .time(let text):
                let wanted =
                    "RFC 3339, like \"2026-01-31T23:59:59+01:00\", or seconds or milliseconds since 1970"
                return .failed("line \(number): \(text.cut(atBytes: 80)) is not a time: it is \(wanted)")
            }
        }
    }

    // MARK: The daemon

    private func params(_ paths: [String]) -> RequestParams {
        ["paths": RawJSON(.array(paths.map(Value.string)))]
    }

    private func changes(of paths: [String]) -> RequestParams { params(paths) + ["old": true] }

    private func follower(of paths: [String], _ position: SubscriptionPosition, waits: Bool) -> Follower {
        let follower = Follower(invocation, changes(of: paths), from: position, waits: waits)
        follower.wantsTimes = true
        return follower
    }

    private func beginning(of paths: [String]) throws(CommandError) -> SubscriptionPosition {
        try invocation.beginningOfHistory(probing: paths[0], changes(of: paths))
    }

    /// Reads all changes of the history, and the present values of paths that it does not have.
    private func readPast(_ follower: Follower) throws(CommandError) {
        guard case .subscribed = try follower.next(), try addWaiting(follower) else { return }
        try addPresent()
    }

    /// Adds all that the daemon has sent by now. False if the connection is lost.
    private func addWaiting(_ follower: Follower) throws(CommandError) -> Bool {
        guard try follower.synchronize() else { return false }
        while follower.hasWaitingEvent, case .frame(let events) = try follower.next() { add(events) }
        return true
    }

    /// Adds the values of paths that the history does not have.
    private func addPresent() throws(CommandError) {
        let connection = try invocation.connect()
        let present = try attempt(
            connection.initialEvents(params(invocation.operands), until: invocation.deadline)
        )
        for event in present {
            let change = LoggedChange(event, at: .now) { _ in nil }
            guard data.index(of: change.path) == nil else { continue }
            let time = Invocation.hasNoHistory(change.path) ? .now : since ?? .now
            data.add(change.new, to: change.path, at: time)
        }
    }

    private func add(_ events: [ChangeEvent]) {
        let now = ClockTime.now
        for event in events where !event.isPrior {
            let change = LoggedChange(event, at: now) { _ in nil }
            guard let time = change.time else { continue }
            if let since, time.milliseconds < since.milliseconds {
                data.add(change.new, to: change.path, at: since)
                data.drop(before: Double(since.milliseconds) / 1000)
                continue
            }
            if data.index(of: change.path) == nil, let since, event.reason != .initial {
                data.add(change.old, to: change.path, at: since)
            }
            data.add(change.new, to: change.path, at: time)
        }
    }

    private func watch() throws(CommandError) {
        let sinceThen = since.map { Double(Platform.timeOfDay - $0.milliseconds) / 1000 }
        let window = state.window ?? sinceThen ?? Plotting.liveWindow
        state.window = window
        since = since ?? ClockTime(milliseconds: Platform.timeOfDay - Int64(nearest: window * 1000))
        let paths = invocation.operands
        let past = try invocation.awaitingDaemon { () throws(CommandError) in try beginning(of: paths) }
        let follower = follower(of: paths, past, waits: true)
        try readPast(follower)
        let screen = try Screen(invocation)
        var message: String?
        follower.report = { [self] sentence in
            message = sentence
            data.pause(at: .now)
        }
        var isBack = false
        while true {
            let now = Double(Platform.timeOfDay) / 1000
            state.now = now
            data.drop(before: now - window)
            try draw(screen, message)
            let next = MonotonicTime.now.adding(milliseconds: Plotting.frameMilliseconds)
            while next > .now {
                follower.alarms = screen.alarms
                do throws(CommandError) {
                    switch try follower.next(until: min(next, screen.deadline ?? next)) {
                    case .frame(let events): add(events)
                    case .subscribed: (message, isBack) = (nil, true)
                    case nil: break
                    }
                    // After the missed changes, or the values at the start.
                    if isBack, try addWaiting(follower) {
                        data.resume(at: .now)
                        isBack = false
                    }
                } catch .client(.abandoned) {}
                let events = try screen.events()
                if events.contains(where: Plotting.ends) { return }
                if events.contains(.redraw) { break }
            }
        }
    }

    private static func ends(_ event: ScreenEvent) -> Bool {
        [.key(.character("q")), .key(.control("c")), .key(.control("d")), .key(.escape)].contains(event)
    }

    private func draw(_ screen: Screen, _ message: String?) throws(CommandError) {
        let size = FrameSize(min(width ?? .max, screen.size.columns), min(height ?? .max, screen.size.rows))
        let view = PlotView(data: data, state: state, glyphs: invocation.glyphs)
        var lines = view.lines(columns: size.columns, rows: size.rows)
        if let message { lines[0] = CellLine(message, .of(.warning), in: invocation.glyphs) }
        try screen.draw(Frame(lines, screen.size, in: invocation.glyphs))
    }

    // MARK: A still

    private func show() throws(CommandError) {
        guard data.hasNumber else {
            let paths = invocation.operands.joined(separator: ", ")
            let range = data.isBeyondAxis ? " between ±\(PlotScale.greatest)" : ""
            throw .failed("\(paths.isEmpty ? "standard input" : paths): no number\(range) to plot")
        }
        if state.window != nil, data.axis == .lines {
            throw .failed("--window needs lines with times: [TIME, NUMBER] or events")
        }
        if let file {
            let (width, height) = (Double(width ?? 100) * 8, Double(height ?? 20) * 16)
            let picture = PlotPicture(data: data, state: state, width: width, height: height)
            return try invocation.replace(file, picture.svg)
        }
        let columns = width ?? (invocation.presentation.isTerminal ? invocation.presentation.columns : 80)
        let rows = height ?? min((invocation.screenRows ?? 24) - 1, 24)
        let view = PlotView(data: data, state: state, glyphs: invocation.glyphs)
        try invocation.draw(view.lines(columns: columns, rows: max(rows, 4)))
    }
}
