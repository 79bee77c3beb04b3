// SPDX-License-Identifier: MIT
// Messages for the operator, one line each. Independent of their destination.

internal import Synchronization

/// The severity of a message.
package enum LogLevel: Int, CaseIterable, Comparable, Sendable {
    case error
    case warning
    case info
    case debug

    /// The level with that name, as command lines write it.
    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// The syslog number that the systemd journal uses.
    var journalPriority: Int {
        switch self {
        case .error: 3
        case .warning: 4
        case .info: 6
        case .debug: 7
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The start of a line.
package enum LogPrefix: Sendable, Equatable {
    /// `observed: `, for a person at a terminal.
    case name(String)
    /// `<6>`, which the systemd journal removes.
    case journalPriority
}

/// The program's messages. Discards all messages until the program opens it, because a library does not write to
/// its host's standard error.
///
/// - Threading: any thread. Several threads may call the sink at once, without a lock, so the sink must write each
///   line with one `write(2)`.
/// - Cost: a message below the threshold is not built; it costs one atomic load.
package final class Log: Sendable {
    package typealias Sink = @Sendable (_ line: String) -> Void

    /// The log that the library writes to.
    package static let shared = Log()

    private struct Output {
        var prefix: LogPrefix
        var sink: Sink
    }

    /// The raw value of the last level that the log writes; -1 while it is closed.
    private let threshold = Atomic<Int>(-1)
    private let output = Mutex<Output?>(nil)

    package init() {}

    /// Starts writing messages of `threshold` and above to `sink`. Each line includes its line feed.
    package func open(threshold: LogLevel, prefix: LogPrefix, sink: @escaping Sink) {
        output.withLock { $0 = Output(prefix: prefix, sink: sink) }
        self.threshold.store(threshold.rawValue, ordering: .releasing)
    }

    package func isWritten(_ level: LogLevel) -> Bool {
        level.rawValue <= threshold.load(ordering: .relaxed)
    }

    package func error(_ message: @autoclosure () -> String) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    package func info(_ message: @autoclosure () -> String) { write(.info, message) }
    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard isWritten(level), let output = output.withLock({ $0 }) else { return }
        output.sink(Log.line(level, message(), prefix: output.prefix))
    }

    /// The line, with its prefix and its line feed.
    static func line(_ level: LogLevel, _ message: String, prefix: LogPrefix) -> String {
        let beginning =
            switch prefix {
            case .name(let name): level <= .warning ? "\(name): \(level.name): " : "\(name): "
            case .journalPriority: "<\(level.journalPriority)>"
            }
        return "\(beginning)\(message.printable)\n"
    }
}
