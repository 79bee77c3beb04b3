// SPDX-License-Identifier: MIT
// The frames of `plot`, exactly; lines of input, scales, extreme numbers, the picture.

import ObserveCore
import Testing

@testable import observectl

struct PlotViewTests {
    private func data(_ lines: [String], at milliseconds: Int64 = 0) -> PlotData {
        var data = PlotData()
        for line in lines {
            let isAdded = data.add(line: Array(line.utf8), at: ClockTime(milliseconds: milliseconds))
            #expect(isAdded, "\(line)")
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
        func accepts(_ line: String, after former: [String]) -> Bool {
            var data = data(former)
            let before = data
            defer { #expect(data == before || data.series != before.series) }
            return data.add(line: Array(line.utf8), at: ClockTime(milliseconds: 0))
        }
        for line in [
            "", "x", "null", "true", "\"1\"", "[1]", "[1,2,3]", "[null,1]", "[1e12,1]", "[\"today\",1]", "{}",
        ] {
            #expect(!accepts(line, after: []), "\(line)")
        }
        #expect(!accepts("1", after: ["[1,2]"]))
        #expect(!accepts("[1,2]", after: ["1"]))
        #expect(!accepts(#"{"path":"a","new":1}"#, after: ["1"]))
        #expect(accepts(#"{"path":"a","new":1}"#, after: ["[1,2]"]))
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
