// SPDX-License-Identifier: MIT
// `observectl tree --follow`: keys and events for a live tree. Independent of its drawing and of requests.

import ObserveCore

final class TreeFollowing {
    private static let frameNanoseconds: UInt64 = 100_000_000
    private static let explainNanoseconds: UInt64 = 500_000_000
    /// A filter looks at so many rows.
    private static let mostRows = 50_000

    private let invocation: Invocation
    private let start: [String]
    private let glyphs: Glyphs
    private let live: LiveGraph
    private var rows: [TreeRow] = []
    private var state = TreeScreenState(expansion: TreeExpansion(depth: 1))
    private var explained = Explained()

    private struct Explained {
        var path: [UInt8]?
        var answer: Value?
        var time = MonotonicTime.now
        var isBehind = false
    }

    init(_ invocation: Invocation, from start: [String]) {
        (self.invocation, self.start) = (invocation, start)
        glyphs = invocation.glyphs
        live = LiveGraph(invocation, from: start)
    }

    func run() throws(CommandError) {
        // A refusal, or a daemon that is not there, is reported on the ordinary screen.
        try invocation.awaitingDaemon { [live] () throws(CommandError) in try live.load() }
        if !start.isEmpty, live.graph.place(of: start) == nil {
            throw .failed("\(invocation.operands[0]) leads nowhere; 'observectl tree' shows all paths")
        }
        let screen = try Screen(invocation)
        let height = layout(screen.size).treeRows
        state.expansion = TreeExpansion(depth: TreeOutline.fittingDepth(height, live.graph, from: start))
        outline(screen.size)
        var drawn = try draw(screen)
        while true {
            let until = min(wakeUp(after: drawn), screen.deadline ?? .distantFuture)
            let wasAway = live.message != nil
            try live.collect(until: until, alarms: screen.alarms)
            // What failed without the daemon is over with its return.
            if wasAway, live.message == nil { state.message = nil }
            var isUrgent = false
            for event in try screen.events() {
                isUrgent = true
                guard case .key(let key) = event else { continue }
                guard try handle(key, screen) else { return }
            }
            let next = drawn.adding(nanoseconds: TreeFollowing.frameNanoseconds)
            guard isUrgent || next <= .now else { continue }
            if live.refresh() { outline(screen.size) }
            drawn = try draw(screen)
        }
    }

    /// The time of the next frame if no key comes: soon if something glows or counts down, or events have come.
    private func wakeUp(after drawn: MonotonicTime) -> MonotonicTime {
        let frame = drawn.adding(nanoseconds: TreeFollowing.frameNanoseconds)
        if live.hasNews || isGlowing { return frame }
        var next = live.nextRefresh
        if !live.graph.layers.isEmpty { next = min(next, drawn.adding(milliseconds: 1000)) }
        if explained.isBehind {
            next = min(next, explained.time.adding(nanoseconds: TreeFollowing.explainNanoseconds))
        }
        // An event ends the wait only if it is looked for, so a quiet tree is looked at four times a second.
        return max(frame, min(next, drawn.adding(milliseconds: 250)))
    }

    private var isGlowing: Bool { shownRows.contains { live.recent.glow(of: $0, at: .now) > 0 } }

    // MARK: Rows

    private func layout(_ size: FrameSize) -> TreeScreenLayout {
        TreeScreenLayout(size, pins: state.pins.count)
    }

    private var height = 1
    private var shownRows: ArraySlice<TreeRow> { rows.dropFirst(state.first).prefix(height) }

    /// Makes the rows again: the models, those that are open, the filter or the size have changed.
    private func outline(_ size: FrameSize) {
        if state.filter.isEmpty {
            rows = TreeOutline(live.graph, from: start, isOpen: state.expansion.isOpen).rows
        } else {
            let all = TreeOutline(live.graph, from: start, limit: TreeFollowing.mostRows) { _, _ in true }
            rows = all.rows.filtered(by: state.filter)
        }
        height = layout(size).treeRows
        state.adopt(rows, height: height)
    }

    private var chosen: TreeRow? { rows.indices.contains(state.index) ? rows[state.index] : nil }

    // MARK: Drawing

    private func draw(_ screen: Screen) throws(CommandError) -> MonotonicTime {
        if height != layout(screen.size).treeRows { outline(screen.size) }
        let hasNews = live.takeNews()
        let pinned = state.pins.compactMap { TreeRow.pinned($0, in: live.graph) }
        live.compute(Array(shownRows) + pinned)
        explain(hasNews: hasNews)
        let now = MonotonicTime.now
        var shown = state
        shown.message = live.message ?? state.message
        let (graph, paths, time) = (live.graph, live.paths, Platform.timeOfDay)
        let lines = TreeLines(graph: graph, paths: paths, glyphs: glyphs, now: time, showsExpansion: true)
        let view = TreeScreen(
            rows: rows,
            pinned: pinned,
            lines: lines,
            state: shown,
            panel: panel(screen.size),
            glow: { [recent = live.recent] in recent.glow(of: $0, at: now) }
        )
        let isShown = try screen.draw(Frame(view.lines(screen.size), screen.size, in: glyphs))
        // A terminal that takes no bytes now gets the next frame at the usual time.
        if !isShown {
            _ = Poll.wait(for: screen.alarms.map { ($0, .readable) }, until: now.adding(milliseconds: 50))
        }
        return now
    }

    /// Requests the explanation of the chosen path, if it is another one, or perhaps has changed.
    private func explain(hasNews: Bool) {
        explained.isBehind = explained.isBehind || hasNews
        let isNew = explained.path != chosen?.path.bytes
        let isDue = explained.time.adding(nanoseconds: TreeFollowing.explainNanoseconds) <= .now
        guard isNew || explained.isBehind && isDue, live.message == nil else { return }
        let answer = chosen.flatMap { live.explanation(of: $0.path) }
        explained = Explained(path: chosen?.path.bytes, answer: answer)
    }

    private func panel(_ size: FrameSize) -> TreePanel? {
        guard layout(size).panel != nil, let chosen else { return nil }
        let (zone, name) = (invocation.presentation.zone, live.names.name)
        let (now, age) = (Platform.timeOfDay, explained.time.nanoseconds(until: .now) / 1_000_000)
        let lines = explained.answer.map {
            ExplainLines(explained: $0, glyphs: glyphs, now: now, age: Int64(age), zone: zone, name: name)
        }
        return TreePanel(
            path: chosen.path,
            explained: lines,
            numbers: live.recent.numbers(of: chosen.path),
            changes: live.recent.changes(of: chosen.path, most: size.rows, name: name),
            glyphs: glyphs,
            zone: zone
        )
    }

    // MARK: Keys

    /// - Returns: false if the key ends the command.
    private func handle(_ key: Key, _ screen: Screen) throws(CommandError) -> Bool {
        state.message = nil
        if state.isTyping {
            type(key)
            outline(screen.size)
            return key != .control("c")
        }
        switch key {
        case .character("q"), .control("c"), .control("d"): return false
        case .escape:
            state.filter = ""
            outline(screen.size)
        case .character("/"): state.isTyping = true
        case .character("e"): try edit(screen)
        case .character("y"): try printPath(screen)
        case .character("p"):
            if let chosen { state.togglePin(chosen.path) }
            outline(screen.size)
        case .character("l"): follow(screen.size)
        case .character(" "), .enter, .left, .right, .character("h"): toggle(key, screen.size)
        default: move(key, screen.size)
        }
        return true
    }

    private func type(_ key: Key) {
        switch key {
        case .character(let character): state.filter.append(character)
        case .backspace: _ = state.filter.popLast()
        case .enter: state.isTyping = false
        case .escape, .control("c"): (state.isTyping, state.filter) = (false, "")
        default: break
        }
    }

    private func move(_ key: Key, _ size: FrameSize) {
        func choose(_ number: Int) { state.choose(number, in: rows, height: height) }
        switch key {
        case .up, .character("k"): choose(state.index - 1)
        case .down, .character("j"): choose(state.index + 1)
        case .pageUp: choose(state.index - height)
        case .pageDown: choose(state.index + height)
        case .home, .character("g"): choose(0)
        case .end, .character("G"): choose(rows.count - 1)
        case .wheel(let isUp, _, _): state.scroll(by: isUp ? -3 : 3, in: rows, height: height)
        case .click(let column, let row):
            switch layout(size).target(column: column, row: row) {
            case .pin(let number): reveal(state.pins[number], size)
            case .row(let number) where rows.indices.contains(state.first + number):
                let isChosen = state.index == state.first + number
                choose(state.first + number)
                if isChosen { toggle(.enter, size) }
            case .row, nil: break
            }
        default: break
        }
    }

    /// Opens or closes the chosen model. To close a row without contents is to choose the one above it.
    private func toggle(_ key: Key, _ size: FrameSize) {
        guard let row = chosen else { return }
        let isOpen = row.isCollapsed == false
        switch key {
        case .left where !isOpen, .character("h") where !isOpen:
            let above = rows[..<state.index].lastIndex { $0.depth < row.depth }
            if let above { state.choose(above, in: rows, height: height) }
            return
        case .right where isOpen: return
        default: break
        }
        guard row.isCollapsed != nil else { return }
        state.expansion.setOpen(!isOpen, row.path, row.depth)
        outline(size)
    }

    private func reveal(_ path: String, _ size: FrameSize) {
        state.filter = ""
        state.expansion.reveal(path, below: start.count)
        state.choose(path: path)
        outline(size)
    }

    /// Chooses the model that the chosen row refers to, or the other end of its binding.
    private func follow(_ size: FrameSize) {
        guard let row = chosen else { return }
        var target = row.link
        if case .weak(let instance?) = live.graph.content(at: row.place) {
            target = live.paths.path(to: instance)
        }
        target = target ?? live.paths.bound[row.place]?.first?.other
        guard let target else { return state.message = "\(row.path) refers to no other path" }
        // A path may lead through a shared model, whose row has another path.
        let place = GraphPaths.names(of: target).flatMap(live.graph.place(of:))
        let shown = place.flatMap(live.paths.path(of:)) ?? target
        reveal(shown, size)
        if chosen?.path.isExactly(shown) != true { state.message = "\(target) is not in this tree" }
    }

    // MARK: The ordinary screen

    private func edit(_ screen: Screen) throws(CommandError) {
        guard let chosen else { return }
        let socket = invocation.arguments.options["--socket"].map { ["--socket", $0] } ?? []
        let editing = CommandSpec.edit
        do throws(CommandError) {
            let arguments = try editing.parse(socket + ["--", chosen.path])
            var inner = Invocation(arguments: arguments, process: invocation.process)
            inner.presentation = invocation.presentation
            try screen.lend { () throws(CommandError) in try editing.run(inner) }
        } catch {
            state.message = error.sentence ?? "\(chosen.path) was not changed"
        }
    }

    private func printPath(_ screen: Screen) throws(CommandError) {
        guard let chosen else { return }
        try screen.lend { () throws(CommandError) in try invocation.print(chosen.path.bytes) }
        state.message = "\(chosen.path) is on the ordinary screen, too"
    }
}
