// SPDX-License-Identifier: MIT
// Tokens that are released on other threads than their models'.

import Dispatch
import Synchronization
import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct TokenReleaseTests {
    /// Counts its ends.
    private final class Resource: Sendable {
        private let ends: Ends
        init(_ ends: Ends) { self.ends = ends }
        deinit { ends.count.add(1, ordering: .relaxed) }
    }

    private final class Ends: Sendable {
        let count = Atomic<Int>(0)
        var number: Int { count.load(ordering: .relaxed) }
    }

    /// Its end may be on any thread.
    @MainActor private final class Screen {
        var token: ObservationToken?
    }

    /// Screens that only it holds: a closure may outlive its last statement.
    private final class Batch: Sendable {
        private let screens: Mutex<[Screen]>
        init(_ screens: [Screen]) { self.screens = Mutex(screens) }

        func releaseAll() {
            while screens.withLock({ $0.popLast() }) != nil {}
        }
    }

    /// Begins observations, and releases their tokens in eight threads while `change` is called repeatedly.
    /// Tasks would wait until other tests let them run.
    @MainActor private func releaseElsewhere(
        _ observe: (Resource) -> ObservationToken,
        whileChanging change: () -> Void
    ) -> Ends {
        let ends = Ends()
        let batches = (0..<8).map { _ in
            Batch(
                (0..<200).map { _ in
                    let screen = Screen()
                    screen.token = observe(Resource(ends))
                    return screen
                }
            )
        }
        let releases = DispatchGroup()
        for batch in batches {
            DispatchQueue(label: "releases").async(group: releases) { batch.releaseAll() }
        }
        while releases.wait(timeout: .now()) == .timedOut { change() }
        return ends
    }

    @Test @MainActor func `tokens are released in eight threads while their model changes`() {
        let player = Player("Alien")
        var calls = 0
        let ends = releaseElsewhere(
            { resource in
                player.observe(\.position) { _ in
                    calls += 1
                    withExtendedLifetime(resource) {}
                }
            },
            whileChanging: { player.position += 1 }
        )
        let before = calls
        player.videoTitle = "Brazil"
        #expect(ends.number == 1_600)
        player.position += 1
        #expect(calls == before)
        #expect(player.observationStore.observations == 0)
    }

    @Test @MainActor func `eight threads release tokens of paths, changes, bindings and publishers`() {
        let player = Player("Alien")
        let controller = PlaybackController(player)
        let theater = Theater(controller)
        let target = Player("target")
        var turn = 0
        let ends = releaseElsewhere(
            { resource in
                let hold = { (_: Any) in withExtendedLifetime(resource) {} }
                turn += 1
                switch turn % 6 {
                case 0: return theater.observe(\.playbackController?.player?.position, onChange: hold)
                case 1:
                    return theater.observe(
                        \.playbackController?.player,
                        options: [.prior, .old],
                        changeHandler: hold
                    )
                case 2:
                    return player.bind(
                        {
                            hold($0); return $0.position
                        },
                        to: target,
                        at: \.position
                    )
                case 3: return player.$position.combineLatest(player.$videoTitle).observe(hold)
                case 4: return player.objectWillChange.observe { hold(0) }
                default: return player.$position.merge(with: target.$position).map { $0 }.observe(hold)
                }
            },
            whileChanging: {
                player.position += 1
                controller.player = player
            }
        )
        transaction {
            player.position += 1
            target.position += 1
            theater.playbackController = controller
        }
        #expect(ends.number == 1_600)
        for store in [player.observationStore.observations, theater.observationStore.observations] {
            #expect(store == 0)
        }
    }

    @Test @MainActor func `tokens are released in eight threads while their models end`() {
        var players = (0..<1_600).map { Player("\($0)") }
        var next = 0
        let ends = releaseElsewhere(
            { resource in
                next += 1
                return players[next - 1].observe(\.position, options: [.new]) { _ in
                    withExtendedLifetime(resource) {}
                }
            },
            whileChanging: { _ = players.popLast() }
        )
        players = []
        #expect(ends.number == 1_600)
    }

    @Test func `without a known actor, the next change frees the contents of a released observer`() {
        let player = Player("Alien")
        let other = Player("other")
        let ends = Ends()
        func observe() -> ObservationToken {
            let resource = Resource(ends)
            return player.observe(\.videoTitle) { _ in withExtendedLifetime(resource) {} }
        }
        _ = observe()
        other.position = 1
        #expect(ends.number == 0)
        player.position = 1
        #expect(ends.number == 1)
        _ = observe()
        _ = player.observe(\.position) { _ in }
        #expect(ends.number == 2)
        _ = observe()
        #expect(player.observationStore.observations == 0)
        #expect(ends.number == 3)
        observe().cancel()
        #expect(ends.number == 4)
    }

    @Test func `a released observer of a path is freed by a change of any model on it`() {
        let player = Player("Alien")
        let theater = Theater(PlaybackController(player))
        let ends = Ends()
        let begin = {
            let resource = Resource(ends)
            _ = theater.observe(\.playbackController?.player?.videoTitle) { _ in
                withExtendedLifetime(resource) {}
            }
        }
        begin()
        player.position = 1
        #expect(ends.number == 1)
    }

    @Test @MainActor func `in a task of the main actor, a release frees at once`() {
        let player = Player("Alien")
        let ends = Ends()
        var token: ObservationToken? = {
            let resource = Resource(ends)
            return player.observe(\.videoTitle) { _ in withExtendedLifetime(resource) {} }
        }()
        #expect(ends.number == 0)
        withExtendedLifetime(token) {}
        token = nil
        #expect(ends.number == 1)
    }

    @Test @MainActor func `released elsewhere, it is freed without a change once the main actor is free`()
        async
    {
        let player = Player("Alien")
        let ends = Ends()
        await Task.detached { [screen = observing(player, ends)] in withExtendedLifetime(screen) {} }.value
        while ends.number == 0 { await Task.yield() }
        #expect(player.observationStore.observations == 0)
    }

    @Test func `a thread that ran the main actor before is elsewhere`() async {
        let isMain = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        for _ in 0..<200 {
            let home = await MainActor.run { HomeActor(MainActor.shared) }
            let ranThere = await withCheckedContinuation { continuation in
                DispatchQueue(label: "elsewhere").async {
                    home.run { continuation.resume(returning: DispatchQueue.getSpecific(key: isMain)) }
                }
            }
            #expect(ranThere == true)
        }
        DispatchQueue.main.setSpecific(key: isMain, value: nil)
    }

    @MainActor private func observing(_ player: Player, _ ends: Ends) -> Screen {
        let screen = Screen()
        let resource = Resource(ends)
        screen.token = player.observe(\.videoTitle) { _ in withExtendedLifetime(resource) {} }
        return screen
    }

    private actor Projector {
        private let player = Player("Alien")
        private(set) var titles: [String] = []

        func begin(_ ends: Ends) -> Slot {
            let resource = Resource(ends)
            let token = player.observe(\.videoTitle, on: self) { projector, title in
                projector.titles.append(title)
                withExtendedLifetime(resource) {}
            }
            return Slot(token)
        }

        func show(_ title: String) { player.videoTitle = title }
    }

    /// Takes a token out of its actor.
    private final class Slot: Sendable {
        nonisolated(unsafe) private let token: ObservationToken
        init(_ token: ObservationToken) { unsafe self.token = token }
    }

    @Test func `an actor's token is released elsewhere`() async {
        let projector = Projector()
        let ends = Ends()
        var slot: Slot? = await projector.begin(ends)
        await projector.show("Brazil")
        withExtendedLifetime(slot) {}
        slot = nil
        await projector.show("after")
        while ends.number == 0 { await Task.yield() }
        #expect(await projector.titles == ["Alien", "Brazil"])
    }

    @Test func `a binding that releases its own token frees nothing that still runs`() {
        let player = Player("Alien")
        let heard = Heard()
        var tokens: [ObservationToken] = []
        tokens.append(
            player.observe(\.videoTitle) { title in
                if title == "end" { tokens = [] }
                heard(title)
            }
        )
        player.videoTitle = "end"
        player.videoTitle = "after"
        #expect(heard.popAll() == ["Alien", "end"])
    }
}
