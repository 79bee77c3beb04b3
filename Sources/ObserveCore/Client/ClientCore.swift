// SPDX-License-Identifier: MIT
// A client's subscriptions, which outlive its connections. Independent of tasks and Swift types.

internal import Dispatch

/// The state of a ``DaemonClient`` on its queue.
final class ClientCore {
    final class Subscription {
        let params: RequestParams
        let receive: (Result<ChangeEvent, ClientError>) -> Void
        var position = SubscriptionPosition()
        var number: Int64?
        /// Whether the daemon has accepted it once. It then survives lost connections.
        var hasBegun = false
        /// Whether any path may be a pattern.
        private let isPattern: Bool
        /// The last value of each path, to skip equal initial values after a reconnect.
        private var last: [RawJSON: RawJSON] = [:]
        /// Whether the subscription began again on a new connection.
        var isCatchingUp = false

        init(
            to paths: [String],
            _ options: SubscriptionOptions,
            _ receive: @escaping (Result<ChangeEvent, ClientError>) -> Void
        ) {
            params = options.params(paths)
            isPattern = paths.contains { $0.contains("*") }
            self.receive = receive
        }

        /// Whether the program does not have the event's value yet. Remembers that it has it now.
        func isNews(_ event: ChangeEvent) -> Bool {
            guard let path = event.params.member("path") else { return true }
            let isKnown =
                isCatchingUp && event.reason == .initial && event.new != nil && last[path] == event.new
            // After an edit, the program has an array that no event showed. What a pattern no longer matches comes anew.
            let isWhole = event.params.member("kind") == nil
            last[path] = !isWhole || isPattern && event.new == RawJSON(.null) ? nil : event.new
            return !isKnown
        }
    }

    let channel: ClientChannel
    private var subscriptions: [UInt64: Subscription] = [:]
    private var numbers: [Int64: UInt64] = [:]
    /// The numbers of cancellable requests, by ticket.
    private var waiting: [UInt64: Int64] = [:]

    init(_ channel: ClientChannel) {
        self.channel = channel
        channel.didConnect = { [unowned self] in subscribeAgain() }
        channel.didEnd = { [unowned self] in endPositions(at: $0) }
        channel.didDisconnect = { [unowned self] _ in loseNumbers() }
        channel.received = { [unowned self] in receive($0) }
    }

    func close() {
        channel.close()
        let ended = subscriptions
        subscriptions = [:]
        for (_, subscription) in ended.sorted(by: { $0.key < $1.key }) {
            subscription.receive(.failure(.abandoned))
        }
    }

    // MARK: Requests

    func call(
        _ ticket: UInt64,
        _ method: String,
        _ params: RequestParams,
        _ reply: @escaping ClientChannel.Reply
    ) {
        let id = channel.send(method, params) { [weak self] result in
            self?.waiting[ticket] = nil
            reply(result)
        }
        if let id { waiting[ticket] = id }
    }

    func cancel(_ ticket: UInt64) {
        guard let id = waiting.removeValue(forKey: ticket) else { return }
        channel.forget(id)?(.failure(.abandoned))
    }

    // MARK: Subscriptions

    func subscribe(_ ticket: UInt64, _ subscription: Subscription) {
        subscriptions[ticket] = subscription
        begin(ticket, subscription)
    }

    func unsubscribe(_ ticket: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: ticket) else { return }
        guard let number = subscription.number else { return }
        numbers[number] = nil
        channel.send("unsubscribe", ["subscription": RawJSON(.int(number))]) { _ in }
    }

    private func begin(_ ticket: UInt64, _ subscription: Subscription) {
        let params = subscription.params + ["since": subscription.position.since.map(RawJSON.init)]
        channel.send("subscribe", params) { [weak self] result in self?.answered(ticket, subscription, result)
        }
    }

    private func answered(
        _ ticket: UInt64,
        _ subscription: Subscription,
        _ result: Result<RawJSON, ClientError>
    ) {
        guard subscriptions[ticket] === subscription else {
            // Unsubscribed before the answer arrived.
            if case .success(let answer) = result, let number = answer.int("subscription") {
                channel.send("unsubscribe", ["subscription": RawJSON(.int(number))]) { _ in }
            }
            return
        }
        do throws(ClientError) {
            let answer = try result.get()
            guard let number = answer.int("subscription")
            else { throw .malformed("an answer to subscribe without subscription") }
            subscription.isCatchingUp = subscription.hasBegun
            subscription.hasBegun = true
            try subscription.position.start(answer)
            subscription.number = number
            numbers[number] = ticket
        } catch {
            // An accepted subscription begins again with the next connection.
            if subscription.hasBegun, error.isLoss { return }
            subscriptions[ticket] = nil
            subscription.receive(.failure(error))
        }
    }

    private func subscribeAgain() {
        for (ticket, subscription) in subscriptions.sorted(by: { $0.key < $1.key }) {
            begin(ticket, subscription)
        }
    }

    private func endPositions(at revision: Int64) {
        for subscription in subscriptions.values where subscription.number != nil {
            subscription.position.end(at: revision)
        }
    }

    private func loseNumbers() {
        numbers = [:]
        for subscription in subscriptions.values { subscription.number = nil }
    }

    private func receive(_ event: ChangeEvent) {
        guard let subscription = numbers[event.subscription].flatMap({ subscriptions[$0] }) else { return }
        var frame = subscription.position.collect(event).filter { subscription.isNews($0) }
        guard !frame.isEmpty else { return }
        frame[frame.count - 1].isLast = true
        for event in frame { subscription.receive(.success(event)) }
    }
}

extension ClientError {
    /// Whether the connection is lost, and a reconnect may succeed.
    var isLoss: Bool {
        switch self {
        case .connectionLost, .goodbye, .unreachable: true
        default: false
        }
    }
}
