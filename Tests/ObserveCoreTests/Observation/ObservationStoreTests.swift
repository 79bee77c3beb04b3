// SPDX-License-Identifier: MIT
// Who observes a model, as text.

import ObserveCore
import Testing

@Suite struct ObservationStoreTests {
    /// As a debug build says where an observation began.
    private func place(_ line: Int) -> String {
        #if DEBUG
            " at ObservationStoreTests.swift:\(line)"
        #else
            ""
        #endif
    }

    @Test func `a store lists its observers with what they depend on, in the order in which they began`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let target = Player("")
        let start = #line
        var tokens = [
            theater.observe(\.playbackController?.player?.videoTitle) { _ in },
            theater.bind({ $0.playbackController?.player?.position ?? 0 }, to: target, at: \.position),
            theater.objectWillChange.observe {},
        ]
        #expect(
            theater.observationStore.observers == [
                "observer of Theater.playbackController, PlaybackController.player, Player.videoTitle"
                    + place(start + 2),
                "binding of Theater.playbackController, PlaybackController.player, Player.position"
                    + place(start + 3),
                "willChange" + place(start + 4),
            ]
        )
        theater.playbackController = nil
        #expect(
            theater.observationStore.observers.first
                == "observer of Theater.playbackController" + place(start + 2)
        )
        tokens.removeAll()
        #expect(theater.observationStore.observers == [])
    }

    @Test func `the place of an observation is the program's, also behind publishers, sequences and tasks`() async {
        let player = Player("Alien")
        let start = #line
        let titles = player.$videoTitle.map(\.count)
            .sink { _ in }
        let values = player.values(of: \.videoTitle).makeAsyncIterator()
        let weak = Task { @MainActor in player.$position.sink { _ in } }
        let late = await weak.value
        #expect(
            player.observationStore.observers.map { $0.split(separator: " at ").last.map(String.init) } == [
                "ObservationStoreTests.swift:\(start + 2)", "ObservationStoreTests.swift:\(start + 3)",
                "ObservationStoreTests.swift:\(start + 4)",
            ]
        )
        withExtendedLifetime((titles, values, late)) {}
    }
}
