// SPDX-License-Identifier: MIT
// The models of the benchmark, ours. They are in another module than the library, as everybody's are.

import ObserveCore

final class Player: ObservableModel {
    let observationStore = ObservationStore()
    @Published var videoTitle: String
    @Published var position = 0

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
