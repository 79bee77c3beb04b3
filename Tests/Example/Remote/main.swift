// SPDX-License-Identifier: MIT
// Shows the title of a player in another process, skips its first film, and ends with the second one.

import Dispatch
import Glibc
import ObserveCore

final class Player: CreatableModel {
    let observationStore = ObservationStore()
    @Published var title: String?
    @Published var index = 0
}

let daemon = try DaemonClient(socket: CommandLine.arguments[1])
let mirror = try daemon.mirror(Player.self, at: "player")
let player = mirror.model
let tokens = [
    player.observe(\.title) { if let title = $0 { print(title) } },
    mirror.observe(\.state) { state in
        guard state == .current else { return }
        if player.index > 0 { exit(0) }
        player.index += 1
    },
]
dispatchMain()
