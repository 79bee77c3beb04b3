// SPDX-License-Identifier: MIT
// A live graph becomes that of its daemon, after random changes of values, models, links, arrays and temporary values.

import ObserveCore
import Testing

@testable import observectl

struct LiveGraphTests {
    private static let seeds: ClosedRange<UInt64> = 1...4

    private static let models: [(root: String, json: String)] = [
        ("app", #"{"volume":50,"player":{"title":"Alien","position":0.5},"muted":false}"#),
        ("library", #"{"films":[{"title":"Alien"},{"title":"Brazil"}],"tags":["a","b"],"favourite":null}"#),
    ]

    private func invocation(_ daemon: PrivateDaemon) throws -> Invocation {
        let arguments = try ParsedArguments(
            ["--socket", daemon.path],
            of: "tree",
            options: OptionSpec.common,
            operandsEndOptions: false
        )
        let process = ToolProcess(
            streams: StandardStreams(input: -1, output: -1, error: -1),
            environment: { _ in nil },
            uid: Platform.uid
        )
        return Invocation(
            arguments: arguments,
            process: process,
            deadline: .now.adding(milliseconds: 120_000)
        )
    }

    /// All rows with their values, links and marks.
    private func text(_ graph: ModelGraph, from start: [String]) -> String {
        let records = TreeRecords(graph: graph, paths: GraphPaths(graph), types: [:], now: .max)
        let rows = TreeOutline(graph, from: start) { _, _ in true }.rows
        return rows.map { records.record($0).text }.joined(separator: "\n")
    }

    private func change(
        _ connection: ClientConnection,
        _ dice: inout BridgeWorld.Dice
    ) throws {
        let places = [
            "app.volume", "app.player", "app.player.title", "app.other", "library.films", "library.films.0",
            "library.films.0.title", "library.films.1.year", "library.tags", "library.tags.1",
            "library.favourite", "radio", "a\\.b",
        ]
        let values: [Value] = [
            1, 2.5, "text", true, .null, [1, 2], ["title": "Solaris"],
            .array([["title": "M"], ["title": "Z"]]), [:],
        ]
        let path = RawJSON(.string(places.randomElement(using: &dice) ?? ""))
        let value = RawJSON(values.randomElement(using: &dice) ?? .null)
        let (method, params): (String, RequestParams) =
            switch UInt64.random(in: 0..<8, using: &dice) {
            case 0: ("remove", ["path": path])
            case 1:
                (
                    "link",
                    ["path": path, "target": RawJSON(.string(places.randomElement(using: &dice) ?? ""))]
                )
            case 2: ("insert", ["path": path, "value": value])
            case 3: ("set", ["path": path, "value": value, "lifetime": RawJSON("connection")])
            default: ("set", ["path": path, "value": value])
            }
        // Many of these are refused, for example a link to nothing.
        do throws(ClientError) { _ = try connection.call(method, params) } catch {
            guard case .refused = error else { throw error }
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: seeds, [[], ["library"]])
    func `a live graph becomes that of the daemon`(seed: UInt64, start: [String]) throws {
        let daemon = try PrivateDaemon(for: "live", models: LiveGraphTests.models, removedOnSignals: false)
        defer { daemon.stop() }
        let invocation = try invocation(daemon)
        let writer = try invocation.connect()
        let live = LiveGraph(invocation, from: start)
        try live.load()
        #expect(text(live.graph, from: start).contains("Brazil"))
        // The first answer asks for another graph, since changes may precede it.
        let deadline = MonotonicTime.now.adding(milliseconds: 60_000)
        repeat {
            try live.collect(until: .now.adding(milliseconds: 20), alarms: [])
        } while !live.refresh() && deadline > .now
        var dice = BridgeWorld.Dice(state: seed)
        // Values alone need no further graph.
        for path in ["app.volume", "app.player.title", "library.films.1.title", "library.tags"] {
            _ = try writer.call("set", ["path": RawJSON(.string(path)), "value": RawJSON(.int(Int64(seed)))])
        }
        try expect(live, invocation, from: start, before: deadline) {}
        for _ in 0..<150 {
            try change(writer, &dice)
            if Bool.random(using: &dice) {
                try live.collect(until: .now, alarms: [])
                _ = live.refresh()
            }
        }
        try expect(live, invocation, from: start, before: deadline) { _ = live.refresh() }
        #expect(live.takeNews() && !live.takeNews())
        #expect(live.message == nil)
    }

    /// Waits until the graph is the daemon's.
    private func expect(
        _ live: LiveGraph,
        _ invocation: Invocation,
        from start: [String],
        before deadline: MonotonicTime,
        meanwhile body: () -> Void
    ) throws {
        let expected = text(try invocation.modelGraph(of: start), from: start)
        while text(live.graph, from: start) != expected, deadline > .now {
            try live.collect(until: .now.adding(milliseconds: 20), alarms: [])
            body()
        }
        #expect(text(live.graph, from: start) == expected)
    }
}
