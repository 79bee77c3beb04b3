// SPDX-License-Identifier: MIT
// Keeps a value in a daemon while a command runs, over as many connections as it needs. Independent of the value.

import ObserveCore

/// A connection whose temporary values are set again after the daemon's restart or upgrade.
final class KeptValue {
    /// How long the daemon may need to close the connection at the end.
    private static let endMilliseconds: UInt64 = 1000

    private let invocation: Invocation
    /// Sets the value on a new connection.
    private let restore: (ClientConnection) throws(ClientError) -> Void
    /// Called with each event of the subscriptions that `restore` makes.
    var onEvent: ((ChangeEvent) -> Void)?
    private var connection: ClientConnection?
    private var delay = RetryDelay()
    /// Whether the loss of the daemon was reported, and its return was not.
    private var isWaiting = false

    init(_ invocation: Invocation, restore: @escaping (ClientConnection) throws(ClientError) -> Void) {
        self.invocation = invocation
        self.restore = restore
    }

    var isConnected: Bool { connection != nil }

    /// Connects, and sets the value for the first time.
    func start() throws(CommandError) { while connection == nil { try attempt() } }

    private func attempt() throws(CommandError) {
        let fresh = try invocation.connect()
        try perform(on: fresh) { () throws(ClientError) in try restore(fresh) }
    }

    /// Sends a write. If the daemon goes meanwhile, `restore` sets the value later. When this ends, `onEvent` had the
    /// events of all commits up to the write, or to its refusal.
    ///
    /// - Returns: the revision of the write; nil without a daemon.
    @discardableResult
    func send(_ write: WriteOperation) throws(CommandError) -> Int64? {
        guard let connection else { return nil }
        var revision: Int64?
        defer { while let event = connection.waitingEvent() { onEvent?(event) } }
        try perform(on: connection) { () throws(ClientError) in
            let answer = try connection.call(
                write.method.rawValue,
                write.params,
                until: invocation.deadline
            )
            revision = answer.int("revision")
        }
        return revision
    }

    /// Waits until one of the descriptors is readable, and keeps the value meanwhile.
    func wait(for alarms: [Int32]) throws(CommandError) {
        while true {
            guard let connection else {
                if try reconnect(unless: alarms) { continue }
                return
            }
            connection.alarms = alarms
            defer { connection.alarms = [] }
            do throws(ClientError) {
                let event = try connection.nextEvent(until: invocation.deadline)
                onEvent?(event)
            } catch {
                if error == .abandoned { return }
                try lose(error)
            }
        }
    }

    /// Ends the connection. When this returns, the value has expired.
    func end() {
        connection?.finish(until: .now.adding(milliseconds: KeptValue.endMilliseconds))
        connection = nil
    }

    private func perform(
        on fresh: ClientConnection,
        _ body: () throws(ClientError) -> Void
    ) throws(CommandError) {
        connection = fresh
        delay.connect()
        do throws(ClientError) { try body() } catch { try lose(error) }
    }

    /// Forgets a lost connection; throws all other errors.
    private func lose(_ error: ClientError) throws(CommandError) {
        let isUpgrade = CommandError.client(error).isUpgrade
        guard isUpgrade || error.isLoss(afterContact: true) else { throw .client(error) }
        connection = nil
        if isUpgrade { delay.reset() } else { delay.fail() }
        guard !isUpgrade, !isWaiting else { return }
        isWaiting = true
        invocation.process.report("\(error.waitSentence); waiting for it")
    }

    /// Tries to connect, at growing intervals. False if one of the descriptors became readable first.
    private func reconnect(unless alarms: [Int32]) throws(CommandError) -> Bool {
        while connection == nil {
            let until = min(
                MonotonicTime.now.adding(milliseconds: delay.milliseconds),
                invocation.deadline ?? .distantFuture
            )
            let came = Poll.wait(for: alarms.map { ($0, .readable) }, until: until)
            if came.contains(where: { !$0.isEmpty }) { return false }
            if let deadline = invocation.deadline, deadline <= .now { throw .client(.timedOut) }
            do throws(CommandError) { try attempt() } catch {
                guard case .client(.unreachable) = error else { throw error }
                delay.fail()
            }
        }
        if isWaiting { invocation.process.report("the daemon is back") }
        isWaiting = false
        return true
    }
}
