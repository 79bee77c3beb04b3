// SPDX-License-Identifier: MIT
// The benchmark's models, for this library. Like any user's, they are in another module than the library.

import ObserveModels

final class Player: ObservableModel {
    let observationStore = ObservationStore()
    @Published var videoTitle: String
    @Published var position = 0
    @Published var marks = Array(0..<8)

    init(_ videoTitle: String) { self.videoTitle = videoTitle }
}

final class PlaybackController: ObservableModel {
    let observationStore = ObservationStore()
    @Published var player: Player?
}

final class Root: ObservableModel {
    let observationStore = ObservationStore()
    @Published var playbackController: PlaybackController?

    init(_ controller: PlaybackController) { playbackController = controller }
}

/// Heard by the toolchain's tracking too.
final class TrackedPlayer: ObservableModel {
    let observationStore = ObservationStore.tracked()
    @Published var position = 0
}
