// SPDX-License-Identifier: MIT
// What commands do without a daemon: they say so once, and try again. Independent of what they do with one.

import ObserveCore

/// - Errors: ``note(_:)`` passes on errors that waiting does not mend.
struct DaemonWait {
    private let invocation: Invocation
    /// Whether it waits for a daemon that is not there, or has gone.
    let isPatient: Bool
    /// The output, whose reader's end ends a wait; nil if it ends none.
    let audience: Int32?
    private var delay = RetryDelay()
    /// The report of the next connection, after a report of its lack.
    private var greeting: String?
    private var hadDaemon = false
    /// The reported refusal for a missing model.
    private var missing: String?
    /// Reports a daemon that is not there, and that it is back: at first on standard error.
    var report: (String) -> Void

    init(_ invocation: Invocation, isPatient: Bool = true, hasAudience: Bool = true) {
        self.invocation = invocation
        self.isPatient = isPatient && !invocation.arguments.has(OptionSpec.noWait.name)
        audience = hasAudience ? invocation.streams.output : nil
        report = invocation.process.report
    }

    /// Prepares the next attempt after a loss. Throws if the error is not a loss.
    mutating func note(_ error: ClientError) throws(CommandError) {
        // An alarm is not a loss.
        if error == .abandoned { throw .client(error) }
        if CommandError.client(error).isUpgrade {
            delay.reset()
            return
        }
        guard isPatient, error.isLoss(afterContact: hadDaemon) else { throw .client(error) }
        if greeting == nil {
            report("\(error.waitSentence); waiting for it")
            greeting = hadDaemon ? "the daemon is back" : "the daemon is there"
        }
        delay.fail()
    }

    /// Prepares the next attempt after a refusal. Throws unless a model is missing that was there before the loss: another
    /// client's, which connects again as well.
    mutating func note(refusal error: DaemonError) throws(CommandError) {
        guard isPatient, hadDaemon, error.code == .notFound else { throw .client(.refused(error)) }
        if missing != error.message { report("\(error.message); waiting for it") }
        missing = error.message
        delay.fail()
    }

    /// Notes that a daemon has answered.
    mutating func found() {
        hadDaemon = true
        missing = nil
        delay.connect()
        if let greeting { report(greeting) }
        greeting = nil
    }

    /// Connects, after the interval since the last attempt. A descriptor that is readable ends the interval: it throws
    /// ``ClientError/abandoned``. A daemon with a full queue does not block the alarms for long.
    func connect(unless alarms: [Int32]) throws(ClientError) -> ClientConnection {
        try pause(alarms)
        let deadline = invocation.deadline ?? .distantFuture
        let soon = MonotonicTime.now.adding(milliseconds: RetryDelay.longest)
        do throws(ClientError) {
            return try invocation.connect(until: isPatient ? min(soon, deadline) : invocation.deadline)
        } catch {
            guard isPatient, error == .timedOut, deadline > .now else { throw error }
            throw .unreachable(.timedOut(""))
        }
    }

    func pause(_ alarms: [Int32]) throws(ClientError) {
        guard delay.milliseconds > 0 else { return }
        let deadline = invocation.deadline ?? .distantFuture
        let next = MonotonicTime.now.adding(milliseconds: delay.milliseconds)
        var wanted: [(descriptor: Int32, events: PollEvents)] = alarms.map { ($0, .readable) }
        if let audience { wanted.append((audience, [])) }
        let came = Poll.wait(for: wanted, until: min(next, deadline))
        if came.contains(where: { !$0.isEmpty }) { throw .abandoned }
        if deadline <= .now { throw .timedOut }
    }
}

extension OptionSpec {
    static let noWait = OptionSpec("--no-wait", "without a daemon, or when it ends, end with status 69")
}

extension Invocation {
    /// The result of requests. Without a daemon, it waits for one if it is patient, and makes them again.
    func awaitingDaemon<Result>(_ isPatient: Bool = true, _ requests: () throws(CommandError) -> Result)
        throws(CommandError) -> Result
    {
        var wait = DaemonWait(self, isPatient: isPatient)
        while true {
            do throws(CommandError) {
                let result = try requests()
                wait.found()
                return result
            } catch .client(let error) { try wait.note(error) }
            try attempt(wait.pause([]))
        }
    }
}
