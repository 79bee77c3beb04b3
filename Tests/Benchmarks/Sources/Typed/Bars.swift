// SPDX-License-Identifier: MIT
// The comparisons, and the ratios that must hold.

import ObserveModels

/// Compares this library with the toolchain's, and limits the ratio of their times.
struct Bar {
    let title: String
    let most: Double
    let ours: Contender
    let theirs: Contender
}

let titles = ["a title that does not fit into fifteen bytes", "another title that does not fit either"]

/// One nested title, observed by both libraries.
final class Stage {
    let players = [Player(titles[0]), Player(titles[1])]
    let controller = PlaybackController()
    let root: Root
    let token: ObservationToken
    let theirPlayers = [ObservablePlayer(titles[0]), ObservablePlayer(titles[1])]
    let theirController = ObservableController()
    let tracker: TitleTracker

    /// Starts an observation of this library's model with `observe`.
    init(_ observe: (Root) -> ObservationToken) {
        controller.player = players[0]
        root = opaque(Root(controller))
        token = observe(root)
        theirController.player = theirPlayers[0]
        var notifications = 0
        tracker = TitleTracker(opaque(ObservableRoot(theirController))) { _ in notifications += 1 }
    }
}

func bars() -> [Bar] {
    var notifications = 0
    let byKeyPath = Stage { root in
        root.observe(\.playbackController?.player?.videoTitle) { _ in notifications += 1 }
    }
    let byClosure = Stage { root in
        root.observe({ $0.playbackController?.player?.videoTitle }) { _ in notifications += 1 }
    }
    let lone = opaque(Player(titles[0]))
    let theirLone = opaque(ObservablePlayer(titles[0]))
    return [
        leafChange("a nested leaf change, notified", byKeyPath),
        leafChange("a nested leaf change, to a closure", byClosure),
        replacement("an intermediate replaced, notified", byKeyPath),
        replacement("an intermediate replaced, to a closure", byClosure),
        Bar(
            title: "a set, unobserved",
            most: 0.4,
            ours: Contender { count in for index in 0..<count { set(lone, index) } },
            theirs: Contender { count in for index in 0..<count { set(theirLone, index) } }
        ),
        Bar(
            title: "a set of a string, unobserved",
            most: 0.4,
            ours: Contender { count in for index in 0..<count { set(lone, titles[index & 1]) } },
            theirs: Contender { count in for index in 0..<count { set(theirLone, titles[index & 1]) } }
        ),
        Bar(
            title: "an element set in place, unobserved",
            most: 0.45,
            ours: Contender { count in for index in 0..<count { setMark(lone, index) } },
            theirs: Contender { count in for index in 0..<count { setMark(theirLone, index) } }
        ),
        Bar(
            title: "a get, unobserved",
            most: 1,
            ours: Contender { count in for _ in 0..<count { get(lone) } },
            theirs: Contender { count in for _ in 0..<count { get(theirLone) } }
        ),
    ]
}

/// While a tracked model lives, a read of any model takes longer: call this after the other comparisons.
func trackedBars() -> [Bar] {
    let tracked = opaque(TrackedPlayer())
    let theirs = opaque(ObservablePlayer(titles[0]))
    get(tracked)
    return [
        Bar(
            title: "a set of a tracked model, unobserved",
            most: 2,
            ours: Contender { count in for index in 0..<count { set(tracked, index) } },
            theirs: Contender { count in for index in 0..<count { set(theirs, index) } }
        ),
        Bar(
            title: "a get of a tracked model, unobserved",
            most: 2,
            ours: Contender { count in for _ in 0..<count { get(tracked) } },
            theirs: Contender { count in for _ in 0..<count { get(theirs) } }
        ),
    ]
}

private func leafChange(_ title: String, _ stage: Stage) -> Bar {
    Bar(
        title: title,
        most: 1 / 8,
        ours: Contender { count in
            stage.controller.player = stage.players[0]
            let player = stage.players[0]
            for index in 0..<count { player.videoTitle = titles[index & 1] }
        },
        theirs: Contender { count in
            stage.theirController.player = stage.theirPlayers[0]
            stage.tracker.afterChange()
            let player = stage.theirPlayers[0]
            for index in 0..<count {
                player.videoTitle = titles[index & 1]
                stage.tracker.afterChange()
            }
        }
    )
}

private func replacement(_ title: String, _ stage: Stage) -> Bar {
    Bar(
        title: title,
        most: 1 / 8,
        ours: Contender { count in
            for (player, title) in zip(stage.players, titles) { player.videoTitle = title }
            for index in 0..<count { stage.controller.player = stage.players[index & 1] }
        },
        theirs: Contender { count in
            for (player, title) in zip(stage.theirPlayers, titles) { player.videoTitle = title }
            stage.tracker.afterChange()
            for index in 0..<count {
                stage.theirController.player = stage.theirPlayers[index & 1]
                stage.tracker.afterChange()
            }
        }
    )
}

@inline(never) private func set(_ player: Player, _ position: Int) { player.position = position }
@inline(never) private func set(_ player: ObservablePlayer, _ position: Int) { player.position = position }
@inline(never) private func set(_ player: TrackedPlayer, _ position: Int) { player.position = position }
@inline(never) private func set(_ player: Player, _ title: String) { player.videoTitle = title }
@inline(never) private func set(_ player: ObservablePlayer, _ title: String) { player.videoTitle = title }
@inline(never) private func setMark(_ player: Player, _ index: Int) { player.marks[index & 7] = index }
@inline(never) private func setMark(_ player: ObservablePlayer, _ index: Int) {
    player.marks[index & 7] = index
}
@inline(never) private func get(_ player: Player) { _ = opaque(player.position) }
@inline(never) private func get(_ player: TrackedPlayer) { _ = opaque(player.position) }
@inline(never) private func get(_ player: ObservablePlayer) { _ = opaque(player.position) }
