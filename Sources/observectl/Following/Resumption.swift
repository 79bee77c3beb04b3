// SPDX-License-Identifier: MIT
// The values of a subscription that resumes. Independent of their output.

import ObserveCore

/// How a subscription began that resumes from a given position.
struct Resumption: Equatable {
    /// The initial events of all its paths. The missed changes lead from older values to these or to later ones.
    let values: [ChangeEvent]
    /// Whether the daemon sends missed changes, or initial events, next.
    let hasMissed: Bool

    /// - Parameter answer: to `subscribe`.
    init(values: [ChangeEvent], answer: RawJSON) {
        self.values = values
        hasMissed = answer.int("replayed") != 0
    }
}

extension ClientConnection {
    /// The initial events of a subscription, which ends at once. No event of it stays in the inbox.
    func initialEvents(
        _ params: RequestParams,
        until deadline: MonotonicTime?
    ) throws(ClientError) -> [ChangeEvent] {
        let answer = try call("subscribe", params, until: deadline)
        guard let subscription = answer.int("subscription"), let count = answer.int("initial") else {
            throw .malformed("an answer to subscribe without subscription and initial")
        }
        var events: [ChangeEvent] = []
        while events.count < count {
            let event = try nextEvent(until: deadline)
            if event.reason == .initial { events.append(event) }
        }
        _ = try call("unsubscribe", ["subscription": RawJSON(.int(subscription))], until: deadline)
        while waitingEvent() != nil {}
        return events
    }
}
