// SPDX-License-Identifier: MIT
// Who observes a model, as text.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct ObservationStoreTests {
    @Test func `a store lists its observers with what they depend on, in the order in which they began`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let target = Player("")
        var tokens = [
            theater.observe(\.playbackController?.player?.videoTitle) { _ in },
            theater.bind({ $0.playbackController?.player?.position ?? 0 }, to: target, at: \.position),
            theater.objectWillChange.observe {},
        ]
        var subjects: [String] { theater.observationStore.core.observers.map(\.subject) }
        #expect(
            subjects == [
                "observer of Theater.playbackController, PlaybackController.player, Player.videoTitle",
                "binding of Theater.playbackController, PlaybackController.player, Player.position",
                "willChange",
            ]
        )
        theater.playbackController = nil
        #expect(subjects.first == "observer of Theater.playbackController")
        tokens.removeAll()
        #expect(theater.observationStore.observers == [])
    }

    @Test func `a store takes as much memory as its comment says`() {
        // Debug builds add the checks of threads.
        #expect(MemoryLayout<ObservationRecord>.size - MemoryLayout<ModelUse>.size == 64)
        #expect(MemoryLayout<ObservedProperty>.size == 48)
    }

    @Test func `debug builds say where the program began an observation, also of a publisher`() {
        let player = Player("Alien")
        let line = #line + 1
        let token = player.$videoTitle.map(\.count).observe { _ in }
        #if DEBUG
            let place = " at ObservationStoreTests.swift:\(line)"
        #else
            let place = ""
        #endif
        #expect(player.observationStore.observers == ["observer of Player.videoTitle\(place)"])
        withExtendedLifetime((token, line)) {}
    }
}
