// SPDX-License-Identifier: MIT
// Views of answers that no daemon should give: the greatest and least numbers, other kinds of values, deep and empty parts.

import ObserveCore
import Testing

@testable import observectl

struct HostileAnswerTests {
    private static let values: [Value] = [
        .null, true, .int(.min), .int(.max), -1, 0, .double(1e300), .double(-1e300),
        .double(.leastNonzeroMagnitude), "", "connection",
        "2026-11-23T11:23:05.317Z", "9999-99-99T99:99:99.999Z", [], [[]], .array([.null, .int(.min)]), [:],
        ["a": 1],
    ]

    private func members(_ names: [String], _ value: Value) -> Value {
        .object(ValueMembers(names.map { ($0, value) }))
    }

    @Test(arguments: values)
    func `top has lines for any figures`(value: Value) {
        let client = members(
            [
                "connection", "pid", "uid", "name", "seconds", "requests", "eventsSent", "eventsCoalesced",
                "bytesWaiting",
            ]
                + ["lifetimes", "furtherSubscriptions"],
            value
        )
        var listed = client.object ?? ValueMembers()
        listed["subscriptions"] = .array([["paths": value], value])
        let limits = members(["maxTreeBytes", "maxBufferedBytes"], members(["max", "used"], value))
        var status =
            members(
                [
                    "version", "epoch", "uptime", "connections", "subscriptions", "models", "bindings",
                    "overflowed",
                ]
                    + ["bindingsFailing", "revision", "eventsSent"],
                value
            ).object ?? ValueMembers()
        status["limits"] = limits
        status["journal"] = members(
            ["durability", "bytes", "snapshotBytes", "longestSlice", "failing"],
            value
        )
        func sample(_ time: UInt64) -> TopSample {
            TopSample(
                time: time,
                status: .object(status),
                clients: [TopClient(.object(listed)) { _ in nil }],
                processorTime: .max,
                memory: .max
            )
        }
        for figures in [TopFigures(sample(1), after: nil), TopFigures(sample(2), after: sample(1))] {
            let view = TopView(figures: figures, state: TopState(), glyphs: .ascii)
            for size in frameSizes {
                #expect(view.lines(columns: size.columns, rows: size.rows).count == size.rows)
            }
            #expect(!figures.json.text.isEmpty)
        }
    }

    @Test(arguments: values)
    func `explain has lines for any answer`(value: Value) {
        let component = members(
            ["path", "kind", "type", "instance", "weak", "holders", "furtherHolders"],
            value
        )
        let layer: Value = ["value": value, "ends": value, "origin": ["lifetime": value, "binding": value]]
        let change: Value = ["time": value, "revision": value, "origin": ["pid": value, "uid": value]]
        let holder: Value = [
            "holders": .array([["path": "a", "weak": value], value]), "furtherHolders": value,
        ]
        let edge: Value = ["binding": value, "path": value, "computed": value]
        let answer: Value = [
            "path": value, "value": value, "nilAt": value, "computed": value, "readonly": value,
            "components": .array([component, value, holder]), "lastChange": change,
            "observers": members(["exact", "below", "patterns"], value), "feeds": .array([edge, value]),
            "fedBy": .array([edge]), "furtherFeeds": value, "furtherFedBy": value, "hidden": value,
            "lifetimes": .array([layer, value]),
        ]
        for now in [Int64.min, 0, .max] {
            let view = ExplainLines(explained: answer, glyphs: .unicode, now: now, age: now) { _ in nil }
            for size in frameSizes {
                #expect(view.lines(columns: size.columns).allSatisfy { $0.count <= size.columns })
                #expect(view.lines(columns: size.columns, rows: 3).count <= 3)
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func `a tree shows temporary values with any end`(end: Int64) throws {
        var graph = ModelGraph()
        try graph.add(
            line: Array(#"{"m":[[0,null,0,"a",1,1]],"o":[[0,"a",[[2,null],[null,[\#(end),1]]]]]}"#.utf8)
        )
        for now in [Int64.min, 0, .max] {
            let lines = TreeLines(graph: graph, paths: GraphPaths(graph), glyphs: .unicode, now: now)
            let rows = TreeOutline(graph, from: []) { _, _ in true }.rows
            #expect(rows.map { lines.line($0, columns: 80).text }[0].hasPrefix("a  1  held "))
            let records = TreeRecords(graph: graph, paths: GraphPaths(graph), types: [:], now: now)
            #expect(records.record(rows[0]).text.contains("\"held\":"))
        }
    }

    @Test(arguments: values)
    func `an event may have any members`(value: Value) {
        let origin: Value = ["pid": value, "uid": value, "lifetime": value, "binding": value]
        for origin in [origin, ["lifetime": value], value] {
            let event = ChangeEvent(
                params: RawJSON(["path": value, "new": value, "old": value, "time": value, "origin": origin]),
                subscription: 1,
                reason: .valueChanged
            )
            let change = LoggedChange(event, at: nil) { _ in nil }
            for columns in [0, 5, 80] {
                var lines = LogLines(.unicode)
                #expect(lines.lines([change], columns: columns).allSatisfy { $0.count <= columns })
            }
            var data = PlotData()
            try? data.add(line: event.params.bytes, at: ClockTime(milliseconds: 0))
            #expect(
                !PlotView(data: data, state: PlotState(), glyphs: .unicode).lines(columns: 40, rows: 10)
                    .isEmpty
            )
        }
    }
}
