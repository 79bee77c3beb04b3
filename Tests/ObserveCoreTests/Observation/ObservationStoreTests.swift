// SPDX-License-Identifier: MIT
// Who observes a model, as text.

import ObserveCore
import Testing

@Suite struct ObservationStoreTests {
    @Test func `a store lists its observers with what they depend on, in the order in which they began`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let target = Player("")
        var tokens = [
            theater.observe(\.playbackController?.player?.videoTitle) { _ in },
            theater.bind({ $0.playbackController?.player?.position ?? 0 }, to: target, at: \.position),
            theater.objectWillChange.observe {},
        ]
        #expect(
            theater.observationStore.observers == [
                "observer of Theater.playbackController, PlaybackController.player, Player.videoTitle",
                "binding of Theater.playbackController, PlaybackController.player, Player.position",
                "willChange",
            ]
        )
        theater.playbackController = nil
        #expect(theater.observationStore.observers.first == "observer of Theater.playbackController")
        tokens.removeAll()
        #expect(theater.observationStore.observers == [])
    }
}
