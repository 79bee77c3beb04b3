// SPDX-License-Identifier: MIT
// A player whose title any shell script can follow: `observectl --socket SOCKET subscribe --raw player.title`.

import Dispatch
import Glibc
import ObserveCore

final class Film: CreatableModel {
    let observationStore = ObservationStore()
    @Published var title = "untitled"
    @Published var year: Int?

    init() {}

    convenience init(_ title: String, _ year: Int) {
        self.init()
        self.title = title
        self.year = year
    }
}

final class Player: ObservableModel {
    let observationStore = ObservationStore()
    @Published var films = [Film("Alien", 1979), Film("Brazil", 1985)]
    @Published var index = 0
    @Published var title: String?
    @Published var isOn = true

    var current: Film? { films.indices.contains(index) ? films[index] : nil }
}

let player = Player()
let server = try ModelServer()
let tokens = [
    // The title follows whichever film is current, and that film's own title.
    player.bind(\.current?.title, to: player, at: \.title),
    player.observe(\.isOn) { isOn in
        if !isOn { server.stop { exit(0) } }
    },
]
try server.host(player, at: "player")
try server.start(at: CommandLine.arguments[1])
print("ready")
fflush(nil)
dispatchMain()
