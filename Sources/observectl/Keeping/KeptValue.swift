// SPDX-License-Identifier: MIT
// Keeps a value in a daemon while a command runs, over as many connections as it needs. Independent of the value.

import ObserveCore

/// A connection whose temporary values are set again after the daemon's restart or upgrade.
final class KeptValue: Follower {
    /// How long the daemon may need to close the connection at the end.
    private static let endMilliseconds: UInt64 = 1000

    /// Sets the value on a new connection.
    private let restore: (ClientConnection) throws(ClientError) -> Void
    /// Called with each event of a subscription that `restore` makes, once its frame is whole.
    var onEvent: ((ChangeEvent) -> Void)?

    init(_ invocation: Invocation, restore: @escaping (ClientConnection) throws(ClientError) -> Void) {
        self.restore = restore
        super.init(invocation, [:], hasAudience: false)
    }

    var isConnected: Bool { connection != nil }

    /// Waits for a daemon, and sets the value for the first time.
    func start() throws(CommandError) { _ = try next() }

    override func begin(_ fresh: ClientConnection) throws(ClientError) -> Step {
        position = SubscriptionPosition()
        // Input that waits does not interrupt it.
        fresh.alarms = []
        try restore(fresh)
        fresh.alarms = alarms
        return .subscribed(values: nil, hasMissed: true)
    }

    /// Sends a write. If the daemon goes meanwhile, `restore` sets the value later. When this ends, `onEvent` had the
    /// events of all commits up to the write, or to its refusal. Returns its revision; nil without a daemon.
    @discardableResult func send(_ write: WriteOperation) throws(CommandError) -> Int64? {
        guard let connection else { return nil }
        defer { while let event = connection.waitingEvent() { pass(position.collect(event)) } }
        return try request(write.method.rawValue, write.params)?.int("revision")
    }

    /// Waits until one of the descriptors is readable, and keeps the value meanwhile.
    func wait(for alarms: [Int32]) throws(CommandError) {
        self.alarms = alarms
        defer { self.alarms = [] }
        do throws(CommandError) {
            while true { if case .frame(let events) = try next() { pass(events) } }
        } catch .client(.abandoned) {}
    }

    private func pass(_ events: [ChangeEvent]) { for event in events { onEvent?(event) } }

    /// Ends the subscription, with which the daemon would keep the connection, and the connection. When this returns, the
    /// value has expired.
    func end(_ subscription: RawJSON? = nil) {
        let deadline = MonotonicTime.now.adding(milliseconds: KeptValue.endMilliseconds)
        if let subscription {
            _ = try? connection?.call("unsubscribe", ["subscription": subscription], until: deadline)
        }
        connection?.finish(until: deadline)
    }
}

extension ClientConnection {
    /// The revision of the write.
    func send(_ write: WriteOperation, until deadline: MonotonicTime?) throws(ClientError) -> Int64? {
        try call(write.method.rawValue, write.params, until: deadline).int("revision")
    }
}
