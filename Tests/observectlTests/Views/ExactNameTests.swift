// SPDX-License-Identifier: MIT
// Two names that only look alike, as one character and as a letter with its accent: views and templates have both.

import ObserveCore
import Testing

@testable import observectl

struct ExactNameTests {
    private static let (one, two) = ("r.\u{E9}", "r.e\u{301}")

    private func event(_ path: String, _ new: Int) throws -> ChangeEvent {
        let text = #"{"path":"\#(path)","new":\#(new),"old":0,"origin":{"pid":7}}"#
        return ChangeEvent(
            params: try RawJSON(validating: Array(text.utf8)),
            subscription: 1,
            reason: .valueChanged
        )
    }

    private var graph: ModelGraph {
        get throws(ClientError) {
            var graph = ModelGraph()
            let dump = [
                #"{"m":[[0,null,0,"r",{"m":1},1],[1,null,0,"\u00e9",1,1,"e\u0301",2,1]]}"#,
                #"{"o":[[1,"\u00e9",[[5,null],[null,["c",2]]]]]}"#,
                #"{"b":[[1,"r.\u00e9","r.x",false],[2,"r.e\u0301","r.x",false]]}"#,
            ]
            for line in dump { try graph.add(line: Array(line.utf8)) }
            return graph
        }
    }

    @Test func `a tree has the value, the type and the marks of each`() throws {
        var graph = try graph
        let place = try #require(graph.place(of: ["r", "e\u{301}"]))
        let isAssigned = graph.assign(3, at: place)
        #expect(isAssigned)
        let paths = GraphPaths(graph)
        let types = [Array(Self.one.utf8): "Int", Array(Self.two.utf8): "Any"]
        let lines = TreeLines(graph: graph, paths: paths, glyphs: .ascii, types: types)
        let texts = TreeOutline(graph, from: []) { _, _ in true }.rows.map {
            lines.line($0, columns: 80).text
        }
        #expect(
            texts == [
                "r", #"|- \u{e9}: Int  1  bound > r.x, held by a connection, then 5"#,
                #"`- e\u{301}: Any  3  bound > r.x"#,
            ]
        )
    }

    @Test func `a live tree knows which of them has changed, is open, pinned and chosen`() throws {
        let graph = try graph
        let rows = TreeOutline(graph, from: ["r"]) { _, _ in true }.rows
        var recent = RecentChanges()
        let now = MonotonicTime(nanoseconds: 10_000_000_000)
        recent.add(try event(Self.two, 4), at: Self.two, ClockTime(milliseconds: 0), now)
        #expect(rows.map { recent.glow(of: $0, at: now) } == [0, 0, Style.brightest])
        #expect(recent.numbers(of: Self.one).isEmpty)
        var expansion = TreeExpansion(depth: 0)
        expansion.setOpen(true, Self.one, 1)
        #expect(!expansion.isOpen(Self.two, 1))
        var state = TreeScreenState(expansion: expansion)
        state.choose(path: Self.two)
        state.adopt(rows, height: 9)
        #expect(state.index == 2)
        state.togglePin(Self.one)
        state.togglePin(Self.two)
        #expect(state.pins.count == 2)
    }

    @Test func `a template, a condition, a plot and a command have the values of each`() throws {
        let typed = ["--format", "{\(Self.one)} {\(Self.two)} {*.\u{E9}}"]
        let options = [OptionSpec("--format TEMPLATE", "")]
        let arguments = try ParsedArguments(typed, of: "get", options: options, operandsEndOptions: false)
        var paths = try ObservedPaths([Self.one, Self.two, "*.\u{E9}"], under: nil, of: arguments)
        let format = try #require(try LineFormat(arguments, paths))
        var data = PlotData()
        var pending = PendingEvents()
        for (path, new) in [(Self.one, 1), (Self.two, 2)] {
            let event = try event(path, new)
            paths.apply(event)
            pending.add([event])
            data.add(.int(Int64(new)), to: path, at: ClockTime(milliseconds: 0))
        }
        let line = format.line(paths, last: try event(Self.two, 2), keepsLines: false)
        #expect(String(decoding: line, as: UTF8.self) == "1 2 1")
        #expect(data.series.count == 2)
        #expect(pending.lines.split(separator: 0x0A).count == 2)
        #expect([Self.one, Self.two, Self.one].withoutRepeats.count == 2)
        let words = try ParsedArguments(
            ["\(Self.one) < \(Self.two)"],
            of: "wait",
            options: [],
            operandsEndOptions: false
        )
        #expect(try ConditionParser.parse(words).map { $0.holds(for: [1, 2]) } == [true])
    }

    @Test func `each has a completion`() {
        let answer =
            #"{"kind":"model","properties":[{"name":"\u00e9","kind":"int"},{"name":"e\u0301","kind":"int"}]}"#
        let paths = PathCompletion { _ in try? RawJSON(validating: Array(answer.utf8)) }
        #expect(paths.candidates(for: "r.").count == 2)
        #expect(paths.candidates(for: Self.two).map { Array($0.word.utf8) } == [Array(Self.two.utf8)])
    }
}
