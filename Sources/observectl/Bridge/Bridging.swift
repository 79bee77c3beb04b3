// SPDX-License-Identifier: MIT
// One run of `observectl bridge`: two connections, the rules between them, and attempts. Independent of the command line.

import ObserveCore

/// Runs a bridge in one thread.
final class Bridging {
    private static let tickMilliseconds: UInt64 = 1000
    /// How often all values that were refused are tried again. One of them is tried at each other tick.
    private static let retryTicks = 30
    private static let purgeTicks = 3600

    /// A connection that is made again at growing intervals.
    private struct Attempts {
        private let report: (String) -> Void
        /// Both sides are equal within a second of the end of a fault.
        private var delay = RetryDelay(longest: 250)
        var next = MonotonicTime.now
        private(set) var hadContact = false
        /// What was reported since the last connection that lasted, so that one that comes and goes is not reported for ever.
        private var reported = ReportedReasons()
        private var isReportedLost = false

        init(report: @escaping (String) -> Void) { self.report = report }

        mutating func fail(_ reason: String, _ consequence: String) {
            let isStillAway = !delay.isConnected && !isReportedLost
            if delay.isHealthy() { reported = ReportedReasons() }
            delay.fail()
            next = MonotonicTime.now.adding(milliseconds: delay.milliseconds)
            guard reported.note(reason) || isStillAway else { return }
            isReportedLost = true
            report("\(reason); \(consequence)")
        }

        mutating func succeed(_ sentence: String) {
            delay.connect()
            hadContact = true
            if isReportedLost { report(sentence) }
            isReportedLost = false
        }
    }

    private let invocation: Invocation
    private let settings: BridgeSettings
    private let rules: BridgeRules
    private var daemon: DaemonLink?
    private var stream: StreamLink?
    private var daemonAttempts, streamAttempts: Attempts
    private var nextTick = MonotonicTime.now.adding(milliseconds: Bridging.tickMilliseconds)
    private var ticks = 0
    /// The tick from which on old tombstones are removed.
    private var nextPurge = 0
    private var writtenActivity = -1
    /// The earliest time of the next position.
    private var nextPosition = MonotonicTime.now
    private var writtenStatus: Value?
    private var isReady = false

    init(_ invocation: Invocation, _ settings: BridgeSettings) {
        (self.invocation, self.settings) = (invocation, settings)
        rules = BridgeRules(settings.paths, pid: Int64(Platform.pid))
        let attempts = Attempts(report: invocation.process.report)
        (daemonAttempts, streamAttempts) = (attempts, attempts)
    }

    func run() throws(CommandError) {
        Platform.ignoreBrokenPipe()
        while true {
            if daemon == nil, daemonAttempts.next <= .now { try connectDaemon() }
            if stream == nil, streamAttempts.next <= .now { try connectStream() }
            let isOver = settings.isOnce && finishesOnce()
            stream?.put()
            // The first one at once: without a position, a start takes what the bucket has for the newer values.
            daemon?.write(wantsPosition: isOver || rules.lacksPosition || claimsPosition())
            if isOver { return try end() }
            announceReadiness()
            try wait()
            if nextTick <= .now { try tick() }
        }
    }

    /// At most once a second: at once for a change that comes alone, and after two seconds if work never ends. The next bridge
    /// sends again what is not noted, also over a newer value of another machine.
    private func claimsPosition() -> Bool {
        guard nextPosition <= .now, rules.activity != writtenActivity, rules.inbound.outstanding == nil,
            !rules.inbound.isPaused, rules.canWrite
        else { return false }
        let isLate = nextPosition.adding(milliseconds: Bridging.tickMilliseconds) <= .now
        guard isLate || rules.isSettled else { return false }
        writtenActivity = rules.activity
        nextPosition = MonotonicTime.now.adding(milliseconds: Bridging.tickMilliseconds)
        return true
    }

    private func wait() throws(CommandError) {
        var wanted: [(descriptor: Int32, events: PollEvents)] = []
        if let daemon { wanted.append(daemon.interest) }
        if let stream { wanted.append(stream.interest) }
        var until = nextTick
        if daemon == nil { until = min(until, daemonAttempts.next) }
        if stream == nil { until = min(until, streamAttempts.next) }
        if let deadline = invocation.deadline {
            if deadline <= .now { throw .client(.timedOut) }
            until = min(until, deadline)
        }
        var came = Poll.wait(for: wanted, until: until)[...]
        if let daemon, let events = came.popFirst() {
            if events.contains(.writable) { daemon.flush() }
            if !events.isDisjoint(with: [.readable, .gone]) { try receive(from: daemon) }
        }
        if let stream, let events = came.popFirst() {
            if events.contains(.writable) { stream.flush() }
            if !events.isDisjoint(with: [.readable, .gone]) { try receive(from: stream) }
        }
    }

    // MARK: The daemon

    private func connectDaemon() throws(CommandError) {
        do throws(CommandError) {
            daemon = DaemonLink(rules, bucket: settings.bucket.name, owning: try invocation.connectSocket())
            let hadContact = daemonAttempts.hadContact
            daemonAttempts.succeed(hadContact ? "the daemon is back" : "the daemon is there")
        } catch {
            guard case .client(let reason) = error, reason.isLoss(afterContact: daemonAttempts.hadContact)
            else { throw error }
            lose(daemon: reason)
        }
    }

    private func receive(from link: DaemonLink) throws(CommandError) {
        do throws(ClientError) { try link.receive() } catch {
            if !CommandError.client(error).isUpgrade, !error.isLoss(afterContact: true) {
                throw .client(error)
            }
            daemon = nil
            rules.detachLocal()
            if CommandError.client(error).isUpgrade { return daemonAttempts.next = .now }
            lose(daemon: error)
        }
    }

    private func lose(daemon error: ClientError) {
        daemonAttempts.fail(error.waitSentence, "waiting for it")
        writtenStatus = nil
    }

    // MARK: The stream

    private func connectStream() throws(CommandError) {
        let deadline = MonotonicTime.now.adding(milliseconds: 1000)
        do throws(SocketError) {
            let (host, port) = (settings.address.host, settings.address.port)
            let socket = try TCPSocket.connect(host: host, port: port, until: deadline)
            stream = StreamLink(rules, settings, owning: socket, report: invocation.process.report)
        } catch {
            lose(stream: .unreachable(error))
        }
    }

    private func receive(from link: StreamLink) throws(CommandError) {
        do throws(NatsError) { try link.receive() } catch { try end(stream: error) }
        if link.isRunning, stream != nil { streamAttempts.succeed("the NATS server is back") }
    }

    private func end(stream error: NatsError) throws(CommandError) {
        stream = nil
        rules.detachRemote()
        // What is wrong from the beginning is the user's to mend.
        switch error {
        case .refused, .stream, .malformed:
            guard streamAttempts.hadContact else { throw .failed(error.sentence) }
        case .unreachable, .lost, .silent, .unserved: break
        }
        lose(stream: error)
    }

    private func lose(stream error: NatsError) { streamAttempts.fail(error.sentence, "trying again") }

    // MARK: Times

    private func tick() throws(CommandError) {
        nextTick = MonotonicTime.now.adding(milliseconds: Bridging.tickMilliseconds)
        ticks += 1
        rules.resume()
        if ticks % Bridging.retryTicks == 0 { rules.retryRefused() } else { rules.probeRefused() }
        if let stream {
            do throws(NatsError) { try stream.check(at: .now) } catch { try end(stream: error) }
        }
        if settings.purges, nextPurge <= ticks, let stream, stream.isCaughtUp, rules.isSettled {
            let hasMore = stream.purge(at: UInt64(clamping: Platform.timeOfDay) * 1_000_000)
            nextPurge = ticks + (hasMore ? 1 : Bridging.purgeTicks)
        }
        guard let daemon, rules.canWrite else { return }
        let status = rules.status(isConnected: stream?.isRunning ?? false, lag: stream?.lag ?? 0)
        if status != writtenStatus {
            daemon.write(status: status)
            reportRefusals(status)
        }
        writtenStatus = status
    }

    private var reported: Set<String> = []

    private func reportRefusals(_ status: Value) {
        var present: Set<String> = []
        for (key, reason) in status["refused"]?.object ?? ValueMembers() {
            present.insert(key)
            if !reported.contains(key) {
                invocation.process.report("\(key) does not travel: \(reason.string ?? "")")
            }
        }
        reported = present
    }

    private func announceReadiness() {
        guard !isReady, rules.isSettled, !rules.lacksPosition, stream?.isCaughtUp == true else { return }
        isReady = true
        if invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    // MARK: --once

    /// Whether the daemon was pinged since both sides agree.
    private var hasPinged = false

    /// Whether both sides agree, with all that the daemon had changed before.
    private func finishesOnce() -> Bool {
        guard let daemon, let stream, rules.isSettled, stream.isCaughtUp else {
            hasPinged = false
            return false
        }
        if !hasPinged { daemon.ping() }
        hasPinged = true
        return daemon.isIdle
    }

    /// Waits for the answer to the last position.
    private func end() throws(CommandError) {
        daemon?.write(status: rules.status(isConnected: false, lag: 0), isLast: true)
        nextTick = .distantFuture
        while let daemon, !daemon.isIdle { try wait() }
        reportRefusals(rules.status(isConnected: false, lag: 0))
        guard rules.inbound.refused.isEmpty
        else { throw .failed("\(rules.inbound.refused.count) values do not travel") }
    }
}
