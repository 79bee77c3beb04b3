// SPDX-License-Identifier: MIT
// Which lines the log leaves out, and when it counts them. Independent of clocks and of the lines' destination.

/// A message with its level.
struct LogMessage: Equatable {
    let level: LogLevel
    let text: String
}

/// Bounds the log: a repeated line is written once and then with its count, and each place in the code writes at most
/// ``linesPerSecond``.
struct LogLimiter {
    static let linesPerSecond = 20
    /// A line that comes again after so long is written again.
    private static let repeatNanoseconds: UInt64 = 10_000_000_000
    private static let second: UInt64 = 1_000_000_000

    /// The lines of one place in the code, since a moment.
    private struct Window {
        var start: MonotonicTime
        var written = 0
        var leftOut = 0
        /// The last message that was left out.
        var last: LogMessage?
    }

    private var windows: [String: Window] = [:]
    private var last: (message: LogMessage, time: MonotonicTime)?
    private var repeats = 0

    /// The messages to write instead of this one: none, or also the counts of those that were left out.
    mutating func admit(_ message: LogMessage, from place: String, at now: MonotonicTime) -> [LogMessage] {
        if let last, last.message == message, last.time.nanoseconds(until: now) < LogLimiter.repeatNanoseconds
        {
            repeats += 1
            return []
        }
        var messages = takeRepeats() + takeLeftOut(at: now)
        var window = windows[place] ?? Window(start: now)
        if window.start.nanoseconds(until: now) >= LogLimiter.second { window = Window(start: now) }
        defer { windows[place] = window }
        guard window.written < LogLimiter.linesPerSecond else {
            window.leftOut += 1
            window.last = message
            return messages
        }
        window.written += 1
        last = (message, now)
        messages.append(message)
        return messages
    }

    private mutating func takeRepeats() -> [LogMessage] {
        guard repeats > 0, let message = last?.message else { return [] }
        defer { repeats = 0 }
        return [LogMessage(level: message.level, text: "\(message.text) (\(repeats) more times)")]
    }

    /// The counts of windows that have passed.
    private mutating func takeLeftOut(at now: MonotonicTime) -> [LogMessage] {
        var messages: [LogMessage] = []
        for (place, window) in windows {
            guard let last = window.last, window.start.nanoseconds(until: now) >= LogLimiter.second else {
                continue
            }
            windows[place]?.last = nil
            windows[place]?.leftOut = 0
            messages.append(
                LogMessage(
                    level: last.level,
                    text: "left out \(window.leftOut) lines, the last of them: \(last.text)"
                )
            )
        }
        return messages
    }
}
