// SPDX-License-Identifier: MIT
// Our typed observing beside the toolchain's, in one run: `make bench`.

import Observation
import ObserveCore

/// A ratio that has to hold.
struct Bar {
    let title: String
    let ours: Contender
    let theirs: Contender
    let most: Double
}

let titles = ["a title that does not fit into fifteen bytes", "another title that does not fit either"]

func bars() -> [Bar] {
    let players = opaque([Player(titles[0]), Player(titles[1])])
    let root = opaque(Root(players[0]))
    var told = 0
    let token = root.observe(\.playbackController?.player?.videoTitle) { _ in told += 1 }
    let otherRoot = opaque(Root(Player(titles[0])))
    let closureToken = otherRoot.observe({ $0.playbackController?.player?.videoTitle }) { _ in told += 1 }

    let theirPlayers = opaque([ObservablePlayer(titles[0]), ObservablePlayer(titles[1])])
    let theirRoot = opaque(ObservableRoot(theirPlayers[0]))
    var toldThem = 0
    let tracker = TitleTracker(theirRoot) { _ in toldThem += 1 }

    let lone = opaque(Player(titles[0]))
    let theirLone = opaque(ObservablePlayer(titles[0]))

    return [
        Bar(
            title: "a nested leaf change, told",
            ours: Contender("@Published, observe(keyPath)") { count in
                let player = root.playbackController!.player!
                for index in 0..<count { player.videoTitle = titles[index & 1] }
                withExtendedLifetime(token) {}
            },
            theirs: Contender("@Observable, withObservationTracking") { count in
                let player = theirRoot.playbackController!.player!
                for index in 0..<count {
                    player.videoTitle = titles[index & 1]
                    tracker.afterChange()
                }
            },
            most: 1 / 8
        ),
        Bar(
            title: "a nested leaf change, told to a closure",
            ours: Contender("@Published, observe(closure)") { count in
                let player = otherRoot.playbackController!.player!
                for index in 0..<count { player.videoTitle = titles[index & 1] }
                withExtendedLifetime(closureToken) {}
            },
            theirs: Contender("@Observable, withObservationTracking") { count in
                let player = theirRoot.playbackController!.player!
                for index in 0..<count {
                    player.videoTitle = titles[index & 1]
                    tracker.afterChange()
                }
            },
            most: 1 / 8
        ),
        Bar(
            title: "an intermediate replaced, told",
            ours: Contender("@Published, observe(keyPath)") { count in
                players[0].videoTitle = titles[0]
                players[1].videoTitle = titles[1]
                let controller = root.playbackController!
                for index in 0..<count { controller.player = players[index & 1] }
                withExtendedLifetime(token) {}
            },
            theirs: Contender("@Observable, withObservationTracking") { count in
                let controller = theirRoot.playbackController!
                for index in 0..<count {
                    controller.player = theirPlayers[index & 1]
                    tracker.afterChange()
                }
            },
            most: 1 / 8
        ),
        Bar(
            title: "a plain set, nobody observes",
            ours: Contender("@Published") { count in
                for index in 0..<count { set(lone, index) }
            },
            theirs: Contender("@Observable") { count in
                for index in 0..<count { set(theirLone, index) }
            },
            most: 0.4
        ),
        Bar(
            title: "a plain set of a string, nobody observes",
            ours: Contender("@Published") { count in
                for index in 0..<count { set(lone, titles[index & 1]) }
            },
            theirs: Contender("@Observable") { count in
                for index in 0..<count { set(theirLone, titles[index & 1]) }
            },
            most: 0.4
        ),
        Bar(
            title: "a plain get, nobody observes",
            ours: Contender("@Published") { count in
                for _ in 0..<count { get(lone) }
            },
            theirs: Contender("@Observable") { count in
                for _ in 0..<count { get(theirLone) }
            },
            most: 1
        ),
    ]
}

@inline(never) func set(_ player: Player, _ position: Int) { player.position = position }
@inline(never) func set(_ player: ObservablePlayer, _ position: Int) { player.position = position }
@inline(never) func set(_ player: Player, _ title: String) { player.videoTitle = title }
@inline(never) func set(_ player: ObservablePlayer, _ title: String) { player.videoTitle = title }
@inline(never) func get(_ player: Player) { _ = opaque(player.position) }
@inline(never) func get(_ player: ObservablePlayer) { _ = opaque(player.position) }

func run() {
    if CommandLine.arguments.count > 1 { let all = bars(); let bar = all[Int(CommandLine.arguments[1])!]; bar.ours.run(5_000_000); return }
    for bar in bars() {
        let results = measure([bar.ours, bar.theirs], operations: 20_000)
        print(bar.title)
        for r in results { print("   ", r.name, r.nanoseconds, r.allocations) }
        print("    ratio", results[0].nanoseconds / results[1].nanoseconds, "most", bar.most)
    }
}
run()
