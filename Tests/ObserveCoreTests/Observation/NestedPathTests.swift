// SPDX-License-Identifier: MIT
// "Observing Nested Properties in Combine": a path is followed through whatever is replaced.

import ObserveCore
import Testing

@Suite struct NestedPathTests {
    private let told = Heard()

    @Test func `a title is followed through optionals`() {
        let theater = Theater()
        let token = theater.observe(\.playbackController?.player?.videoTitle) { told($0 as Any) }
        #expect(told.take() == ["nil"])
        theater.playbackController = PlaybackController()
        #expect(told.take() == [])
        let alien = Player("Alien")
        theater.playbackController?.player = alien
        alien.videoTitle = "Aliens"
        let brazil = Player("Brazil")
        theater.playbackController?.player = brazil
        brazil.videoTitle = "Brazil (1985)"
        theater.playbackController?.player = nil
        theater.playbackController?.player = alien
        theater.playbackController = nil
        #expect(told.take() == ["Alien", "Aliens", "Brazil", "Brazil (1985)", "nil", "Aliens", "nil"])
        withExtendedLifetime(token) {}
    }

    // The article's own `$playbackController.flatMap { $0?.$player }.flatMap { $0?.$videoTitle }` keeps every inner
    // subscription: after the player was replaced, it delivers "Alien 3" here as well.
    @Test func `the old player's title notifies no observer`() {
        let alien = Player("Alien")
        let controller = PlaybackController(alien)
        let theater = Theater(controller)
        let token = theater.observe(\.playbackController?.player?.videoTitle) { told($0 as Any) }
        controller.player = Player("Metropolis")
        alien.videoTitle = "Alien 3"
        theater.playbackController = PlaybackController(Player("Nosferatu"))
        controller.player?.videoTitle = "Metropolis (1927)"
        controller.player = alien
        #expect(told.take() == ["Alien", "Metropolis", "Nosferatu"])
        withExtendedLifetime(token) {}
    }

    @Test func `ends that aren't optional, and intermediates that aren't`() {
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
        let token = screen.observe(\.controller.player.videoTitle) { (title: String) in told(title) }
        let alien = screen.controller.player
        screen.controller.player = Player("Brazil")
        alien.videoTitle = "Aliens"
        screen.controller = Controls(alien)
        screen.controller.player.videoTitle = "Alien 3"
        #expect(told.take() == ["Alien", "Brazil", "Aliens", "Alien 3"])
        withExtendedLifetime(token) {}
    }

    @Test func `equal titles of different players are one value`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let token = theater.observe(\.playbackController?.player?.videoTitle) { told($0 as Any) }
        let copy = Player("Alien")
        theater.playbackController?.player = copy
        #expect(told.take() == ["Alien"])
        copy.videoTitle = "Brazil"
        #expect(told.take() == ["Brazil"])
        withExtendedLifetime(token) {}
    }

    @Test func `a path ends at a model, and follows which one it is`() {
        let controller = PlaybackController(Player("Alien"))
        let theater = Theater(controller)
        let token = theater.observe(\.playbackController?.player) { told($0 as Any) }
        controller.player?.videoTitle = "Aliens"
        let brazil = Player("Brazil")
        controller.player = brazil
        controller.player = brazil
        theater.playbackController = PlaybackController(brazil)
        theater.playbackController?.player = nil
        #expect(told.take() == ["Player(Alien)", "Player(Brazil)", "nil"])
        withExtendedLifetime(token) {}
    }

    @Test func `through an array and its elements`() {
        final class Playlist: ObservableModel {
            let observationStore = ObservationStore()
            @Published var players: [Player] = []
        }
        let list = Playlist()
        let token = list.observe({ $0.players.map(\.videoTitle).joined(separator: ", ") }) { told($0) }
        let alien = Player("Alien")
        list.players.append(alien)
        list.players.append(Player("Brazil"))
        alien.videoTitle = "Aliens"
        list.players.swapAt(0, 1)
        list.players.removeLast()
        alien.videoTitle = "Alien 3"
        list.players[0].videoTitle = "Brazil (1985)"
        #expect(
            told.take() == [
                "", "Alien", "Alien, Brazil", "Aliens, Brazil", "Brazil, Aliens", "Brazil", "Brazil (1985)",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `one model in two places of a path`() {
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
            told($0)
        }
        a.name = "A"
        b.name = "B"
        b.next = nil
        b.next = b
        a.next = nil
        b.name = "x"
        #expect(told.take() == ["aba", "AbA", "ABA", "AB-", "ABB", "A--"])
        withExtendedLifetime(token) {}
        b.next = nil
    }

    @Test func `a key path in a variable`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let paths: [KeyPath<Theater, String?>] = [\.playbackController?.player?.videoTitle]
        let token = theater.observe(paths[0]) { told($0 as Any) }
        let changes = theater.observe(paths[0], options: [.new, .old]) { told.change($0) }
        theater.playbackController?.player?.videoTitle = "Aliens"
        theater.playbackController?.player = Player("Brazil")
        #expect(
            told.take() == [
                "Alien", "Aliens", "valueChanged Alien -> Aliens at Player.videoTitle", "Brazil",
                "pathChanged Aliens -> Brazil at PlaybackController.player",
            ]
        )
        withExtendedLifetime((token, changes)) {}
    }

    @Test func `nothing is left behind on models that were passed through`() {
        let theater = Theater()
        let token = theater.observe(\.playbackController?.player?.videoTitle) { told($0 as Any) }
        weak var former: Player?
        for number in 0..<100 {
            let player = Player("\(number)")
            theater.playbackController = PlaybackController(player)
            #expect(former == nil)
            former = player
        }
        #expect(told.take().count == 101)
        withExtendedLifetime(token) {}
    }
}
