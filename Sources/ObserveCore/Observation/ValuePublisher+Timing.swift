// SPDX-License-Identifier: MIT
// Operators that delay values: `debounce` and `throttle`. Independent of the detection of changes.

extension ValuePublisher {
    /// The values after which no other one came for `interval`.
    ///
    /// ```swift
    /// viewModel.$navigationTitle.debounce(for: .milliseconds(300)).observe { print($0) }.store(in: &tokens)
    /// ```
    ///
    /// The current value waits too. When the models have gone, a waiting value is published at once, and then the end.
    /// Without a token, a waiting value is dropped.
    ///
    /// - Parameters:
    ///   - interval: The time without another value.
    ///   - clock: The clock that measures it.
    ///   - actor: The actor to which the models belong: the caller's. Held weakly.
    /// - Threading: on the actor.
    public func debounce<Time: Clock>(
        for interval: Time.Duration,
        clock: Time = ContinuousClock(),
        isolation actor: isolated any Actor = #isolation
    ) -> ValuePublisher { paced(on: actor) { WaitingValue(clock, interval, isThrottle: false) } }

    /// The current value at once, and then at most one value in `interval`, always the latest.
    ///
    /// A value that is published at once is published in its commit. When the models have gone, a waiting value is
    /// published at once, and then the end.
    ///
    /// - Parameters: As those of ``debounce(for:clock:isolation:)``, but `interval` is the shortest time between two values.
    /// - Threading: on the actor.
    public func throttle<Time: Clock>(
        for interval: Time.Duration,
        clock: Time = ContinuousClock(),
        isolation actor: isolated any Actor = #isolation
    ) -> ValuePublisher { paced(on: actor) { WaitingValue(clock, interval, isThrottle: true) } }

    private func paced<Time: Clock>(
        on actor: any Actor,
        _ make: @escaping () -> WaitingValue<Value, Time>
    ) -> ValuePublisher {
        ValuePublisher { [weak actor] role, receive, end in
            let slot = make()
            let junction = Junction(role, end) { if let value = slot.pop() { receive(value) } }
            slot.wake = { [weak slot, weak junction, weak actor] in
                guard let slot, let junction else { return }
                transaction { if slot.isDue { junction.touch() } }
                slot.awaitTime(on: actor)
            }
            junction.join(
                begin(
                    .binding,
                    { [weak actor] in
                        if slot.admit($0) { junction.touch() } else { slot.awaitTime(on: actor) }
                    },
                    {
                        if slot.isWaiting { junction.touch() }
                        junction.leave()
                    }
                )
            )
            return junction.begin()
        }
    }
}

/// The value that waits for its time.
/// - Threading: on the models' actor. Only the wait is elsewhere.
private final class WaitingValue<Value, Time: Clock> {
    private let clock: Time
    private let interval: Time.Duration
    private let isThrottle: Bool
    /// The waiting value, and the time at which it is published.
    private var waiting: (value: Value, time: Time.Instant)?
    /// When the next value may be published at once.
    private var opening: Time.Instant?
    private var wait: Task<Void, Never>?
    /// Called on the actor after a wait.
    var wake: (() -> Void)?

    init(_ clock: Time, _ interval: Time.Duration, isThrottle: Bool) {
        (self.clock, self.interval, self.isThrottle) = (clock, interval, isThrottle)
    }

    deinit { wait?.cancel() }

    var isWaiting: Bool { waiting != nil }

    var isDue: Bool { waiting.map { $0.time <= clock.now } ?? false }

    /// Keeps a value. Returns whether it is to be published at once.
    func admit(_ value: Value) -> Bool {
        let now = clock.now
        guard isThrottle else {
            waiting = (value, now.advanced(by: interval))
            return false
        }
        waiting = (value, max(opening ?? now, now))
        return isDue
    }

    /// Removes and returns the value, which is published now.
    func pop() -> Value? {
        defer { waiting = nil }
        if waiting != nil { opening = clock.now.advanced(by: interval) }
        return waiting?.value
    }

    /// Calls ``wake`` on the actor once the waiting value's time has come. One wait at a time: if it ends too early, because
    /// later values came, another one begins.
    func awaitTime(on actor: (any Actor)?) {
        guard let actor, wait == nil, let time = waiting?.time else { return }
        nonisolated(unsafe) weak let slot = self
        wait = Task { [clock, weak actor] in
            do { try await clock.sleep(until: time, tolerance: nil) } catch { return }
            if let actor { await WaitingValue.end(on: actor) { unsafe slot } }
        }
    }

    /// Ends a wait. The object is used on its actor alone.
    private static func end(on actor: isolated any Actor, _ slot: @Sendable () -> WaitingValue?) {
        guard let slot = slot() else { return }
        slot.wait = nil
        slot.wake?()
    }
}
