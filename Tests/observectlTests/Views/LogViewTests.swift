// SPDX-License-Identifier: MIT
// The lines of `log`, exactly: alignment, cuts, dates, makers. Times as text.

import ObserveCore
import Testing

@testable import observectl

struct LogViewTests {
    private func change(
        _ milliseconds: Int64?,
        _ path: String,
        _ old: Value?,
        _ new: Value?,
        _ origin: Value = ["pid": 4711, "uid": 1000]
    ) -> LoggedChange {
        LoggedChange(
            time: milliseconds.map(ClockTime.init(milliseconds:)),
            path: path,
            old: old,
            new: new,
            maker: MadeBy(origin) { $0 == 42 ? "player" : nil }
        )
    }

    private var changes: [LoggedChange] {
        [
            change(1_795_432_985_317, "app.volume", 50, 20),
            change(
                1_795_432_985_318,
                "app.controller.player.videoTitle",
                "Alien",
                "Brazil",
                ["pid": 42, "uid": 0]
            ),
            change(
                1_795_432_985_400,
                "library.headline",
                "Alien (1979)",
                "映画 é\u{202E}",
                ["pid": 42, "uid": 0, "binding": 7]
            ),
            change(1_795_432_990_000, "app.volume", 20, 50, ["lifetime": 61_000]),
            change(1_795_432_990_001, "app.busy", true, .null, ["lifetime": "connection"]),
            change(
                nil,
                "a.very.long.path.that.leads.to.a.value.far.below",
                .null,
                ["x": [1, 2.5, "a text of some length"]]
            ),
            change(1_795_432_990_002, "big", nil, nil, .null),
        ]
    }

    @Test func `changes are aligned lines, and their values are cut to fit`() throws {
        try SavedFrame.expectAll("log") { size, glyphs in
            var lines = LogLines(glyphs)
            return lines.lines(changes, columns: size.columns)
        }
    }

    @Test func `lines have dates once there are several days`() {
        var lines = LogLines(.unicode)
        let first = lines.lines([change(1_795_432_985_317, "a", 1, 2)], columns: 80)
        let second = lines.lines([change(1_795_519_385_317, "a.longer", 2, 3)], columns: 80)
        let third = lines.lines([change(nil, "a", 3, 4)], columns: 80)
        #expect(
            (first + second + third).map(\.text) == [
                "11:23:05.317  pid 4711  a  1 → 2",
                "2026-11-24 11:23:05.317  pid 4711  a.longer  2 → 3",
                "                         pid 4711  a         3 → 4",
            ]
        )
    }

    @Test(
        arguments: [
            (1_795_432_985_317, false, ""), (1_795_519_385_317, false, "2026-11-23 "),
            (1_795_432_985_317, true, "2026-11-23 "),
        ] as [(Int64, Bool, String)]
    )
    func `lines of a former day have dates, and all lines of a pipe`(now: Int64, isPipe: Bool, date: String) {
        var lines = LogLines(.unicode, now: ClockTime(milliseconds: now), hasDates: isPipe)
        let line = lines.lines([change(1_795_432_985_317, "a", 1, 2)], columns: 80)
        #expect(line.map(\.text) == ["\(date)11:23:05.317  pid 4711  a  1 → 2"])
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-11-23T11:23:05.317Z", 1_795_432_985_317),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199_999), ("2000-03-01T00:00:00.000Z", 951_868_800_000),
            ("1999-12-31T12:00:00.500Z", 946_641_600_500),
        ] as [(String, Int64)]
    )
    func `a time is text after RFC 3339, and back`(text: String, milliseconds: Int64) {
        let time = ClockTime(rfc3339: text)
        #expect(time == ClockTime(milliseconds: milliseconds))
        #expect(time.map { "\($0.date)T\($0.timeOfDay)Z" } == text)
    }

    @Test func `narrow lines have short dates, and room for values`() {
        var lines = LogLines(.unicode)
        let both = lines.lines(
            [
                change(1_795_432_985_317, "app.volume", 50, 20),
                change(1_795_519_385_317, "app.volume", 20, 50),
            ],
            columns: 40
        )
        #expect(both.map(\.text) == ["11-23 11:23  app.volume  50 → 20", "11-24 11:23  app.volume  20 → 50"])
    }

    @Test func `a lifetime below a second is shown so`() {
        func text(_ milliseconds: Int64) -> String {
            MadeBy(["lifetime": .int(milliseconds)]) { _ in nil }.text
        }
        #expect(text(250) == "expired after 250 ms")
        #expect(text(1) == "expired after 1 ms")
        #expect(text(1000) == "expired after 1 s")
        #expect(text(0) == "expired after 0 s")
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:01Z", 1000), ("1970-01-01T00:00:01.5Z", 1500),
            ("1970-01-01T00:00:01.123456789Z", 1123),
            ("1970-01-01 00:00:01z", 1000), ("1970-01-01t00:00:01+00:00", 1000),
            ("1970-01-01T01:00:01+01:00", 1000),
            ("1969-12-31T18:30:01.5-05:30", 1500), ("1970-01-01T02:00:00+0200", 0),
            ("1970-01-01T00:00:60Z", 60_000),
            ("2024-02-29T12:00:00+12:00", 1_709_164_800_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ] as [(String, Int64)]
    )
    func `a time may have an offset, and any fraction`(text: String, milliseconds: Int64) {
        #expect(ClockTime(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "x", "1970-01-01T00:00:01", "1970-01-01_00:00:01Z", "1970-01-01T00:00:01.Z",
        "1970-01-0xT00:00:01.5Z",
        "2026-02-31T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00",
        "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+01", "2026-01-01T00:00:00Zx",
        "2026-01-01T00:00:00+01-00",
    ])
    func `other texts are not times`(text: String) { #expect(ClockTime(rfc3339: text) == nil) }

    @Test func `an event is a change with its time, its values and its maker`() throws {
        let params =
            #"{"subscription":1,"time":"1970-01-01T00:00:01.5Z","path":"a","reason":"valueChanged","new":2,"old":1,"origin":{"pid":42,"uid":0},"revision":5}"#
        let event = ChangeEvent(
            params: try RawJSON(validating: Array(params.utf8)),
            subscription: 1,
            reason: .valueChanged
        )
        let logged = LoggedChange(event, at: nil) { $0 == 42 ? "player" : nil }
        #expect(logged == change(1500, "a", 1, 2, ["pid": 42, "uid": 0]))
        #expect(logged.maker.text == "player 42")
    }
}
