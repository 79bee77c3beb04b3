// SPDX-License-Identifier: MIT
// A program with a loop of its own: it follows a player in another process, and serves its own model.

import Glibc
import ObserveCore

final class Game: ObservableModel {
    let observationStore = ObservationStore()
    @Published var music: String?
    @Published var isOpen = true
}

let game = Game()
let server = try ModelServer()
try server.host(game, at: "game")
try server.start(at: CommandLine.arguments[2])

let daemon = try DaemonClient(socket: CommandLine.arguments[1])
Task {
    for try await title in daemon.values(of: "player.title", as: String?.self) {
        game.music = title
    }
}
let token = game.observe(\.music) { print($0 ?? "silence") }

while game.isOpen {
    fflush(nil)
    // A window has another descriptor, and a game a timeout until its next frame.
    var descriptors = [pollfd(fd: MainQueue.descriptor, events: Int16(POLLIN), revents: 0)]
    _ = unsafe poll(&descriptors, nfds_t(descriptors.count), -1)
    MainQueue.turn()
}
