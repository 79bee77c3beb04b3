// SPDX-License-Identifier: MIT
// The frames of `tree --follow`, exactly; open models, filters, pins, glows, recent changes, the places of the mouse.

import ObserveCore
import Testing

@testable import observectl

struct TreeScreenTests {
    private func event(_ path: String, _ new: Value, _ old: Value = .null) -> ChangeEvent {
        let members = ValueMembers([
            ("path", .string(path)), ("new", new), ("old", old),
            ("origin", ["pid": 42, "uid": 1000] as Value),
        ])
        return ChangeEvent(params: RawJSON(.object(members)), subscription: 1, reason: .valueChanged)
    }

    private let start = MonotonicTime(nanoseconds: 10_000_000_000)

    private func recent(_ events: [(path: String, value: Value, milliseconds: UInt64)]) -> RecentChanges {
        var recent = RecentChanges()
        for (path, value, milliseconds) in events {
            recent.add(
                event(path, value),
                at: path,
                ClockTime(milliseconds: 1_795_432_985_000 + Int64(milliseconds)),
                start.adding(milliseconds: milliseconds)
            )
        }
        return recent
    }

    private func rows(_ graph: ModelGraph, _ expansion: TreeExpansion, filter: String = "") -> [TreeRow] {
        filter.isEmpty
            ? TreeOutline(graph, from: [], isOpen: expansion.isOpen).rows
            : TreeOutline(graph, from: []) { _, _ in true }.rows.filtered(by: filter)
    }

    private var explained: Value {
        [
            "path": "app.volume", "value": 20, "type": "Any", "kind": "int",
            "components": .array([
                ["path": "app", "kind": "model", "type": "Any"],
                ["path": "app.volume", "kind": "int", "type": "Any"],
            ]),
            "lastChange": [
                "revision": 9, "time": "2026-11-23T11:23:05.500Z", "origin": ["pid": 42, "uid": 1000],
            ],
            "fedBy": .array([["binding": 2, "path": "library.films.1.year"]]),
            "feeds": .array([["binding": 2, "path": "library.films.1.year"]]),
            "lifetimes": .array([["value": 20, "origin": .null, "ends": 120_000]]),
        ]
    }

    private func screen(
        _ size: FrameSize,
        _ glyphs: Glyphs,
        _ body: (inout TreeScreenState) -> Void = { _ in }
    ) throws -> [CellLine] {
        let graph = try SampleGraph.graph
        var state = TreeScreenState(expansion: TreeExpansion(depth: 9))
        body(&state)
        let rows = rows(graph, state.expansion, filter: state.filter)
        state.adopt(rows, height: TreeScreenLayout(size, pins: state.pins.count).treeRows)
        let recent = recent(
            (0..<30).map { ("app.volume", .int(Int64(50 - $0 * $0 % 17)), UInt64($0 * 10)) }
                + [("app.controller.player.title", "日本\u{202E}", 300)]
        )
        let chosen = rows.isEmpty ? nil : rows[state.index]
        let panel = chosen.map { row in
            TreePanel(
                path: row.path,
                explained: ExplainLines(
                    explained: explained,
                    glyphs: glyphs,
                    now: 1_795_432_986_000,
                    age: 1000
                ) { $0 == 42 ? "player" : nil },
                numbers: recent.numbers(of: row.path),
                changes: recent.changes(of: row.path, most: size.rows) { $0 == 42 ? "player" : nil },
                glyphs: glyphs
            )
        }
        let view = TreeScreen(
            rows: rows,
            pinned: state.pins.compactMap { TreeRow.pinned($0, in: graph) },
            lines: TreeLines(
                graph: graph,
                paths: GraphPaths(graph),
                glyphs: glyphs,
                now: 5000,
                showsExpansion: true
            ),
            state: state,
            panel: panel,
            glow: { recent.glow(of: $0, at: start.adding(milliseconds: 500)) }
        )
        return view.lines(size)
    }

    @Test func `the screen has the tree, and the chosen value with its changes`() throws {
        try SavedFrame.expectAll("follow") { try screen($0, $1) { $0.choose(path: "app.volume") } }
    }

    @Test func `pins are above the tree, and collapsed models have their marks`() throws {
        try SavedFrame.expectAll("follow-pins") {
            try screen($0, $1) { state in
                for path in ["library.headline", "library.films.1", "app.volume"] { state.togglePin(path) }
                state.expansion.setOpen(false, "library", 0)
                state.choose(path: "odd")
            }
        }
    }

    @Test func `a filter leaves the rows that contain it, and the rows above them`() throws {
        try SavedFrame.expectAll("follow-filter") {
            try screen($0, $1) { state in
                state.filter = "Title"
                state.isTyping = true
            }
        }
        let graph = try SampleGraph.graph
        let found = rows(graph, TreeExpansion(depth: 1), filter: "films.1.")
        #expect(
            found.map(\.path) == [
                "library", "library.films", "library.films.1", "library.films.1.title",
                "library.films.1.year", "library.films.1.tags",
            ]
        )
        #expect(
            found.map(\.continues) == [
                [], [false], [false, false], [false, false, true], [false, false, true],
                [false, false, false],
            ]
        )
        #expect(rows(graph, TreeExpansion(depth: 1), filter: "nothing").isEmpty)
        let empty = try screen(FrameSize(80, 24), .unicode) { $0.filter = "nothing" }
        #expect(empty[0].text == "no path contains 'nothing'")
    }

    @Test func `a filter that everything passes leaves the tree as it is`() throws {
        let graph = try SampleGraph.graph
        let all = rows(graph, TreeExpansion(depth: 9))
        #expect(all.filtered(by: "") == all)
    }

    @Test func `a model opens and closes, and a path is revealed`() throws {
        let graph = try SampleGraph.graph
        var expansion = TreeExpansion(depth: 1)
        let closed = rows(graph, expansion).count
        expansion.reveal("library.films.1.tags", below: 0)
        #expect(rows(graph, expansion).contains { $0.path == "library.films.1.tags" })
        expansion.setOpen(false, "library.films", 1)
        #expect(rows(graph, expansion).count == closed)
        expansion.setOpen(false, "app", 0)
        expansion.setOpen(true, "app", 0)
        expansion.setOpen(true, "app", 0)
        #expect(expansion.isOpen("app", 0) && !expansion.isOpen("app.controller", 1))
        var below = TreeExpansion(depth: 0)
        below.reveal("library.films.1.tags", below: 2)
        #expect(below.isOpen("library.films", 0) && below.isOpen("library.films.1", 1))
        #expect(!below.isOpen("library", 0))
    }

    @Test func `the chosen row stays in sight, and on its path`() throws {
        let rows = rows(try SampleGraph.graph, TreeExpansion(depth: 9))
        var state = TreeScreenState(expansion: TreeExpansion(depth: 9))
        state.adopt(rows, height: 5)
        #expect(state.chosen == "app" && state.index == 0 && state.first == 0)
        state.choose(7, in: rows, height: 5)
        #expect(state.index == 7 && state.first == 3 && state.chosen == rows[7].path)
        state.choose(999, in: rows, height: 5)
        #expect(state.index == rows.count - 1 && state.first == rows.count - 5)
        state.scroll(by: -999, in: rows, height: 5)
        #expect(state.first == 0 && state.index == rows.count - 1)
        state.choose(path: "library.headline")
        state.adopt(rows.filter { $0.path != "app" }, height: 5)
        #expect(state.chosen == "library.headline")
        let index = state.index
        state.adopt(rows.filter { $0.path != "library.headline" && $0.path != "app" }, height: 5)
        #expect(state.index == index && state.chosen != "library.headline")
        state.adopt([], height: 5)
        #expect(state.index == 0 && state.first == 0)
    }

    @Test func `changes glow less and less, and a collapsed row glows for those below it`() throws {
        let recent = recent([("app.volume", 1, 0), ("a\\.b.c", 1, 0)])
        func row(_ path: String, _ isCollapsed: Bool?) -> TreeRow {
            let place = ModelGraph.Place(instance: 0, name: path)
            return TreeRow(path: path, name: path, place: place, isCollapsed: isCollapsed)
        }
        func glow(_ row: TreeRow, _ milliseconds: UInt64) -> UInt8 {
            recent.glow(of: row, at: start.adding(milliseconds: milliseconds))
        }
        let volume = row("app.volume", nil)
        #expect([0, 399, 400, 899, 900, 1799, 1800].map { glow(volume, $0) } == [3, 3, 2, 2, 1, 1, 0])
        #expect(glow(row("app", true), 0) == 3 && glow(row("app", false), 0) == 0)
        #expect(glow(row("app.other", nil), 0) == 0)
        #expect(glow(row("a\\.b", true), 0) == 3 && glow(row("a\\", true), 0) == 0)
    }

    @Test func `the value of a row glows, and the name of one without a value`() throws {
        let graph = try SampleGraph.graph
        let lines = TreeLines(graph: graph, paths: GraphPaths(graph), glyphs: .unicode, showsExpansion: true)
        let rows = rows(graph, TreeExpansion(depth: 9))
        func glowing(_ path: String) throws -> String {
            let row = try #require(rows.first { $0.path == path })
            return lines.line(row, columns: 80, glow: 2).cells.filter { $0.style.glow == 2 }.map(\.text)
                .joined()
        }
        #expect(try glowing("app.volume") == "20")
        #expect(try glowing("app.controller.player.title") == "\"Alien\"")
        #expect(try glowing("app.controller") == "controller")
        let bright = Style(tone: .number, glow: 3)
        #expect(bright.sequence(isColoured: true) == "\u{1B}[0;38;5;16;48;5;220m")
        #expect(bright.sequence(isColoured: false) == "\u{1B}[0;7m")
        #expect(Style(tone: .number, glow: 1).sequence(isColoured: false) == "\u{1B}[0m")
    }

    @Test func `recent changes are bounded, and the newest stay`() {
        let many = recent(
            (0..<5000).map { ("p\($0)", .int(Int64($0)), UInt64($0)) }
                + (0..<200).map { ("a.b", .int(Int64($0)), UInt64(5000 + $0)) }
        )
        #expect(many.changes(of: "p0", most: 9) { _ in nil }.isEmpty)
        #expect(many.changes(of: "p4999", most: 9) { _ in nil }.map(\.new) == [4999])
        #expect(many.changes(of: "a", most: 3) { _ in nil }.map(\.new) == [199, 198, 197])
        let numbers = many.numbers(of: "a.b")
        #expect(numbers.count <= RecentChanges.mostEntries && numbers.last == 199)
    }

    @Test func `a sparkline has a column for each number`() {
        func line(_ numbers: [Double?], _ columns: Int = 40, _ glyphs: Glyphs = .unicode) -> String? {
            Sparkline.line(numbers, columns: columns, in: glyphs)?.text
        }

        #expect(line([1, 2, 3, 4, 5, 6, 7, 8]) == "▁▂▃▄▅▆▇█  1 … 8")
        #expect(line([5, 5, nil, 5], 40, .ascii) == "== =  5 to 5")
        #expect(line([1]) == nil && line([nil, nil]) == nil && line([1, 2], 5) == nil)
        #expect(line([-1e300, 1e300, 3, 4], 19)?.hasSuffix("-1e+300 … 1e+300") == true)
    }

    @Test func `the mouse finds rows and pins`() {
        let layout = TreeScreenLayout(FrameSize(80, 24), pins: 2)
        #expect(layout.treeRows == 10 && layout.panel == FrameSize(80, 9))
        #expect(
            [0, 1, 2, 3, 12, 13].map { layout.target(column: 0, row: $0) } == [
                .pin(0), .pin(1), nil, .row(0), .row(9), nil,
            ]
        )
        let wide = TreeScreenLayout(FrameSize(200, 50), pins: 0)
        #expect(wide.panel == FrameSize(80, 49) && wide.treeColumns == 118)
        #expect(wide.target(column: 117, row: 0) == .row(0) && wide.target(column: 118, row: 0) == nil)
        for columns in [1, 3, 40, 109, 110, 1000] {
            for rows in [1, 2, 10, 16, 500] {
                for pins in [0, 1, 20] {
                    let layout = TreeScreenLayout(FrameSize(columns, rows), pins: pins)
                    #expect(layout.treeRows >= 0 && layout.pins <= pins)
                }
            }
        }
    }

    @Test func `every size has its frame, however small`() throws {
        for size in [
            FrameSize(1, 1), FrameSize(2, 2), FrameSize(5, 16), FrameSize(110, 1), FrameSize(111, 3),
        ] {
            for glyphs in [Glyphs.unicode, .ascii] {
                let lines = try screen(size, glyphs) { $0.togglePin("app.volume") }
                #expect(Frame(lines, size, in: glyphs).lines.allSatisfy { $0.count == size.columns })
            }
        }
    }
}
