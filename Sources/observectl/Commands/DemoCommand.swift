// SPDX-License-Identifier: MIT
// `observectl demo`: shows the main job on a daemon inside this process. Independent of the steps.

import ObserveCore

extension CommandSpec {
    static let demo = CommandSpec(
        name: "demo",
        summary: "show how a key path is followed, on a daemon inside this process",
        asksDaemon: false,
        details: """
            It needs nothing and leaves nothing behind: the daemon listens in a fresh folder that is removed
            in the end. It prints events to standard output, and its steps to standard error.

            The status is 1 if an event is not the expected one.

            Example:
              observectl demo
            """,
        run: { (invocation) throws(CommandError) in
            try Demo(process: invocation.process, steps: DemoStep.all).run()
        }
    )
}

struct Demo {
    let process: ToolProcess
    let steps: [DemoStep]

    /// The commands of the steps, except the subscription.
    private static let commands: [CommandSpec] = [.set, .link]
    private static let limitMilliseconds: UInt64 = 5000

    func run() throws(CommandError) {
        let deadline = MonotonicTime.now.adding(milliseconds: Self.limitMilliseconds)
        let daemon = try PrivateDaemon(
            for: "demo",
            models: DemoStep.models,
            removedOnSignals: process.isWholeProcess
        )
        defer { daemon.stop() }
        let subscriber = try attempt(ClientConnection(path: daemon.path, until: deadline))
        for step in steps {
            for line in step.story { process.streams.report("# \(line)") }
            process.streams.report("$ observectl \(step.command)")
            try perform(step, subscriber, daemon, until: deadline)
            // The answer to a ping follows the last event of the step.
            _ = try attempt(subscriber.call("ping", until: deadline))
            var events: [String] = []
            while let event = subscriber.waitingEvent() { events.append(event.params.text) }
            for event in events { try process.streams.put(Array("\(event)\n".utf8)) }
            guard events == (step.event.map { [$0] } ?? []) else {
                throw .failed("this is not the expected event, which is: \(step.event ?? "nothing")")
            }
        }
    }

    /// Executes the step with the tool itself, except for the subscription, which outlives its step.
    private func perform(
        _ step: DemoStep,
        _ subscriber: ClientConnection,
        _ daemon: PrivateDaemon,
        until deadline: MonotonicTime
    ) throws(CommandError) {
        guard step.words[0] == "subscribe" else {
            return try CommandLineTool(process: process, commands: Demo.commands).run(
                words: ["--socket", daemon.path, "--timeout", "5"] + step.words
            )
        }
        let path = RawJSON(.string(step.words[1]))
        _ = try attempt(subscriber.call("subscribe", ["path": path], until: deadline))
    }
}

/// One step of the demo, and the event that it must cause.
struct DemoStep {
    let story: [String]
    let words: [String]
    /// The one event that results; nil if there must be none.
    let event: String?

    /// The command line as it is typed.
    var command: String { words.map(\.quotedForShell).joined(separator: " ") }

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
