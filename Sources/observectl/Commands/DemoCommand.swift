// SPDX-License-Identifier: MIT
// `observectl demo`: shows the main job on a daemon inside this process. Independent of the steps.

import ObserveCore

extension CommandSpec {
    static let demo = CommandSpec(
        usage: "demo",
        summary: "show how a key path is followed, on a daemon inside this process",
        asksDaemon: false,
        details: """
            It needs nothing and leaves nothing behind: the daemon listens in a fresh folder that is removed
            in the end. It prints events to standard output, and its steps to standard error.

            The status is 1 if an event is not the expected one.

            Example:
              observectl demo
            """
    ) { (invocation) throws(CommandError) in
        try Demo(process: invocation.process, steps: DemoStep.all).run()
    }
}

struct Demo {
    let process: ToolProcess
    let steps: [DemoStep]

    /// The commands of the steps, except the subscription.
    private static let commands: [CommandSpec] = [.set, .link]
    private static let limitMilliseconds: UInt64 = 5000

    func run() throws(CommandError) {
        let deadline = MonotonicTime.now.adding(milliseconds: Self.limitMilliseconds)
        let isWhole = process.isWholeProcess
        let daemon = try PrivateDaemon(for: "demo", models: DemoStep.models, removedOnSignals: isWhole)
        defer { daemon.stop() }
        let subscriber = try attempt(ClientConnection(path: daemon.path, until: deadline))
        for step in steps {
            process.streams.report("# \(step.story)")
            process.streams.report("$ observectl \(step.command)")
            // The subscription outlives its step.
            if step.words[0] == "subscribe" {
                let path = RawJSON(.string(step.words[1]))
                _ = try attempt(subscriber.call("subscribe", ["path": path], until: deadline))
            } else {
                let words = ["--socket", daemon.path, "--timeout", "5"] + step.words
                try CommandLineTool(process: process, commands: Demo.commands).run(words: words)
            }
            // The answer to a ping follows the last event of the step.
            _ = try attempt(subscriber.call("ping", until: deadline))
            var events: [String] = []
            while let event = subscriber.waitingEvent() { events.append(event.params.text) }
            for event in events { try process.streams.put("\(event)\n".bytes) }
            guard events == (step.event.map { [$0] } ?? [])
            else { throw .failed("this is not the expected event, which is: \(step.event ?? "nothing")") }
        }
    }
}

struct DemoStep {
    let story: String
    let words: [String]
    /// The one event that results; nil if there must be none.
    let event: String?

    init(_ story: String, _ words: [String], _ event: String? = nil) {
        (self.story, self.words, self.event) = (story, words, event)
    }

    var command: String { words.map(\.quotedForShell).joined(separator: " ") }

    static let models = [
        ("app", #"{"playbackController":{"player":{"videoTitle":"Alien"}}}"#), ("shelf", #"{"player":null}"#),
    ]

    private static let player = "app.playbackController.player"

    private static func event(_ reason: String, _ rest: String) -> String {
        #"{"subscription":1,"path":"\#(player).videoTitle","reason":"\#(reason)",\#(rest)}"#
    }

    static let all = [
        DemoStep(
            "Watch a title through a player that can be replaced.",
            ["subscribe", "\(player).videoTitle"],
            event("initial", #""new":"Alien","revision":2"#)
        ),
        DemoStep(
            "The title is set.",
            ["set", "\(player).videoTitle", "Aliens"],
            event("valueChanged", #""new":"Aliens","revision":3"#)
        ),
        DemoStep(
            "The same player, under a second path. The title is unchanged: no event.",
            ["link", "shelf.player", player]
        ),
        DemoStep(
            "The player is replaced. The path leads to the new one's title now.",
            ["set", player, #"{"videoTitle":"Metropolis"}"#],
            event("pathChanged", #""new":"Metropolis","changedAt":"\#(player)","revision":5"#)
        ),
        DemoStep(
            "The old player's title is set. Nothing leads to it from the watched path: no event.",
            ["set", "shelf.player.videoTitle", "Alien 3"]
        ),
        DemoStep(
            "No player at all: the title is null, because the player is (nilAt).",
            ["set", player, "null"],
            event("pathChanged", #""new":null,"changedAt":"\#(player)","nilAt":"\#(player)","revision":7"#)
        ),
        DemoStep(
            "A player again.",
            ["set", player, #"{"videoTitle":"Nosferatu"}"#],
            event("pathChanged", #""new":"Nosferatu","changedAt":"\#(player)","revision":8"#)
        ),
    ]
}
