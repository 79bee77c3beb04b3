// SPDX-License-Identifier: MIT
// Ranges of axes, and round positions for their labels. Independent of drawing.

struct PlotScale: Equatable, Sendable {
    /// Greater numbers have no place on an axis.
    static let greatest = 1e300

    let low: Double
    let high: Double
    let step: Double
    /// The seconds that clocks are ahead of the positions.
    var clockOffset = 0.0

    /// - Parameter bounds: the limits that a user set; nil for what the values need.
    init(values: [Double], bounds: (low: Double?, high: Double?), ticks count: Int) {
        var low = bounds.low ?? values.min() ?? 0
        var high = bounds.high ?? values.max() ?? 1
        if high <= low {
            // A constant has room on both sides.
            let margin = max(abs(low) * 0.1, 1)
            if bounds.low == nil { low -= margin }
            if bounds.high == nil || high <= low { high = max(high, low) + margin }
        }
        step = PlotScale.roundStep((high - low) / Double(max(count, 1)))
        // Free limits are ticks themselves. Between numbers that hardly differ there may be none.
        let floor = bounds.low ?? (low / step + 1e-9).rounded(.down) * step
        let ceiling = bounds.high ?? (high / step - 1e-9).rounded(.up) * step
        (self.low, self.high) = (floor, ceiling > floor ? ceiling : floor + max(step, abs(floor) * 1e-9))
    }

    /// A scale between positions, whose ticks are round times or numbers.
    init(from low: Double, to high: Double, isTime: Bool, ticks count: Int) {
        self.low = low
        self.high = high > low ? high : low + 1
        let least = (self.high - low) / Double(max(count, 1))
        let round = PlotScale.roundStep(least)
        step = isTime ? PlotScale.times.first { $0 >= least } ?? round : max(round, 1)
    }

    private static let times: [Double] =
        [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900]
        + [1800, 3600, 7200, 21_600, 43_200, 86_400]

    /// The least of 1, 2 and 5 times a power of ten that is not below a number.
    private static func roundStep(_ least: Double) -> Double {
        guard least > 0, least.isFinite else { return 1 }
        var power = 1.0
        while power < least { power *= 10 }
        while power / 10 >= least { power /= 10 }
        return [0.1, 0.2, 0.5, 1].map { $0 * power }.first { $0 >= least * 0.999_999 } ?? power
    }

    var ticks: [Double] {
        let first = ((low + clockOffset) / step - 1e-9).rounded(.up)
        let count = min(Int(((high + clockOffset - first * step) / step + 1e-9).rounded(.down)) + 1, 200)
        return count > 0 ? (0..<count).map { (first + Double($0)) * step - clockOffset } : []
    }

    /// The place of a number: 0 at the low end, 1 at the high one. Numbers far outside come nearer.
    func share(_ number: Double) -> Double { min(max((number - low) / (high - low), -3), 4) }

    /// A tick's number with as many digits as the step needs, and a unit or an exponent for large and small ones.
    func label(_ number: Double) -> String {
        let largest = max(abs(low), abs(high))
        if largest >= 1e15 || largest < 1e-4 {
            let (exponent, power) = PlotScale.exponent(of: largest)
            return PlotScale.decimal(number / power, step: step / power) + "e\(exponent)"
        }
        for (unit, size) in [("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e4)] where largest >= size {
            let scale = unit == "k" ? 1000 : size
            return PlotScale.decimal(number / scale, step: step / scale) + unit
        }
        return PlotScale.decimal(number, step: step)
    }

    /// The greatest power of ten that is not above a number.
    private static func exponent(of number: Double) -> (Int, Double) {
        var (exponent, power) = (0, 1.0)
        while power * 10 <= number { (exponent, power) = (exponent + 1, power * 10) }
        while power > number, exponent > -300 { (exponent, power) = (exponent - 1, power / 10) }
        return (exponent, power)
    }

    /// A position on an axis of time.
    func timeLabel(_ seconds: Double) -> String {
        let shown = min(max(seconds + clockOffset, -1e12), 1e12)
        let time = ClockTime(milliseconds: Int64((shown * 1000).rounded()))
        switch step {
        case ..<1: return String(time.timeOfDay.dropFirst(3))
        case ..<60: return String(time.timeOfDay.prefix(8))
        case ..<86_400: return String(time.timeOfDay.prefix(5))
        default: return String(time.date.dropFirst(5))
        }
    }

    private static let mostDigits = 9

    private static func decimal(_ number: Double, step: Double) -> String {
        var (digits, unit) = (0, 1.0)
        while digits < mostDigits, abs((step * unit).rounded() - step * unit) > 1e-6 {
            (digits, unit) = (digits + 1, unit * 10)
        }
        return number.text(decimals: digits)
    }
}
