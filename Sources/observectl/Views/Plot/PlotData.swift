// SPDX-License-Identifier: MIT
// Series of numbers over time, from events and from lines of text. Independent of their drawing.

import ObserveCore

/// A number at a position: seconds since 1970, or the number of its line.
struct PlotPoint: Equatable, Sendable {
    let x: Double
    /// Nil for a gap: the value was not a number.
    let y: Double?
}

struct PlotSeries: Equatable, Sendable {
    let name: String
    var points: [PlotPoint] = []
}

struct PlotData: Equatable, Sendable {
    /// Positions are times, not numbers of lines.
    enum Axis: Equatable, Sendable { case unknown, lines, time }

    static let mostSeries = 12
    /// In seconds since 1970: the year 5138. Greater numbers are milliseconds.
    private static let latest = 1e11
    /// Of each series; older ones are dropped.
    private static let mostPoints = 100_000

    private(set) var series: [PlotSeries] = []
    private(set) var axis = Axis.unknown
    /// Whether a number was left out because it has no place on an axis.
    private(set) var isBeyondAxis = false
    /// The names of series that are left out.
    private(set) var omitted: Set<[UInt8]> = []
    /// The last point before a pause and the gap after it, by the positions of the series.
    private var paused: [Int: Pause] = [:]

    private struct Pause: Equatable {
        let last: PlotPoint
        let gap: PlotPoint
    }

    func index(of name: String) -> Int? { series.firstIndex { $0.name.isExactly(name) } }

    var hasNumber: Bool { series.contains { $0.points.contains { $0.y != nil } } }

    mutating func add(_ value: Value?, to name: String, at time: ClockTime) {
        axis = .time
        append(value, at: Double(time.milliseconds) / 1000, to: name)
    }

    /// Adds the number of a line: a number or null, `[time, number]` or an event, which may lack its time.
    mutating func add(line: [UInt8], at time: ClockTime) throws(PlotFault) {
        guard let value = try? RawJSON(validating: line).value() else { throw .form }
        switch value {
        case .int, .double, .bool, .null:
            guard axis != .time else { throw .form }
            axis = .lines
            append(value, at: (series.first?.points.last?.x ?? 0) + 1, to: "")
        case .array(let pair):
            guard pair.count == 2, axis != .lines else { throw .form }
            append(pair[1], at: try PlotData.seconds(pair[0]), to: "")
            axis = .time
        case .object(let members):
            guard let path = members["path"]?.string, axis != .lines else { throw .form }
            let seconds = try members["time"].map(PlotData.seconds) ?? Double(time.milliseconds) / 1000
            append(members["new"], at: seconds, to: path)
            axis = .time
        default: throw .form
        }
    }

    /// Seconds since 1970 of a number of seconds or milliseconds, or of text after RFC 3339.
    private static func seconds(_ value: Value) throws(PlotFault) -> Double {
        if let text = value.string, let time = ClockTime(rfc3339: text) {
            return Double(time.milliseconds) / 1000
        }
        guard let number = value.double, abs(number) <= latest * 1000
        else { throw .time(RawJSON(value).text) }
        return abs(number) <= latest ? number : number / 1000
    }

    private mutating func append(_ value: Value?, at x: Double, to name: String) {
        let y = value?.plotted
        if y == nil, value?.double != nil { isBeyondAxis = true }
        append(PlotPoint(x: x, y: y), to: name)
    }

    private mutating func append(_ point: PlotPoint, to name: String) {
        guard let index = index(of: name) else {
            guard series.count < PlotData.mostSeries else {
                if omitted.count < 1000 { omitted.insert(name.bytes) }
                return
            }
            series.append(PlotSeries(name: name, points: [point]))
            return
        }
        series[index].points.append(point)
        guard series[index].points.count > PlotData.mostPoints else { return }
        series[index].points.removeFirst(PlotData.mostPoints / 10)
    }

    // MARK: Absence

    /// Ends all lines at a time, until ``resume(at:)``: the values are unknown then.
    mutating func pause(at time: ClockTime) {
        guard paused.isEmpty else { return }
        let x = Double(time.milliseconds) / 1000
        for index in series.indices {
            guard let last = series[index].points.last, last.y != nil else { continue }
            let gap = PlotPoint(x: max(x, last.x), y: nil)
            paused[index] = Pause(last: last, gap: gap)
            append(gap, to: series[index].name)
        }
    }

    /// Continues the lines that have no newer value with the one before the pause.
    mutating func resume(at time: ClockTime) {
        for (index, pause) in paused where series[index].points.last == pause.gap {
            let x = max(Double(time.milliseconds) / 1000, pause.gap.x)
            append(PlotPoint(x: x, y: pause.last.y), to: series[index].name)
        }
        paused = [:]
    }

    /// Drops what is before a position. One point before it stays, since its value still holds there.
    mutating func drop(before x: Double) {
        for index in series.indices {
            let later = series[index].points.firstIndex { $0.x >= x } ?? series[index].points.count
            if later > 1 { series[index].points.removeFirst(later - 1) }
        }
    }
}

/// Why a line is not a point.
enum PlotFault: Error, Equatable {
    /// It is not a number, a pair or an event like the lines before.
    case form
    /// Its time, as JSON, is not one.
    case time(String)
}

extension Value {
    /// The value as a number in a plot: true is 1 and false 0. Nil for others, and for numbers whose distances overflow.
    var plotted: Double? {
        if let bool { return bool ? 1 : 0 }
        return double.flatMap { abs($0) <= PlotScale.greatest ? $0 : nil }
    }
}
