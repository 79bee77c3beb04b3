// SPDX-License-Identifier: MIT
// Operators on the values of several publishers. Independent of the detection of changes.

extension ValuePublisher {
    /// The latest values of both publishers, once both have one, after each commit that published one of them.
    ///
    /// If a ``transaction(_:)`` publishes both, there is one pair, with both new values.
    public func combineLatest<Other>(_ other: ValuePublisher<Other>) -> ValuePublisher<(Value, Other)> {
        ValuePublisher<(Value, Other)> { role, receive, end in
            var mine: Value?
            var others: Other?
            let junction = Junction(role, end) { if let mine, let others { receive((mine, others)) } }
            junction.join(self) { mine = $0 }
            junction.join(other) { others = $0 }
            return junction.begin()
        }
    }

    /// Pairs of the first values of both publishers, the second ones, and so on.
    ///
    /// A value waits until the other publisher has one for it. So they need memory if one publishes more than the other. They
    /// end when a publisher has ended and none of its values waits.
    public func zip<Other>(_ other: ValuePublisher<Other>) -> ValuePublisher<(Value, Other)> {
        ValuePublisher<(Value, Other)> { role, receive, end in
            var mine: [Value] = []
            var others: [Other] = []
            let junction = Junction(role, end) {
                let pairs = Swift.zip(mine, others)
                let count = pairs.underestimatedCount
                mine.removeFirst(count)
                others.removeFirst(count)
                for pair in pairs { receive(pair) }
            }
            junction.join(self, isLast: { mine.isEmpty }) { mine.append($0) }
            junction.join(other, isLast: { others.isEmpty }) { others.append($0) }
            return junction.begin()
        }
    }

    /// The values of both publishers. At first, this publisher's current value, then the other one's.
    public func merge(with other: ValuePublisher) -> ValuePublisher {
        ValuePublisher { role, receive, end in
            var waiting: [Value] = []
            let junction = Junction(role, end) {
                let values = waiting
                waiting = []
                for value in values { receive(value) }
            }
            for publisher in [self, other] { junction.join(publisher) { waiting.append($0) } }
            return junction.begin()
        }
    }
}

/// An observer of several others. These run within the commit, and make it stale. So it is notified once for each commit.
final class Junction {
    private let end: (() -> Void)?
    private let deliver: () -> Void
    private let role: ObserverRole
    /// The publishers that have not ended.
    private var active = 0
    /// Of each publisher that has ended: whether no value of the junction can come without it.
    private var ended: [() -> Bool] = []
    private var parts: [Observer] = []
    private var hasValues = false
    private weak var observer: Observer?

    init(_ role: ObserverRole, _ end: (() -> Void)?, deliver: @escaping () -> Void) {
        (self.role, self.end, self.deliver) = (role, end, deliver)
    }

    func join(_ observer: Observer) {
        parts.append(observer)
        active += 1
    }

    /// Joins an observer of `publisher` that notes its values, all of which are delivered.
    /// - Parameter isLast: Whether the junction ends, once the publisher has.
    func join<Value>(
        _ publisher: ValuePublisher<Value>,
        isLast: @escaping () -> Bool = { false },
        _ note: @escaping (Value) -> Void
    ) {
        join(
            publisher.begin(
                .binding,
                { [self] value in
                    note(value)
                    touch()
                },
                { [self] in
                    ended.append(isLast)
                    leave()
                }
            )
        )
    }

    /// Notes a value. The values of the beginning are delivered together.
    func touch() {
        hasValues = true
        observer?.touchByPart()
    }

    func leave() {
        active -= 1
        if isOver { observer?.touchByPart() }
    }

    private var isOver: Bool { active == 0 || ended.contains { $0() } }

    /// The observer of the parts. It owns the junction.
    func begin() -> Observer {
        let observer = Observer(role: role, options: .values, needsCause: false) { [self] observer, step in
            switch step {
            case .evaluate: return true
            case .notify:
                deliverValues()
                if isOver { return Observation.end(observer, end) }
                return true
            default: return false
            }
        }
        self.observer = observer
        // An operator may have ended the observations of its model. Without any part, nothing else would end the observer.
        let isEnded = parts.allSatisfy(\.isCancelled)
        observer.own(parts)
        parts = []
        observer.notifyInitially { deliverValues() }
        if isEnded { observer.cancel() }
        return observer
    }

    private func deliverValues() {
        guard hasValues else { return }
        hasValues = false
        deliver()
    }
}
