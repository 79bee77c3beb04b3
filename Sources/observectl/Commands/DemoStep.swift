// SPDX-License-Identifier: MIT
// The steps of the demo: a player's video title is observed while each component of its path changes.

/// One step of the demo, and the event that it must cause.
struct DemoStep {
    /// Its explanation, line by line.
    let story: [String]
    /// The words of its command line.
    let words: [String]
    /// The one event that results; nil if there must be none.
    let event: String?

    /// The command line as it is typed.
    var command: String { words.map(\.quotedForShell).joined(separator: " ") }

    /// The daemon's initial roots.
    static let models = [
        ("app", #"{"playbackController":{"player":{"videoTitle":"Alien"}}}"#),
        ("shelf", #"{"player":null}"#),
    ]

    static let all = [
        DemoStep(
            story: ["Watch a title through a player that can be replaced."],
            words: ["subscribe", "app.playbackController.player.videoTitle"],
            event: #"{"subscription":1,"path":"app.playbackController.player.videoTitle","#
                + #""reason":"initial","new":"Alien","revision":2}"#
        ),
        DemoStep(
            story: ["The title is set."],
            words: ["set", "app.playbackController.player.videoTitle", "Aliens"],
            event: #"{"subscription":1,"path":"app.playbackController.player.videoTitle","#
                + #""reason":"valueChanged","new":"Aliens","revision":3}"#
        ),
        DemoStep(
            story: ["The same player, under a second path. The title is unchanged: no event."],
            words: ["link", "shelf.player", "app.playbackController.player"],
            event: nil
        ),
        DemoStep(
            story: ["The player is replaced. The path leads to the new one's title now."],
            words: ["set", "app.playbackController.player", #"{"videoTitle":"Metropolis"}"#],
            event: #"{"subscription":1,"path":"app.playbackController.player.videoTitle","#
                + #""reason":"pathChanged","new":"Metropolis","#
                + #""changedAt":"app.playbackController.player","revision":5}"#
        ),
        DemoStep(
            story: ["The old player's title is set. Nothing leads to it from the watched path: no event."],
            words: ["set", "shelf.player.videoTitle", "Alien 3"],
            event: nil
        ),
        DemoStep(
            story: ["No player at all: the title is null, because the player is (nilAt)."],
            words: ["set", "app.playbackController.player", "null"],
            event: #"{"subscription":1,"path":"app.playbackController.player.videoTitle","#
                + #""reason":"pathChanged","new":null,"changedAt":"app.playbackController.player","#
                + #""nilAt":"app.playbackController.player","revision":7}"#
        ),
        DemoStep(
            story: ["A player again."],
            words: ["set", "app.playbackController.player", #"{"videoTitle":"Nosferatu"}"#],
            event: #"{"subscription":1,"path":"app.playbackController.player.videoTitle","#
                + #""reason":"pathChanged","new":"Nosferatu","#
                + #""changedAt":"app.playbackController.player","revision":8}"#
        ),
    ]
}
