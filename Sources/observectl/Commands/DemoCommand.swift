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

/// One run of the demo.
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
            let events = try arrived(at: subscriber, until: deadline)
            for event in events { try process.streams.put(Array("\(event)\n".utf8)) }
            try check(events, of: step)
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

    /// The events of the step. The answer to a ping follows the last of them.
    private func arrived(at subscriber: ClientConnection, until deadline: MonotonicTime) throws(CommandError)
        -> [String]
    {
        _ = try attempt(subscriber.call("ping", until: deadline))
        var events: [String] = []
        while let event = subscriber.waitingEvent() { events.append(event.params.text) }
        return events
    }

    private func check(_ events: [String], of step: DemoStep) throws(CommandError) {
        let expected = step.event.map { [$0] } ?? []
        guard events != expected else { return }
        throw .failed("this is not the expected event, which is: \(step.event ?? "nothing")")
    }
}
