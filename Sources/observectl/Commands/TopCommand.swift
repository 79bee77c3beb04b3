// SPDX-License-Identifier: MIT
// `observectl top`: the daemon's load and its connections, live or once. Independent of their drawing.

import ObserveCore

extension CommandSpec {
    static let top = CommandSpec(
        usage: "top",
        summary: "show the daemon's load and its busiest connections, as they change",
        options: [
            OptionSpec("--once", "print one table and end, as without a terminal"),
            OptionSpec("--json", "print figures as JSON, one object a line"),
            OptionSpec("--interval TIME", "between two measurements, 1s or more or less"),
            OptionSpec("--sort COLUMN", "sort by \(TopColumn.known)"), asciiOption, .noWait,
        ],
        details: """
            Rates are of the last interval. Keys: 'q' ends, '<' and '>' choose the column, 'r' reverses the
            order; a click on a title does both. Only the daemon's own user and root may ask for connections.

            Examples:
              observectl top --once
              observectl top --once --json --interval 200ms
            """,
        manual: """
            WAITING are the bytes that wait for a client, COALESCED its changes that coalesced into other events, and HOLDS
            its values that expire with the connection. The load is of one processor. Without a daemon, top waits for one, but not with --once.
            """
    ) { (invocation) throws(CommandError) in try TopRun(invocation).run() }
}

private final class TopRun {
    private let invocation: Invocation
    private let interval: UInt64
    private let sampling: TopSampling
    private var state = TopState()
    private var figures: TopFigures?

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        let arguments = invocation.arguments
        interval = try arguments.duration("--interval")?.nanoseconds ?? 1_000_000_000
        if let name = arguments.options["--sort"] {
            guard let column = TopColumn(rawValue: name)
            else { throw arguments.usage("--sort takes one of \(TopColumn.known), not '\(name)'") }
            state.column = column
            state.isDescending = column.isNumber
        }
        sampling = TopSampling(invocation)
    }

    func run() throws(CommandError) {
        let isJSON = invocation.arguments.has("--json")
        let isOnce = invocation.arguments.has("--once") || !isJSON && !invocation.presentation.isTerminal
        if isJSON || isOnce { try list(isJSON: isJSON, isOnce: isOnce) } else { try watch() }
    }

    // MARK: Lists

    private func list(isJSON: Bool, isOnce: Bool) throws(CommandError) {
        let waits = !invocation.arguments.has("--once")
        _ = try first(waits)
        repeat {
            try pause()
            let figures = try first(waits)
            if isJSON {
                try invocation.show(figures.json)
            } else {
                try invocation.draw(view(figures).lines(columns: invocation.lineColumns))
            }
        } while !isOnce
    }

    private func first(_ waits: Bool = true) throws(CommandError) -> TopFigures {
        try invocation.awaitingDaemon(waits) { () throws(CommandError) in try attempt(sampling.next()) }
    }

    private func pause() throws(CommandError) {
        let next = MonotonicTime.now.adding(nanoseconds: interval)
        let end = min(next, invocation.deadline ?? next)
        let came = Poll.wait(for: [(invocation.streams.output, [])], until: end)
        if came[0].contains(.gone) { throw .client(.abandoned) }
        if let deadline = invocation.deadline, deadline <= .now { throw .client(.timedOut) }
    }

    private func view(_ figures: TopFigures) -> TopView {
        TopView(figures: figures, state: state, glyphs: invocation.glyphs, ownProcess: Int64(Platform.pid))
    }

    // MARK: The screen

    private func watch() throws(CommandError) {
        // A refusal, or a daemon that is not there, is reported on the ordinary screen.
        figures = try first()
        let screen = try Screen(invocation)
        var next = MonotonicTime.now.adding(nanoseconds: min(interval, 300_000_000))
        while true {
            if next <= .now {
                try sample()
                next = .now.adding(nanoseconds: interval)
            }
            let isShown = try draw(screen)
            // A terminal that takes no bytes gets the next frame a little later.
            let soon = isShown ? next : min(next, .now.adding(milliseconds: 50))
            let end = min(soon, invocation.deadline ?? .distantFuture, screen.deadline ?? .distantFuture)
            _ = Poll.wait(for: screen.alarms.map { ($0, .readable) }, until: end)
            if let deadline = invocation.deadline, deadline <= .now { throw .client(.timedOut) }
            for case .key(let key) in try screen.events() where !handle(key, screen.size) { return }
        }
    }

    private func sample() throws(CommandError) {
        do throws(ClientError) {
            figures = try sampling.next()
            state.message = nil
        } catch {
            if invocation.arguments.has(OptionSpec.noWait.name) { throw .client(error) }
            state.message = "\(error.waitSentence); waiting for it"
        }
    }

    private func draw(_ screen: Screen) throws(CommandError) -> Bool {
        guard let figures else { return true }
        let lines = view(figures).lines(columns: screen.size.columns, rows: screen.size.rows)
        return try screen.draw(Frame(lines, screen.size, in: invocation.glyphs))
    }

    /// - Returns: false if the key ends the command.
    private func handle(_ key: Key, _ size: FrameSize) -> Bool {
        let last = max((figures?.rows.count ?? 0) - 1, 0)
        let page = max(size.rows - TopView.headRows - 1, 1)
        switch key {
        case .character("q"), .control("c"), .control("d"), .escape: return false
        case .character("<"), .left: state.choose(by: -1)
        case .character(">"), .right: state.choose(by: 1)
        case .character("r"): state.isDescending.toggle()
        case .up, .character("k"), .wheel(up: true, _, _): state.scrolled = max(state.scrolled - 1, 0)
        case .down, .character("j"), .wheel(up: false, _, _): state.scrolled = min(state.scrolled + 1, last)
        case .pageUp: state.scrolled = max(state.scrolled - page, 0)
        case .pageDown: state.scrolled = min(state.scrolled + page, last)
        case .home: state.scrolled = 0
        case .end: state.scrolled = last
        case .click(let column, TopView.headRows - 1):
            guard let figures else { break }
            let layout = TopLayout(figures.rows, columns: size.columns, state, invocation.glyphs)
            if let chosen = layout.column(at: column) { state.sort(by: chosen) }
        default: break
        }
        return true
    }
}
