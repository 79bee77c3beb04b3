// SPDX-License-Identifier: MIT
// The whole terminal as a place for frames: keys in, frames out, and the terminal back at the end. Independent of views.

import ObserveCore

enum ScreenEvent: Equatable, Sendable {
    case key(Key)
    /// The size has changed, or the process continues after a stop: the next frame is drawn as a whole.
    case redraw
}

/// - Lifetime: the terminal is this object's from ``init(_:)`` to ``close()`` or `deinit`, except while the job is stopped.
/// - Errors: a usage error without a terminal; ``CommandError/output(_:)`` if the terminal has gone.
/// - Threading: confined to its owner, which waits for ``alarms`` and then calls ``events()``.
final class Screen {
    /// The alternate screen, without a cursor, without wrapping, with the mouse.
    private static let greeting = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h"
    private static let farewell = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"
    /// A sequence of a key that arrives in pieces is whole after that.
    private static let keyMilliseconds: UInt64 = 50

    private let streams: StandardStreams
    private let isColoured: Bool
    private var terminal: DrawnTerminal?
    private var shown: Frame?
    private var parser = KeyParser()
    private var resized: SignalCounter?
    private var stopped: SignalCounter?
    private var continued: SignalCounter?
    private(set) var size = FrameSize(80, 24)

    init(_ invocation: Invocation) throws(CommandError) {
        streams = invocation.streams
        isColoured = invocation.presentation.isColoured
        let isTerminal = invocation.presentation.isTerminal && Terminal.isTerminal(streams.input)
        guard isTerminal, invocation.process.isWholeProcess, invocation.process.environment("TERM") != "dumb"
        else {
            throw invocation.arguments.usage("it draws on a terminal: standard input and output must be one")
        }
        try open()
    }

    deinit { close() }

    /// Gives the terminal back. A second call has no effect.
    func close() {
        terminal?.end()
        terminal = nil
        (resized, stopped, continued) = (nil, nil, nil)
    }

    private func open() throws(CommandError) {
        resized = try attemptInput(SignalCounter(DrawnTerminal.resized))
        stopped = try attemptInput(SignalCounter(DrawnTerminal.stopped))
        continued = try attemptInput(SignalCounter(DrawnTerminal.continued))
        terminal = try attemptInput(DrawnTerminal(streams.input, farewell: Screen.farewell))
        try streams.put(Screen.greeting.bytes)
        measure()
    }

    private func measure() {
        let now = Terminal.size(streams.output) ?? (80, 24)
        // A frame has some cells, and never so many that it takes long.
        size = FrameSize(min(max(now.columns, 1), 1000), min(max(now.rows, 1), 500))
        shown = nil
    }

    /// Descriptors that are readable when ``events()`` has something.
    var alarms: [Int32] { [streams.input] + [resized, stopped, continued].compactMap { $0?.number } }

    /// The time at which ``events()`` has a key that no further bytes completed; nil for none.
    var deadline: MonotonicTime? {
        parser.hasPending ? MonotonicTime.now.adding(milliseconds: Screen.keyMilliseconds) : nil
    }

    /// The events that have come. Stops the job at Ctrl-Z, until it continues.
    func events() throws(CommandError) -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        if Poll.wait(for: [(streams.input, .readable)], until: .now)[0].isEmpty {
            events += parser.flush().map(ScreenEvent.key)
        } else {
            let (result, bytes) = ByteIO.read(streams.input, limitBytes: 4096)
            switch result {
            case .bytes: events += parser.parse(bytes).map(ScreenEvent.key)
            case .wouldBlock: break
            case .endOfInput, .failed: throw .client(.abandoned)
            }
        }
        if stopped?.drain() == true || events.contains(.key(.control("z"))) {
            try stop()
            events.removeAll { $0 == .key(.control("z")) }
            events.append(.redraw)
        }
        if continued?.drain() == true {
            // Another process may have changed the terminal meanwhile.
            close()
            try open()
            events.append(.redraw)
        }
        if resized?.drain() == true {
            measure()
            events.append(.redraw)
        }
        return events
    }

    private func stop() throws(CommandError) {
        close()
        DrawnTerminal.stopJob()
        try open()
    }

    func lend(_ body: () throws(CommandError) -> Void) throws(CommandError) {
        close()
        do throws(CommandError) { try body() } catch {
            try open()
            throw error
        }
        try open()
    }

    /// Draws what differs from the frame before. False if the terminal takes no bytes now: a later frame shows it.
    @discardableResult func draw(_ frame: Frame) throws(CommandError) -> Bool {
        let events = Poll.wait(for: [(streams.output, .writable)], until: .now)[0]
        if events.contains(.gone) { throw .client(.abandoned) }
        guard events.contains(.writable) else { return false }
        let bytes = FrameDifference.bytes(from: shown, to: frame, isColoured: isColoured)
        if !bytes.isEmpty { try streams.put(bytes) }
        shown = frame
        return true
    }
}
