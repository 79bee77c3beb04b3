// SPDX-License-Identifier: MIT
// Publishers that delay values, on a clock that the tests advance; and `assign(to:)` of a projection.

import ObserveCore
import Synchronization
import Testing

/// A clock whose time the test sets.
private final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [(time: Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if deadline <= state.now { return true }
                state.sleepers.append((deadline, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let woken = state.sleepers.filter { $0.time <= now }
            state.sleepers.removeAll { $0.time <= now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Ends all sleeps, so that no task stays behind.
    deinit { for sleeper in state.withLock({ $0.sleepers }) { sleeper.continuation.resume() } }
}

@MainActor
struct TimingTests {
    private let clock = ManualClock()
    private let heard = Heard()
    private let arrivals = AsyncStream.makeStream(of: String.self)

    private func observe(_ publisher: ValuePublisher<String>) -> ObservationToken {
        publisher.observe(
            { [arrivals] in
                heard($0)
                arrivals.continuation.yield($0)
            },
            onEnd: { heard("end") }
        )
    }

    /// Waits until a value arrives that only a wait publishes.
    private func wait(for value: String) async {
        for await arrived in arrivals.stream where arrived == value { return }
    }

    @Test func `debounce publishes what stays for the interval`() async {
        let player = Player("a")
        let token = observe(player.$videoTitle.debounce(for: .seconds(10), clock: clock))
        #expect(heard.popAll() == [])
        clock.advance(by: .seconds(10))
        await wait(for: "a")
        player.videoTitle = "b"
        clock.advance(by: .seconds(9))
        player.videoTitle = "c"
        clock.advance(by: .seconds(9))
        player.videoTitle = "d"
        clock.advance(by: .seconds(10))
        await wait(for: "d")
        player.videoTitle = "e"
        clock.advance(by: .seconds(10))
        await wait(for: "e")
        #expect(heard.popAll() == ["a", "d", "e"])
        withExtendedLifetime(token) {}
    }

    @Test func `throttle publishes at once, and then the latest value in each interval`() async {
        let player = Player("a")
        let token = observe(player.$videoTitle.throttle(for: .seconds(10), clock: clock))
        player.videoTitle = "b"
        player.videoTitle = "c"
        #expect(heard.popAll() == ["a"])
        clock.advance(by: .seconds(10))
        await wait(for: "c")
        player.videoTitle = "d"
        clock.advance(by: .seconds(4))
        player.videoTitle = "e"
        clock.advance(by: .seconds(6))
        await wait(for: "e")
        clock.advance(by: .seconds(10))
        player.videoTitle = "f"
        #expect(heard.popAll() == ["c", "e", "f"])
        withExtendedLifetime(token) {}
    }

    @Test func `a throttled value belongs to the commit that published it`() {
        let player = Player("a")
        let target = Player("")
        let binding = player.$videoTitle.throttle(for: .seconds(10), clock: clock)
            .assign(to: \.videoTitle, on: target)
        clock.advance(by: .seconds(20))
        let token = player.observe(\.videoTitle) { heard($0, target.videoTitle) }
        player.videoTitle = "b"
        #expect(heard.popAll() == ["a: a", "b: b"])
        withExtendedLifetime((token, binding)) {}
    }

    @Test(arguments: [true, false])
    func `when the model goes, the waiting value comes, and then the end`(isThrottle: Bool) {
        var player: Player? = Player("a")
        let token = player.map { model in
            observe(
                isThrottle
                    ? model.$videoTitle.throttle(for: .seconds(10), clock: clock)
                    : model.$videoTitle.debounce(for: .seconds(10), clock: clock)
            )
        }
        player?.videoTitle = "b"
        #expect(heard.popAll() == (isThrottle ? ["a"] : []))
        #expect(token?.isActive == true)
        player = nil
        #expect(heard.popAll() == ["b", "end"])
        #expect(token?.isActive == false)
    }

    @Test func `a token that is released drops the waiting value, and nothing stays`() {
        let player = Player("a")
        var token: ObservationToken? = observe(
            player.$videoTitle.debounce(for: .seconds(10), clock: clock)
        )
        #expect(player.observationStore.observations == 1)
        token = nil
        #expect(player.observationStore.observations == 0)
        clock.advance(by: .seconds(20))
        #expect(heard.popAll() == [])
        withExtendedLifetime(token) {}
    }

    // MARK: Assigning to a projection

    @Test func `assign(to:) of a projection needs no token, and ends with either model`() {
        var player: Player? = Player("a")
        var bar: Player? = Player("")
        weak let weakBar = bar
        let other = Player("")
        let label = Player("none")
        let token = label.observe(\.videoTitle) { heard($0) }
        if let player, let bar {
            player.$videoTitle.map { "♪ \($0)" }.assign(to: &bar.$videoTitle)
            player.$videoTitle.assign(to: &other.$videoTitle)
            player.$videoTitle.assign(to: &label.$videoTitle)
            #expect(player.observationStore.observations == 3)
            player.videoTitle = "b"
            #expect(bar.videoTitle == "♪ b")
            #expect(bar.observationStore.observations == 1)
        }
        bar = nil
        #expect(weakBar == nil)
        #expect(player?.observationStore.observations == 2)
        other.observationStore.removeAll()
        #expect(player?.observationStore.observations == 1)
        player?.videoTitle = "c"
        #expect(other.videoTitle == "b")
        player = nil
        #expect(label.observationStore.observations == 1)
        #expect(heard.popAll() == ["none", "a", "b", "c"])
        withExtendedLifetime(token) {}
    }

    @Test func `a projection that is passed inout without assign(to:) stays as it is`() {
        func look(_ publisher: inout ValuePublisher<String>) {}
        let player = Player("a")
        look(&player.$videoTitle)
        player.videoTitle = "b"
        #expect(player.videoTitle == "b")
        #expect(player.observationStore.observations == 0)
    }
}
