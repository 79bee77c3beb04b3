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

/// The series of a plot.
struct PlotData: Equatable, Sendable {
    /// Positions are times, not numbers of lines.
    enum Axis: Equatable, Sendable { case unknown, lines, time }

    static let mostSeries = 12
    /// In seconds since 1970: the year 5138.
    private static let latest = 1e11
    /// Of each series; older ones are dropped.
    private static let mostPoints = 100_000

    private(set) var series: [PlotSeries] = []
    private(set) var axis = Axis.unknown
    /// How many series are left out.
    private(set) var omitted: Set<String> = []

    var hasNumber: Bool { series.contains { $0.points.contains { $0.y != nil } } }

    /// Adds the value at a path at a time.
    mutating func add(_ value: Value?, to name: String, at time: ClockTime) {
        axis = .time
        append(PlotPoint(x: Double(time.milliseconds) / 1000, y: value?.plotted), to: name)
    }

    /// The number of a line: a number, `[time, number]` or an event.
    ///
    /// - Parameter time: for an event without a time.
    /// - Returns: false for other lines.
    mutating func add(line: [UInt8], at time: ClockTime) -> Bool {
        guard let value = try? RawJSON(validating: line).value() else { return false }
        switch value {
        case .int, .double:
            guard axis != .time else { return false }
            axis = .lines
            append(PlotPoint(x: (series.first?.points.last?.x ?? 0) + 1, y: value.plotted), to: "")
        case .array(let pair):
            guard pair.count == 2, let x = PlotData.seconds(pair[0]), axis != .lines else { return false }
            axis = .time
            append(PlotPoint(x: x, y: pair[1].plotted), to: "")
        case .object(let members):
            guard let path = members["path"]?.string, axis != .lines else { return false }
            let written = members["time"]?.string.flatMap(ClockTime.init(rfc3339:))
            add(members["new"], to: path, at: written ?? time)
        default: return false
        }
        return true
    }

    private static func seconds(_ value: Value) -> Double? {
        if let text = value.string { return ClockTime(rfc3339: text).map { Double($0.milliseconds) / 1000 } }
        return value.double.flatMap { abs($0) <= latest ? $0 : nil }
    }

    private mutating func append(_ point: PlotPoint, to name: String) {
        guard let index = series.firstIndex(where: { $0.name == name }) else {
            guard series.count < PlotData.mostSeries else {
                if omitted.count < 1000 { omitted.insert(name) }
                return
            }
            series.append(PlotSeries(name: name, points: [point]))
            return
        }
        series[index].points.append(point)
        guard series[index].points.count > PlotData.mostPoints else { return }
        series[index].points.removeFirst(PlotData.mostPoints / 10)
    }

    /// Drops what is before a position. One point before it stays, since its value still holds there.
    mutating func drop(before x: Double) {
        for index in series.indices {
            let later = series[index].points.firstIndex { $0.x >= x } ?? series[index].points.count
            if later > 1 { series[index].points.removeFirst(later - 1) }
        }
    }
}

extension Value {
    /// The value as a number in a plot: true is 1 and false 0. Nil for others, and for numbers whose distances overflow.
    var plotted: Double? {
        if let bool { return bool ? 1 : 0 }
        return double.flatMap { abs($0) <= PlotScale.greatest ? $0 : nil }
    }
}
