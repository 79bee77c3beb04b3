// SPDX-License-Identifier: MIT
// One run of `observectl subscribe`: frames in, lines out. Independent of connections.

import ObserveCore

/// Prints the events of a subscription, or a line for each of its frames, until it has the requested number.
final class Subscribing {
    private let invocation: Invocation
    private let settings: SubscribeSettings
    private let follower: Follower
    private var paths: ObservedPaths
    private var resume: ResumeFile?
    private var printed: Int64 = 0
    private var isReady = false
    private var hasInitial = false
    /// The last line of `--format`, which is not printed again.
    private var lastLine: [UInt8]?

    /// - Throws: a usage error. Nothing is connected yet.
    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        settings = try SubscribeSettings(invocation)
        paths = settings.paths
        resume = settings.resume
        follower = Follower(
            invocation,
            settings.params,
            from: settings.start,
            waits: !invocation.arguments.has("--no-reconnect"),
            needsValues: settings.format != nil
        )
    }

    func run() throws(CommandError) {
        while true {
            switch try follower.next() {
            case .subscribed(let resumption): resumption.map(apply)
            case .frame(let events): try print(events)
            }
            announceReadiness()
            if isOver { return try keep() }
            if !follower.hasWaitingEvent { try keep() }
        }
    }

    private var zone: ClockZone { invocation.presentation.zone }

    private var isOver: Bool { settings.limit.map { printed >= $0 } ?? false }

    private func keep() throws(CommandError) { try resume?.keep(follower.position) }

    private func announceReadiness() {
        guard !isReady, follower.position.initialsLeft == 0 else { return }
        isReady = true
        if invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    /// Without missed changes, the values are those of the last line of an earlier run.
    private func apply(_ resumption: Resumption) {
        guard let format = settings.format else { return }
        for event in resumption.values { paths.apply(event) }
        hasInitial = true
        guard !resumption.hasMissed, let last = resumption.values.last else { return }
        lastLine = format.line(paths, last: last, keepsLines: settings.end == 0, zone: zone)
    }

    // MARK: Lines

    private func print(_ frame: [ChangeEvent]) throws(CommandError) {
        if let format = settings.format { return try printLine(of: frame, format) }
        guard settings.isRaw || invocation.presentation.isVerbatim else { return try show(frame) }
        var lines: [UInt8] = []
        for event in frame {
            if isOver {
                // The rest of the frame is for the next run, from the frame's beginning.
                resume = nil
                break
            }
            printed += 1
            guard let line = line(of: event) else {
                invocation.process.report("a new value is larger than the daemon shows")
                continue
            }
            lines += line + [settings.end]
        }
        if !lines.isEmpty { try invocation.write(lines) }
    }

    /// Prints events as people read them.
    private func show(_ frame: [ChangeEvent]) throws(CommandError) {
        for event in frame where !isOver {
            printed += 1
            guard let line = line(of: event), let json = try? RawJSON(validating: line) else { continue }
            try invocation.show(json)
        }
    }

    private func line(of event: ChangeEvent) -> [UInt8]? {
        guard settings.isRaw else {
            guard settings.hasTime else { return event.params.bytes }
            let time = Platform.timeOfDayText
            return event.params.bytes.dropLast() + Array(",\"time\":\"\(time)\"}".utf8)
        }
        guard let new = event.new else { return nil }
        let now = ClockTime(milliseconds: Platform.timeOfDay)
        let time = settings.hasTime ? zone.rfc3339(now) : nil
        let columns = [time, paths.count > 1 || paths.hasPattern ? event.path : nil].compactMap(\.self)
        return columns.flatMap { Array("\($0)\t".utf8) } + new.unquoted
    }

    /// Prints the line of a frame, if it differs from the last one. With --all, each value of a pattern has a line.
    private func printLine(of frame: [ChangeEvent], _ format: LineFormat) throws(CommandError) {
        let hasLines = settings.printsAll && paths.hasPattern
        for (index, event) in frame.enumerated() {
            if isOver {
                resume = nil
                return
            }
            paths.apply(event)
            if event.isTruncated, let path = event.path {
                invocation.process.report("\(path): the value is larger than the daemon shows")
            }
            if hasLines || index == frame.count - 1 { try printLine(format, last: event) }
        }
    }

    private func printLine(_ format: LineFormat, last event: ChangeEvent) throws(CommandError) {
        let line = format.line(paths, last: event, keepsLines: settings.end == 0, zone: zone)
        let isFirst = !hasInitial
        hasInitial = true
        guard line != lastLine || settings.printsAll else { return }
        lastLine = line
        if isFirst || paths.hasPattern, event.reason == .initial, settings.skipsInitial { return }
        printed += 1
        try invocation.write(line + [settings.end])
    }
}
