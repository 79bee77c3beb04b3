// SPDX-License-Identifier: MIT
// The frames of `tree`, exactly: three sizes, UTF-8 and ASCII, collapses, types, JSON.

import ObserveCore
import Testing

@testable import observectl

struct TreeViewTests {
    private func lines(
        _ size: FrameSize,
        _ glyphs: Glyphs = .unicode,
        from start: [String] = [],
        types: [String: String] = [:],
        isOpen: @escaping (String, Int) -> Bool = { _, _ in true }
    ) throws -> [CellLine] {
        let graph = try SampleGraph.graph
        let lines = TreeLines(
            graph: graph,
            paths: GraphPaths(graph),
            glyphs: glyphs,
            types: Dictionary(uniqueKeysWithValues: types.map { ($0.key.bytes, $0.value) }),
            now: 5000
        )
        return TreeOutline(graph, from: start, isOpen: isOpen).rows.map {
            lines.line($0, columns: size.columns)
        }
    }

    private func text(_ lines: [CellLine]) -> String { lines.frame(FrameSize(80, 24), .unicode) }

    @Test func `a tree has the values, and marks references, bindings and temporary values`() throws {
        try SavedFrame.expectAll("tree") { try lines($0, $1) }
    }

    @Test func `a collapsed row says how much it hides`() throws {
        try SavedFrame.expectAll("tree-collapsed") { try lines($0, $1) { _, depth in depth < 1 } }
    }

    @Test func `a tree may begin anywhere, with the path`() throws {
        #expect(
            try text(lines(FrameSize(80, 24), from: ["library", "favourite"])) == """
                library.favourite  Film  also library.films.0
                ├─ title  "Alien"  bound → library.headline
                ├─ year   1979
                └─ label  "Alien (1979)"  computed
                """
        )
        #expect(
            try text(lines(FrameSize(80, 24), from: ["app", "volume"]))
                == "app.volume  20  bound ↔ library.films.1.year, held 2 min, then 50"
        )
        #expect(try lines(FrameSize(80, 24), from: ["nothing"]).isEmpty)
    }

    @Test func `declared types follow the names`() throws {
        let types = ["app.controller": "Any", "app.volume": "Int?"]
        #expect(
            try text(lines(FrameSize(80, 24), from: ["app"], types: types) { _, depth in depth < 1 }) == """
                app
                ├─ controller: Any  {1}
                └─ volume: Int?  20  bound ↔ library.films.1.year, held 2 min, then 50
                """
        )
    }

    @Test func `the deepest tree that fits is shown`() throws {
        let graph = try SampleGraph.graph
        func rows(_ count: Int) -> Int {
            let depth = TreeOutline.fittingDepth(count, graph, from: [])
            return TreeOutline(graph, from: []) { $1 < depth }.rows.count
        }
        #expect(rows(26) == 26)
        #expect(rows(25) == 17)
        #expect(rows(1) == 14)
        #expect(rows(1000) == 26)
    }

    @Test func `a chain of ten thousand models is drawn as deep as paths lead`() throws {
        var line = #"{"m":[[0,null,0,"a",{"m":1},1]"#
        for number in 1..<10_000 { line += ",[\(number),null,0,\"a\",{\"m\":\(number + 1)},1]" }
        var graph = ModelGraph()
        try graph.add(line: Array("\(line),[10000,null,0]]}".utf8))
        #expect(GraphPaths(graph).path(to: 10_000)?.count == 19_999)
        #expect(TreeOutline(graph, from: []) { _, _ in true }.rows.count == 251)
    }

    @Test func `rows are JSON objects, too`() throws {
        let graph = try SampleGraph.graph
        let records = TreeRecords(
            graph: graph,
            paths: GraphPaths(graph),
            types: ["app.volume".bytes: "Any"],
            now: 5000
        )
        let rows = TreeOutline(graph, from: []) { _, _ in true }.rows
        try SavedFrame.expect(rows.map { records.record($0).text }.joined(separator: "\n"), "tree-json")
    }

    @Test(
        arguments: [
            (0, "0 s"), (1, "1 s"), (59_000, "59 s"), (60_000, "1 min"), (61_000, "1 min 1 s"),
            (3_600_000, "1 h"),
            (3_661_000, "1 h 1 min"), (90_000_000, "1 d 1 h"), (86_400_000, "1 d"),
        ] as [(Int64, String)]
    )
    func `a countdown has one unit, or two`(milliseconds: Int64, text: String) {
        #expect(Countdown.text(milliseconds: milliseconds) == text)
    }
}
