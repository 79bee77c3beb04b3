// SPDX-License-Identifier: MIT
// Past times of a command line, and the zone in which people read times.

import ObserveCore
import Testing

@testable import observectl

struct TimeArgumentTests {
    /// An hour ahead of UTC in winter, and two from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
    private static let zone = ClockZone { seconds in
        (1_774_746_000..<1_792_890_000).contains(seconds) ? (7200, "CEST") : (3600, "CET")
    }

    private static func time(_ text: String) throws -> ClockTime { try #require(ClockTime(rfc3339: text)) }

    @Test(
        arguments: [
            ("30", "2026-01-31T12:59:30Z"), ("5m", "2026-01-31T12:55:00Z"), ("1d", "2026-01-30T13:00:00Z"),
            // The clocks show 14:00.
            ("14:00", "2026-01-31T13:00:00Z"), ("9:30", "2026-01-31T08:30:00Z"),
            ("14:01", "2026-01-30T13:01:00Z"), ("00:00:00.5", "2026-01-30T23:00:00.500Z"),
            ("2026-01-30", "2026-01-29T23:00:00Z"), ("2026-01-30T14:00", "2026-01-30T13:00:00Z"),
            ("2026-01-30 14:00:15", "2026-01-30T13:00:15Z"), ("2026-01-30T14:00Z", "2026-01-30T14:00:00Z"),
            ("2026-01-30T14:00:00.25+02:30", "2026-01-30T11:30:00.250Z"),
            ("2026-01-30T14:00:00-05:00", "2026-01-30T19:00:00Z"),
            ("2026-01-30T14:00+0100", "2026-01-30T13:00:00Z"),
            ("2025-07-01T14:00", "2025-07-01T13:00:00Z"), ("2026-07-01T14:00", "2026-07-01T12:00:00Z"),
            ("2026-03-29T04:00", "2026-03-29T02:00:00Z"), ("2026-03-29T01:30", "2026-03-29T00:30:00Z"),
        ]
    )
    func `a time is before now, or as clocks show it`(text: String, time: String) throws {
        let now = try Self.time("2026-01-31T13:00:00Z")
        let found = TimeArgument.past(text, now: now, zone: Self.zone)
        #expect(try found == Self.time(time))
    }

    @Test(arguments: [
        "", "0", "soon", "24:00", "14:60", "14:00:", ":00", "14:0x", "2026-01-30T", "T14:00", "2026-01-30T14",
        "2026-01-30T14:00+", "2026-01-30T14:00+25:00", "2026-01-30T14:00T", "-5m", "٣:00", "1 4:00",
        "1700000000",
    ])
    func `other texts are not a time`(text: String) throws {
        let now = try Self.time("2026-01-31T13:00:00Z")
        #expect(TimeArgument.past(text, now: now, zone: Self.zone) == nil)
    }

    @Test(
        arguments: [
            (0, "2026-01-31T13:00:00.000Z"), (3600, "2026-01-31T14:00:00.000+01:00"),
            (-12_600, "2026-01-31T09:30:00.000-03:30"), (45_900, "2026-02-01T01:45:00.000+12:45"),
        ] as [(Int64, String)]
    )
    func `a time that stands alone has its offset`(offset: Int64, text: String) throws {
        let zone = ClockZone { _ in (offset, "") }
        #expect(zone.rfc3339(try Self.time("2026-01-31T13:00:00Z")) == text)
    }

    @Test(
        arguments: [
            (TimeArgumentTests.zone, "00:30:00.000 CET,"), (.utc, "23:30:00.000 UTC,"),
            (.nameless, "23:30:00.000,"),
        ] as [(ClockZone, String)]
    )
    func `an explanation has the time with its zone`(zone: ClockZone, text: String) throws {
        let explained = Value.object(
            ValueMembers([
                ("path", .string("a")),
                ("lastChange", .object(ValueMembers([("time", .string("2026-01-31T23:30:00Z"))]))),
            ])
        )
        let now = try Self.time("2026-01-31T23:59:00Z").milliseconds
        let view = ExplainLines(
            explained: explained,
            glyphs: .ascii,
            now: now,
            zone: zone
        ) { _ in nil }
        let lines = view.lines(columns: 80).map(\.text)
        #expect(lines.contains { $0.hasPrefix("changed   \(text)") }, "\(lines)")
    }

    @Test(arguments: ["log", "plot"])
    func `--since takes a dash before a duration, as a moment has it`(command: String) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket", command, "a", "--since", "-5m"])
        #expect(run.ending == .status(.unavailable), "\(run.error)")
    }

    @Test(arguments: ["log", "plot"])
    func `--since names the times that it takes`(command: String) throws {
        let run = try ToolRun([command, "a", "--since", "teatime"])
        #expect(run.ending == .status(.usage))
        #expect(
            run.error.split(separator: "\n").first
                == "observectl: --since takes a past time, like 30 (seconds), 5m, 1d, 14:00 or 2026-01-31T14:00, not 'teatime'"
        )
    }
}
