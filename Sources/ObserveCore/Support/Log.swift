// SPDX-License-Identifier: MIT
// Messages for the operator, one line each. Independent of their destination.

internal import Synchronization

/// The severity of a message. The raw values are the syslog numbers that the systemd journal uses.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    /// The level with that name, as command lines write it.
    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package var name: String { "\(self)" }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The start of a line.
package enum LogPrefix: Sendable, Equatable {
    /// `observed: `, for a person at a terminal.
    case name(String)
    /// `<6>`, which the systemd journal removes.
    case journalPriority
}

/// The program's messages. Discards all until the program opens it: a library does not write to its host's standard error.
/// - Threading: any thread. Several threads may call the sink at once, without a lock, so the sink must write each
///   line with one `write(2)`.
/// - Cost: a message below the threshold is not built; it costs one atomic load.
package final class Log: Sendable {
    package typealias Sink = @Sendable (_ line: String) -> Void
    package typealias Clock = @Sendable () -> MonotonicTime

    /// The log that the library writes to.
    package static let shared = Log()

    private struct Output {
        var prefix: LogPrefix
        var now: Clock?
        var sink: Sink

        func write(_ messages: [LogMessage]) {
            for message in messages { sink(Log.line(message.level, message.text, prefix: prefix)) }
        }
    }

    /// The raw value of the last level that the log writes; -1 while it is closed.
    private let threshold = Atomic<Int>(-1)
    private let output = Mutex<Output?>(nil)
    private let limiter = Mutex(LogLimiter())

    package init() {}

    /// Starts writing messages of `threshold` and above to `sink`. Each line includes its line feed.
    /// - Parameter now: the clock of the limits; nil for none.
    package func open(
        threshold: LogLevel,
        prefix: LogPrefix,
        limitedBy now: Clock? = nil,
        sink: @escaping Sink
    ) {
        output.withLock { $0 = Output(prefix: prefix, now: now, sink: sink) }
        self.threshold.store(threshold.rawValue, ordering: .releasing)
    }

    package func isWritten(_ level: LogLevel) -> Bool { level.rawValue <= threshold.load(ordering: .relaxed) }

    package func error(_ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line) {
        write(.error, file, line, message)
    }

    package func warning(_ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line) {
        write(.warning, file, line, message)
    }

    package func info(_ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line) {
        write(.info, file, line, message)
    }

    package func debug(_ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line) {
        write(.debug, file, line, message)
    }

    private func write(_ level: LogLevel, _ file: String, _ line: Int, _ message: () -> String) {
        guard isWritten(level), let output = output.withLock({ $0 }) else { return }
        let message = LogMessage(level: level, text: message())
        guard let time = output.now?() else { return output.write([message]) }
        output.write(
            limiter.withLock {
                Log.isLimited(file)
                    ? $0.admit(message, from: "\(file):\(line)", at: time) : $0.counts(at: time) + [message]
            }
        )
    }

    /// Writes how many lines were left out, before the program ends.
    package func finish() {
        guard let output = output.withLock({ $0 }), let time = output.now?() else { return }
        output.write(limiter.withLock { $0.counts(at: time, isLast: true) })
    }

    /// Limits hold for the library's own lines, which clients may cause. The program's lines answer its operator.
    private static func isLimited(_ file: String) -> Bool { file.hasPrefix(library) }

    /// The beginning of the library's files: its module, and a slash.
    private static let library = #fileID.prefix { $0 != "/" } + "/"

    /// The longest line: pipes accept it as a whole.
    private static let maxBytes = 4096

    /// The line, with its prefix and its line feed. Cut at ``maxBytes``.
    static func line(_ level: LogLevel, _ message: String, prefix: LogPrefix) -> String {
        let beginning =
            switch prefix {
            case .name(let name): level <= .warning ? "\(name): \(level.name): " : "\(name): "
            case .journalPriority: "<\(level.rawValue)>"
            }
        let text = message.printable
        return "\(beginning)\(text.cut(atBytes: maxBytes - beginning.utf8.count - 1))\n"
    }
}
