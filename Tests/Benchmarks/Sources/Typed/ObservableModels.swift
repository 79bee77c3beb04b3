// SPDX-License-Identifier: MIT
// The benchmark's models, for the toolchain's Observation.

import Observation
import Synchronization

@Observable
final class ObservablePlayer {
    var videoTitle: String
    var position = 0
    var marks = Array(0..<8)

    init(_ videoTitle: String) { self.videoTitle = videoTitle }
}

@Observable
final class ObservableController {
    var player: ObservablePlayer?
}

@Observable
final class ObservableRoot {
    var playbackController: ObservableController?

    init(_ controller: ObservableController) { playbackController = controller }
}

/// Observes a nested title for ever: registers again after each change, at once and without a task.
final class TitleTracker {
    let root: ObservableRoot
    let tell: (String?) -> Void
    private let hasFired = Flag()

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    init(_ root: ObservableRoot, tell: @escaping (String?) -> Void) {
        self.root = root
        self.tell = tell
        track()
    }

    func track() {
        let title = withObservationTracking {
            root.playbackController?.player?.videoTitle
        } onChange: { [hasFired] in
            hasFired.isSet.store(true, ordering: .relaxed)
        }
        tell(title)
    }

    /// Runs after an assignment, when the value is there; `onChange` alone would have to defer it.
    func afterChange() {
        if hasFired.isSet.load(ordering: .relaxed) {
            hasFired.isSet.store(false, ordering: .relaxed)
            track()
        }
    }
}
