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
    private var daemon: DaemonWait

    init(_ invocation: Invocation, restore: @escaping (ClientConnection) throws(ClientError) -> Void) {
        self.invocation = invocation
        self.restore = restore
        daemon = DaemonWait(invocation, hasAudience: false)
    }

    var isConnected: Bool { connection != nil }

    /// Waits for a daemon, and sets the value for the first time.
    func start() throws(CommandError) { _ = try reconnect(unless: []) }

    /// Sends a write. If the daemon goes meanwhile, `restore` sets the value later. When this ends, `onEvent` had the
    /// events of all commits up to the write, or to its refusal. Returns its revision; nil without a daemon.
    @discardableResult func send(_ write: WriteOperation) throws(CommandError) -> Int64? {
        guard let connection else { return nil }
        defer { while let event = connection.waitingEvent() { onEvent?(event) } }
        do throws(ClientError) { return try connection.send(write, until: invocation.deadline) } catch {
            try lose(error)
            return nil
        }
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
            } catch .abandoned { return } catch { try lose(error) }
        }
    }

    /// Ends the subscription, with which the daemon would keep the connection, and the connection. When this returns, the
    /// value has expired.
    func end(_ subscription: RawJSON? = nil) {
        let deadline = MonotonicTime.now.adding(milliseconds: KeptValue.endMilliseconds)
        if let subscription {
            _ = try? connection?.call("unsubscribe", ["subscription": subscription], until: deadline)
        }
        connection?.finish(until: deadline)
        connection = nil
    }

    /// Forgets a lost connection; throws all other errors.
    private func lose(_ error: ClientError) throws(CommandError) {
        try daemon.note(error)
        connection = nil
    }

    /// Tries to connect, at growing intervals. False if one of the descriptors became readable first.
    private func reconnect(unless alarms: [Int32]) throws(CommandError) -> Bool {
        while connection == nil {
            do throws(ClientError) {
                let fresh = try daemon.connect(unless: alarms)
                connection = fresh
                try restore(fresh)
                daemon.found()
            } catch .abandoned {
                return false
            } catch .refused(let refusal) {
                try daemon.note(refusal: refusal)
                connection = nil
            } catch {
                try lose(error)
            }
        }
        return true
    }
}

extension ClientConnection {
    /// The revision of the write.
    func send(_ write: WriteOperation, until deadline: MonotonicTime?) throws(ClientError) -> Int64? {
        try call(write.method.rawValue, write.params, until: deadline).int("revision")
    }
}
