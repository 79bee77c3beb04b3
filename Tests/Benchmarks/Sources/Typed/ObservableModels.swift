// SPDX-License-Identifier: MIT
// The models of the benchmark, as the toolchain's Observation wants them.

import Observation
import Synchronization

@Observable
final class ObservablePlayer {
    var videoTitle: String
    var position = 0

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

/// Observes a nested title for ever: registers anew after each change, at once and without a task.
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

    /// After an assignment: what `onChange` would have to put off until the value is there.
    func afterChange() {
        if hasFired.isSet.load(ordering: .relaxed) {
            hasFired.isSet.store(false, ordering: .relaxed)
            track()
        }
    }
}
