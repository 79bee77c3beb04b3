// SPDX-License-Identifier: MIT
// The frames of `plot`, exactly; lines of input, scales, extreme numbers, the picture.

import ObserveCore
import Testing

@testable import observectl

struct PlotViewTests {
    private func data(_ lines: [String], at milliseconds: Int64 = 0) -> PlotData {
        var data = PlotData()
        for line in lines {
            #expect(throws: Never.self, "\(line)") {
                try data.add(line: Array(line.utf8), at: ClockTime(milliseconds: milliseconds))
            }
        }
        return data
    }

    private func event(_ second: Int, _ path: String, _ new: Value) -> String {
        let time = ClockTime(milliseconds: 1_795_432_985_000 + Int64(second) * 1000)
        let members = ValueMembers([
            ("path", .string(path)), ("new", new), ("time", .string("\(time.date)T\(time.timeOfDay)Z")),
        ])
        return RawJSON(.object(members)).text
    }

    /// A value that jumps, one that is sometimes not a number, and a name with characters of all kinds.
    private var events: PlotData {
        let odd = "odd.映画 e\u{301}\u{202E}\u{1B}[2J"
        return data([
            event(0, "app.volume", 50), event(5, "app.volume", 20), event(40, "app.volume", 90),
            event(0, "app.playing", false), event(10, "app.playing", true), event(20, "app.playing", .null),
            event(30, "app.playing", true), event(45, "app.playing", false),
            event(12, odd, 33.25), event(25, odd, 66.5), event(60, odd, 40),
        ])
    }

    private var numbers: PlotData { data((0..<50).map { "\($0 * $0 - 40 * $0)" }) }

    private func lines(
        _ data: PlotData,
        _ size: FrameSize,
        _ glyphs: Glyphs,
        _ state: PlotState = PlotState()
    )
        -> [CellLine]
    {
        PlotView(data: data, state: state, glyphs: glyphs).lines(columns: size.columns, rows: size.rows)
    }

    @Test func `events are steps, with gaps where a value is not a number`() throws {
        try SavedFrame.expectAll("plot") { lines(events, $0, $1) }
    }

    @Test func `numbers without times are points that lines connect`() throws {
        var state = PlotState()
        state.isStepped = false
        try SavedFrame.expectAll("plot-numbers") { lines(numbers, $0, $1, state) }
        state.dots = .blocks
        try SavedFrame.expectAll("plot-blocks") { lines(numbers, $0, $1, state) }
    }

    @Test func `a window and limits cut what is outside`() throws {
        var state = PlotState()
        (state.low, state.high, state.window) = (0, 50, 20)
        state.now = 1_795_432_985 + 50
        try SavedFrame.expectAll("plot-window") { lines(events, $0, $1, state) }
    }

    @Test func `many series leave the plot its place`() throws {
        let many = data((0..<15).map { event($0, "sensors.\($0).temperature", .int(Int64($0))) })
        #expect(many.series.count == PlotData.mostSeries && many.omitted.count == 3)
        try SavedFrame.expectAll("plot-many") { lines(many, $0, $1) }
    }

    @Test func `every size has its lines and columns, however small`() {
        for (columns, rows) in [(1, 1), (2, 3), (4, 4), (10, 5), (15, 2)] {
            for data in [PlotData(), numbers, events] {
                let lines = lines(data, FrameSize(columns, rows), .unicode)
                #expect(Frame(lines, FrameSize(columns, rows), in: .unicode).lines.count == rows)
            }
        }
        #expect(lines(PlotData(), FrameSize(40, 10), .ascii)[0].text == "no numbers yet")
    }

    @Test func `the greatest and least numbers and times have a place`() {
        for text in [
            ["1e300", "-1e300"], ["1e301", "1"], ["5e-324", "0"], ["-5e-324"], ["1e-300", "2e-300"],
            ["9007199254740993", "9007199254740992"], ["-9223372036854775808", "9223372036854775807"],
            ["1e15"], ["[-1e11,1]", "[1e11,2]"], ["[0,1]", "[1e-9,2]"], ["[5,1e300]", "[4,-1e300]"],
        ] {
            let data = data(text)
            for state in [PlotState(), PlotState(low: -1e-300, high: 1e-300), PlotState(low: 1e300)] {
                for size in frameSizes { #expect(!lines(data, size, .unicode, state).isEmpty) }
                #expect(PlotPicture(data: data, state: state).svg.hasSuffix("</svg>\n"))
            }
        }
    }

    @Test func `other lines are refused, and so are numbers among times`() {
        func fault(_ line: String, after former: [String]) -> PlotFault? {
            var data = data(former)
            let before = data
            do throws(PlotFault) {
                try data.add(line: Array(line.utf8), at: ClockTime(milliseconds: 0))
                return nil
            } catch {
                #expect(data == before)
                return error
            }
        }
        for line in ["", "x", "\"1\"", "[1]", "[1,2,3]", "{}", "[]"] {
            #expect(fault(line, after: []) == .form, "\(line)")
        }
        #expect(fault("1", after: ["[1,2]"]) == .form)
        #expect(fault("null", after: ["[1,2]"]) == .form)
        #expect(fault("[1,2]", after: ["1"]) == .form)
        #expect(fault(#"{"path":"a","new":1}"#, after: ["1"]) == .form)
        #expect(fault(#"{"path":"a","new":1}"#, after: ["[1,2]"]) == nil)
        for time in [
            #""today""#, #""2026-02-31T00:00:00Z""#, #""2026-01-31T25:00:00Z""#, #""2026-01-31""#, "null",
            "true", "1e15",
            "[]",
        ] {
            #expect(
                fault("[\(time),1]", after: []) == .time(time == "1e15" ? "1000000000000000.0" : time),
                "\(time)"
            )
            #expect(fault(#"{"path":"a","new":1,"time":\#(time)}"#, after: []) != nil, "\(time)")
        }
    }

    @Test func `a line is a number, a time and a number, or an event`() {
        #expect(
            data(["5", "-2.5e1"]).series == [
                PlotSeries(name: "", points: [PlotPoint(x: 1, y: 5), PlotPoint(x: 2, y: -25)])
            ]
        )
        #expect(
            data([#"[1.5,2]"#, #"["1970-01-01T00:00:02Z",true]"#, "[3,null]"]).series == [
                PlotSeries(
                    name: "",
                    points: [PlotPoint(x: 1.5, y: 2), PlotPoint(x: 2, y: 1), PlotPoint(x: 3, y: nil)]
                )
            ]
        )
        #expect(
            data(["1", "null", "true", "3"]).series == [
                PlotSeries(
                    name: "",
                    points: [
                        PlotPoint(x: 1, y: 1), PlotPoint(x: 2, y: nil), PlotPoint(x: 3, y: 1),
                        PlotPoint(x: 4, y: 3),
                    ]
                )
            ]
        )
        // Milliseconds, an offset, and a time that an event has as a number.
        #expect(
            data([
                "[1795432985317,1]", #"["2026-11-23T12:23:05.317+01:00",2]"#,
                #"["2026-11-23 06:23:05.317-0500",3]"#,
                #"{"path":"","new":4,"time":1795432985.317}"#,
            ]).series[0].points.map(\.x) == Array(repeating: 1_795_432_985.317, count: 4)
        )
        #expect(
            data([#"{"path":"a","new":1}"#, event(0, "b", 2)], at: 7000).series == [
                PlotSeries(name: "a", points: [PlotPoint(x: 7, y: 1)]),
                PlotSeries(name: "b", points: [PlotPoint(x: 1_795_432_985, y: 2)]),
            ]
        )
    }

    @Test func `a dropped past leaves the value that still holds`() {
        var data = data(["[1,10]", "[2,20]", "[3,30]"])
        data.drop(before: 2.5)
        #expect(data.series[0].points.map(\.x) == [2, 3])
        data.drop(before: 100)
        #expect(data.series[0].points.map(\.x) == [3])
    }

    @Test(
        arguments: [
            ([0, 100], ["0", "50", "100"]), ([1, 1], ["0", "1", "2"]),
            ([-0.5, 0.5], ["-0.5", "0.0", "0.5"]),
            ([0, 25_000], ["0k", "10k", "20k", "30k"]), ([2e6, 4e6], ["2M", "3M", "4M"]),
            ([0, 3e9], ["0G", "1G", "2G", "3G"]), ([1e20, 3e20], ["1e20", "2e20", "3e20"]),
            ([1e-6, 3e-6], ["1e-6", "2e-6", "3e-6"]), ([1e15, 1e15 + 4], ["1e15", "1e15", "1e15"]),
        ] as [([Double], [String])]
    )
    func `ticks are round, with a unit for large and small numbers`(values: [Double], labels: [String]) {
        let scale = PlotScale(values: values, bounds: (nil, nil), ticks: 3)
        #expect(scale.ticks.map(scale.label) == labels)
    }

    @Test(
        arguments: [
            (0.5, "23:05.000"), (10, "11:23:05"), (300, "11:24"), (20_000, "12:00"), (400_000, "11-24"),
        ] as [(Double, String)]
    )
    func `ticks of time are round, in UTC`(seconds: Double, first: String) {
        let start = 1_795_432_985.0
        let scale = PlotScale(from: start, to: start + seconds, isTime: true, ticks: 4)
        #expect(scale.ticks.first.map(scale.timeLabel) == first)
    }

    @Test func `a pause is a gap, and an unchanged value continues after it`() {
        var data = data([event(0, "a", 1), event(0, "b", 2), event(0, "c", .null)])
        let start = 1_795_432_985.0
        func at(_ seconds: Int) -> ClockTime {
            ClockTime(milliseconds: Int64(start * 1000) + Int64(seconds) * 1000)
        }
        data.pause(at: at(10))
        data.pause(at: at(15))
        data.add(5, to: "b", at: at(20))
        data.resume(at: at(30))
        data.resume(at: at(40))
        let points = data.series.map {
            $0.points.map { "\(Int($0.x - start)):\($0.y.map { "\(Int($0))" } ?? "-")" }
        }
        #expect(points == [["0:1", "10:-", "30:1"], ["0:2", "10:-", "20:5"], ["0:-"]])
    }

    @Test func `the legend of a picture has rows that fit it`() throws {
        let many = data(
            (0..<9).map { event($0, "sensors.\($0).temperature", .int(Int64($0))) } + [
                event(1, String(repeating: "x", count: 300), 1)
            ]
        )
        let svg = PlotPicture(data: many, state: PlotState(), width: 400, height: 300).svg
        let places = svg.matches(of: #/<text x="([0-9.]+)" y="([0-9.]+)" fill="#d4d7dd">([^<]*)</#)
        #expect(places.count == 10)
        for place in places {
            let x = try #require(Double(place.1))
            #expect(x + Double(place.3.count) * 7.4 <= 400, "\(place.3)")
        }
        let rows = Set(places.map { String($0.2) })
        #expect(rows.count > 3 && places.last?.3.hasSuffix("…") == true)
        // The plot begins below the last row.
        let lowest = try #require(places.compactMap { Double($0.2) }.max())
        let clip = try #require(
            svg.firstMatch(of: #/<clipPath id="area"><rect x="[0-9.]+" y="([0-9.]+)"/#).flatMap {
                Double($0.1)
            }
        )
        #expect(clip > lowest)
    }

    @Test func `a plot is a picture, too`() throws {
        var state = PlotState()
        try SavedFrame.expect(PlotPicture(data: events, state: state).svg, "plot-svg")
        state.isStepped = false
        try SavedFrame.expect(
            PlotPicture(data: numbers, state: state, width: 400, height: 200).svg,
            "plot-numbers-svg"
        )
    }
}
