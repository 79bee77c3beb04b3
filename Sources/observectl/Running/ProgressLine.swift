// SPDX-License-Identifier: MIT
// A line of progress on a terminal, while a command's work takes long. Independent of the work.

import ObserveCore

/// Shows how many bytes a command has moved, on standard error if that is a terminal.
struct ProgressLine {
    private static let intervalMilliseconds: UInt64 = 100

    private let streams: StandardStreams
    private let verb: String
    private let isShown: Bool
    private var next = MonotonicTime.now

    /// - Parameter verb: what the command has done with the bytes.
    init(_ verb: String, of invocation: Invocation) {
        self.verb = verb
        streams = invocation.streams
        // The output on the same terminal would mix with it.
        isShown = Terminal.isTerminal(streams.error) && !invocation.presentation.isTerminal
    }

    mutating func show(_ count: Int, of total: Int? = nil) {
        guard isShown, next <= .now else { return }
        next = MonotonicTime.now.adding(milliseconds: ProgressLine.intervalMilliseconds)
        let share = total.map { " of \(ProgressLine.size($0)), \(count * 100 / max($0, 1)) %" } ?? ""
        streams.progress("\(verb) \(ProgressLine.size(count))\(share)")
    }

    func clear() { if isShown { streams.progress(nil) } }

    static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
