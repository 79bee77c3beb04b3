// SPDX-License-Identifier: MIT
// "Observing Nested Properties in Combine": a path is followed although its components are replaced.

import ObserveCore
import Testing

@Suite struct NestedPathTests {
    private let heard = Heard()

    @Test func `a title is followed through optionals`() {
        let theater = Theater()
        let token = theater.observe(\.playbackController?.player?.videoTitle) { heard($0 as Any) }
        #expect(heard.popAll() == ["nil"])
        theater.playbackController = PlaybackController()
        #expect(heard.popAll() == [])
        let alien = Player("Alien")
        theater.playbackController?.player = alien
        alien.videoTitle = "Aliens"
        let brazil = Player("Brazil")
        theater.playbackController?.player = brazil
        brazil.videoTitle = "Brazil (1985)"
        theater.playbackController?.player = nil
        theater.playbackController?.player = alien
        theater.playbackController = nil
        #expect(heard.popAll() == ["Alien", "Aliens", "Brazil", "Brazil (1985)", "nil", "Aliens", "nil"])
        withExtendedLifetime(token) {}
    }

    // The article's own `$playbackController.flatMap { $0?.$player }.flatMap { $0?.$videoTitle }` keeps every inner
    // subscription: after the player was replaced, it delivers "Alien 3" here as well.
    @Test func `the old player's title never notifies`() {
        let alien = Player("Alien")
        let controller = PlaybackController(alien)
        let theater = Theater(controller)
        let token = theater.observe(\.playbackController?.player?.videoTitle) { heard($0 as Any) }
        controller.player = Player("Metropolis")
        alien.videoTitle = "Alien 3"
        theater.playbackController = PlaybackController(Player("Nosferatu"))
        controller.player?.videoTitle = "Metropolis (1927)"
        controller.player = alien
        #expect(heard.popAll() == ["Alien", "Metropolis", "Nosferatu"])
        withExtendedLifetime(token) {}
    }

    @Test func `the end and the intermediates of a path need not be optional`() {
        final class Screen: ObservableModel {
            let observationStore = ObservationStore()
            @Published var controller: Controls
            init(_ controller: Controls) { self.controller = controller }
        }
        final class Controls: ObservableModel {
            let observationStore = ObservationStore()
            @Published var player: Player
            init(_ player: Player) { self.player = player }
        }
        let screen = Screen(Controls(Player("Alien")))
        let token = screen.observe(\.controller.player.videoTitle) { (title: String) in heard(title) }
        let alien = screen.controller.player
        screen.controller.player = Player("Brazil")
        alien.videoTitle = "Aliens"
        screen.controller = Controls(alien)
        screen.controller.player.videoTitle = "Alien 3"
        #expect(heard.popAll() == ["Alien", "Brazil", "Aliens", "Alien 3"])
        withExtendedLifetime(token) {}
    }

    @Test func `equal titles of different players are one value`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let token = theater.observe(\.playbackController?.player?.videoTitle) { heard($0 as Any) }
        let copy = Player("Alien")
        theater.playbackController?.player = copy
        #expect(heard.popAll() == ["Alien"])
        copy.videoTitle = "Brazil"
        #expect(heard.popAll() == ["Brazil"])
        withExtendedLifetime(token) {}
    }

    @Test func `a path may end at a model, and notifies if that is another one`() {
        let controller = PlaybackController(Player("Alien"))
        let theater = Theater(controller)
        let token = theater.observe(\.playbackController?.player) { heard($0 as Any) }
        controller.player?.videoTitle = "Aliens"
        let brazil = Player("Brazil")
        controller.player = brazil
        controller.player = brazil
        theater.playbackController = PlaybackController(brazil)
        theater.playbackController?.player = nil
        #expect(heard.popAll() == ["Player(Alien)", "Player(Brazil)", "nil"])
        withExtendedLifetime(token) {}
    }

    @Test func `a path leads through an array and its elements`() {
        final class Playlist: ObservableModel {
            let observationStore = ObservationStore()
            @Published var players: [Player] = []
        }
        let list = Playlist()
        let token = list.observe({ $0.players.map(\.videoTitle).joined(separator: ", ") }) { heard($0) }
        let alien = Player("Alien")
        list.players.append(alien)
        list.players.append(Player("Brazil"))
        alien.videoTitle = "Aliens"
        list.players.swapAt(0, 1)
        list.players.removeLast()
        alien.videoTitle = "Alien 3"
        list.players[0].videoTitle = "Brazil (1985)"
        #expect(
            heard.popAll() == [
                "", "Alien", "Alien, Brazil", "Aliens, Brazil", "Brazil, Aliens", "Brazil", "Brazil (1985)",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `one model may be in two places of a path`() {
        final class Node: ObservableModel {
            let observationStore = ObservationStore()
            @Published var next: Node?
            @Published var name: String
            init(_ name: String) { self.name = name }
        }
        let a = Node("a")
        let b = Node("b")
        a.next = b
        b.next = a
        let token = a.observe({ "\($0.name)\($0.next?.name ?? "-")\($0.next?.next?.name ?? "-")" }) {
            heard($0)
        }
        a.name = "A"
        b.name = "B"
        b.next = nil
        b.next = b
        a.next = nil
        b.name = "x"
        #expect(heard.popAll() == ["aba", "AbA", "ABA", "AB-", "ABB", "A--"])
        withExtendedLifetime(token) {}
        b.next = nil
    }

    @Test func `a key path may be in a variable`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let paths: [KeyPath<Theater, String?>] = [\.playbackController?.player?.videoTitle]
        let token = theater.observe(paths[0]) { heard($0 as Any) }
        let changes = theater.observe(paths[0], options: [.new, .old]) { heard.change($0) }
        theater.playbackController?.player?.videoTitle = "Aliens"
        theater.playbackController?.player = Player("Brazil")
        #expect(
            heard.popAll() == [
                "Alien", "Aliens", "valueChanged Alien -> Aliens at Player.videoTitle", "Brazil",
                "pathChanged Aliens -> Brazil at PlaybackController.player",
            ]
        )
        withExtendedLifetime((token, changes)) {}
    }

    @Test func `a model that left the path has no dependencies`() {
        let theater = Theater()
        let token = theater.observe(\.playbackController?.player?.videoTitle) { heard($0 as Any) }
        weak var former: Player?
        for number in 0..<100 {
            let player = Player("\(number)")
            theater.playbackController = PlaybackController(player)
            #expect(former == nil)
            former = player
        }
        #expect(heard.popAll().count == 101)
        withExtendedLifetime(token) {}
    }
}
