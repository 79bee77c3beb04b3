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
            let junction = Junction(role, end) {
                if let mine, let others { receive((mine, others)) }
            }
            junction.join(
                begin(
                    .binding,
                    {
                        mine = $0; junction.touch()
                    },
                    { junction.leave() }
                )
            )
            junction.join(
                other.begin(
                    .binding,
                    {
                        others = $0; junction.touch()
                    },
                    { junction.leave() }
                )
            )
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
            for publisher in [self, other] {
                junction.join(
                    publisher.begin(
                        .binding,
                        {
                            waiting.append($0); junction.touch()
                        },
                        { junction.leave() }
                    )
                )
            }
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
    private var parts: [Observer] = []
    /// Whether there are values to deliver.
    private var hasValues = false
    private weak var observer: Observer?

    init(_ role: ObserverRole, _ end: (() -> Void)?, deliver: @escaping () -> Void) {
        (self.role, self.end, self.deliver) = (role, end, deliver)
    }

    func join(_ observer: Observer) {
        parts.append(observer)
        active += 1
    }

    /// Notes a value. The values of the beginning are delivered together.
    func touch() {
        hasValues = true
        observer?.touchByPart()
    }

    func leave() {
        active -= 1
        if active == 0 { observer?.touchByPart() }
    }

    /// The observer of the parts. It owns the junction.
    func begin() -> Observer {
        let observer = Observer(role: role, options: .values, needsCause: false) { [self] observer, step in
            switch step {
            case .evaluate: return true
            case .notify:
                deliverValues()
                if active == 0 { return Observation.end(observer, end) }
                return true
            default: return false
            }
        }
        self.observer = observer
        observer.own(parts)
        parts = []
        observer.notifyInitially { deliverValues() }
        return observer
    }

    private func deliverValues() {
        guard hasValues else { return }
        hasValues = false
        deliver()
    }
}
