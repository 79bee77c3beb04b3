// SPDX-License-Identifier: MIT
// Which lines the log leaves out, and when it counts them. Independent of clocks and of the lines' destination.

struct LogMessage: Equatable {
    let level: LogLevel
    let text: String
}

/// Bounds the log: each place in the code writes at most ``linesPerSecond``, counts of lines that were left out among
/// them. A line that repeats the one before is left out, too.
struct LogLimiter {
    static let linesPerSecond = 20
    /// A line that comes again after so long is written again.
    private static let repeatNanoseconds: UInt64 = 10_000_000_000
    private static let second: UInt64 = 1_000_000_000

    /// The lines of one place in the code, since a moment.
    private struct Window {
        let start: MonotonicTime
        var written = 0
        var leftOut = 0
        /// The last message that was left out.
        var last: LogMessage?

        func hasPassed(at now: MonotonicTime) -> Bool { start.nanoseconds(until: now) >= LogLimiter.second }
    }

    private var windows: [String: Window] = [:]
    /// The last line that was written, unless another was left out since.
    private var last: (message: LogMessage, place: String, time: MonotonicTime)?
    private var repeats = 0

    /// The messages to write instead of this one: none, or also the counts of those that were left out.
    mutating func admit(_ message: LogMessage, from place: String, at now: MonotonicTime) -> [LogMessage] {
        if let last, last.message == message, last.time.nanoseconds(until: now) < Self.repeatNanoseconds {
            repeats += 1
            return []
        }
        var messages = counts(at: now)
        if isAdmitted(1, message, from: place, at: now) {
            last = (message, place, now)
            messages.append(message)
        }
        return messages
    }

    /// The counts of lines that were left out. Each is due when the second of its place has passed.
    /// - Parameter isLast: whether no line follows, so that all counts are due.
    mutating func counts(at now: MonotonicTime, isLast: Bool = false) -> [LogMessage] {
        var messages: [LogMessage] = []
        if repeats > 0, let (message, place, _) = last {
            let count = repeats
            repeats = 0
            if isAdmitted(count, message, from: place, at: now) {
                messages.append(
                    LogMessage(level: message.level, text: "\(message.text) (\(count) more times)")
                )
            }
        }
        for (place, window) in windows {
            guard let last = window.last, isLast || window.hasPassed(at: now) else { continue }
            windows[place] = Window(start: now, written: 1)
            messages.append(
                LogMessage(
                    level: last.level,
                    text: "left out \(window.leftOut) lines, the last of them: \(last.text)"
                )
            )
        }
        return messages
    }

    /// Whether the place may write one more line. If not, counts the lines that it stands for as left out.
    private mutating func isAdmitted(
        _ lines: Int,
        _ message: LogMessage,
        from place: String,
        at now: MonotonicTime
    ) -> Bool {
        var window = windows[place] ?? Window(start: now)
        // Lines that were left out keep their window until they are counted.
        if window.last == nil, window.hasPassed(at: now) { window = Window(start: now) }
        defer { windows[place] = window }
        if window.written < LogLimiter.linesPerSecond {
            window.written += 1
            return true
        }
        window.leftOut += lines
        window.last = message
        last = nil
        return false
    }
}
