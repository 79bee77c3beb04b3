// SPDX-License-Identifier: MIT
// The frames of `top`, exactly; rates, order, JSON.

import ObserveCore
import Testing

@testable import observectl

struct TopViewTests {
    private func client(
        _ number: Int64,
        _ name: Value,
        _ requests: Int64,
        _ events: Int64,
        _ more: Value = [:]
    ) -> TopClient {
        var members = ValueMembers([
            ("connection", .int(number)), ("pid", .int(4000 + number)), ("uid", .int(1000)), ("name", name),
            ("seconds", .double(61.5)), ("requests", .int(requests)), ("eventsSent", .int(events)),
            ("eventsCoalesced", 12_345), ("bytesWaiting", 0), ("lifetimes", 2),
            ("subscriptions", .array([["paths": .array(["app.volume", "library.**"])]])),
            ("furtherSubscriptions", 3),
        ])
        for (name, value) in more.object ?? ValueMembers() { members[name] = value }
        return TopClient(.object(members)) { $0 == 1000 ? "ada" : nil }
    }

    private func status(_ revision: Int64, _ events: Int64, journal: Value? = nil) -> Value {
        var status: Value = [
            "version": "0.1.0", "epoch": "e", "uptime": 7384.5, "connections": 3, "subscriptions": 12,
            "models": 1234,
            "bindings": 2, "bindingsFailing": 1, "overflowed": 0,
            "limits": [
                "maxTreeBytes": ["max": 1_073_741_824, "used": 805_306_368],
                "maxBufferedBytes": ["max": 268_435_456, "used": 2048],
            ],
        ]
        if case .object(var members) = status {
            members["revision"] = .int(revision)
            members["eventsSent"] = .int(events)
            members["journal"] = journal
            status = .object(members)
        }
        return status
    }

    private var figures: TopFigures {
        let former = TopSample(
            time: 1_000_000_000,
            status: status(100, 1000),
            clients: [client(1, "player", 10, 500), client(2, .null, 0, 0)],
            processorTime: 1_000_000_000,
            memory: nil
        )
        let journal: Value = [
            "durability": "interval", "failing": true, "bytes": 12_345, "snapshotBytes": 678,
            "longestSlice": 0.25,
        ]
        let sample = TopSample(
            time: 3_000_000_000,
            status: status(150, 4000, journal: journal),
            clients: [
                client(1, "player", 20, 2500), client(2, .null, 0, 0, ["uid": 0]),
                client(3, "日本語の名前がとても長い", 8, 0, ["bytesWaiting": 70_000]),
            ],
            processorTime: 1_250_000_000,
            memory: 20 << 20
        )
        return TopFigures(sample, after: former)
    }

    @Test func `top has the daemon's figures above the connections`() throws {
        try SavedFrame.expectAll("top") { size, glyphs in
            let view = TopView(figures: figures, state: TopState(), glyphs: glyphs, ownProcess: 4002)
            return view.lines(columns: size.columns, rows: size.rows)
        }
        let page = TopView(figures: figures, state: TopState(), glyphs: .unicode).lines(columns: 1000)
        try SavedFrame.expect(page.map(\.text).joined(separator: "\n"), "top-once")
    }

    @Test func `rates are differences over time, and averages at first`() {
        #expect(figures.rows.map(\.requestRate) == [5, 0, 4])
        #expect(figures.rows.map(\.eventRate) == [1000, 0, 0])
        #expect(figures.load == 0.125)
        #expect(figures.commitRate == 25 && figures.eventRate == 1500)
        let first = TopFigures(figures.sample, after: nil)
        #expect(first.rows[0].requestRate == 20 / 61.5 && first.load == nil && first.commitRate == 0)
        var restarted = figures.sample
        restarted.time = 4_000_000_000
        restarted.status = ["epoch": "e", "uptime": 1, "revision": 150]
        #expect(TopFigures(restarted, after: figures.sample).commitRate == 0)
    }

    @Test func `rows are sorted by any column, and keep their order if they are equal`() {
        for column in TopColumn.allCases {
            for isDescending in [false, true] {
                let state = TopState(column: column, isDescending: isDescending)
                let lines = TopView(figures: figures, state: state, glyphs: .ascii).lines(columns: 300)
                #expect(lines.count == TopView.headRows + 3)
                #expect(lines[5].text.contains("\(column.title)\(isDescending ? "v" : "^")"))
            }
        }
        func ids(_ column: TopColumn, _ isDescending: Bool) -> [Substring] {
            TopView(
                figures: figures,
                state: TopState(column: column, isDescending: isDescending),
                glyphs: .ascii
            )
            .lines(columns: 300).dropFirst(TopView.headRows).map { $0.text.split(separator: " ")[0] }
        }
        #expect(ids(.requests, true) == ["1", "3", "2"])
        #expect(ids(.requests, false) == ["2", "3", "1"])
        #expect(ids(.age, true) == ["1", "2", "3"])
        #expect(ids(.waiting, true) == ["3", "1", "2"])
    }

    @Test func `keys and clicks choose the column`() {
        var state = TopState()
        state.choose(by: 1)
        #expect(state.column == .events && state.isDescending)
        state.choose(by: -7)
        #expect(state.column == .paths && !state.isDescending)
        state.sort(by: .age)
        state.sort(by: .age)
        #expect(state.column == .age && !state.isDescending)
        let layout = TopLayout(figures.rows, columns: 200, TopState(), .unicode)
        let header = layout.header.text
        for column in layout.shown {
            let title = header.ranges(of: column.title)[0]
            let position = CellLine(String(header[..<title.lowerBound]), in: .unicode).count
            #expect(layout.column(at: position) == column)
        }
    }

    @Test func `a message is in the place of the keys`() {
        let state = TopState(message: "the daemon has gone; waiting for it")
        let lines = TopView(figures: figures, state: state, glyphs: .unicode).lines(columns: 80, rows: 12)
        #expect(lines.last?.text == "the daemon has gone; waiting for it")
    }

    @Test func `the figures are JSON, too`() {
        let json = figures.json.text
        #expect(
            json.hasPrefix(
                #"{"load":0.125,"memoryBytes":20971520,"commitsPerSecond":25.0,"eventsPerSecond":1500.0,"status":{"version":"#
            )
        )
        #expect(
            json.contains(
                #"{"connection":3,"pid":4003,"name":"日本語の名前がとても長い","user":"ada","seconds":61.5,"requests":8,"requestsPerSecond":4.0,"eventsSent":0,"eventsPerSecond":0.0,"eventsCoalesced":12345,"bytesWaiting":70000,"lifetimes":2,"subscriptions":4}"#
            )
        )
    }

    @Test(arguments: [
        (0, "0", "0 B"), (0.25, "0.3", "0.3 B"), (9.96, "10", "10 B"), (999.4, "999", "999 B"),
        (1000, "1k", "1000 B"),
        (1536, "1.5k", "1.5 KiB"), (1_048_575, "1M", "1 MiB"), (-2500, "-2.5k", "-2.4 KiB"),
        (.infinity, "-", "-"),
    ])
    func `numbers have a few digits and a unit`(number: Double, text: String, bytes: String) {
        #expect(Magnitude.text(number) == text)
        #expect(Magnitude.bytes(number) == bytes)
    }
}
