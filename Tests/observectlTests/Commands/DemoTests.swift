// SPDX-License-Identifier: MIT
// The demo, on its own server and over its own socket.

import ObserveCore
import TestSupport
import Testing

@testable import observectl

struct DemoTests {
    /// The lines of the demo's standard output.
    private let lines = DemoStep.all.compactMap(\.event)

    @Test func `the demo prints the expected events and its steps`() throws {
        let run = try ToolRun(["demo"])
        #expect(run.ending == .status(.done))
        #expect(run.output == lines.map { "\($0)\n" }.joined())
        let steps = run.error.split(separator: "\n").map(String.init)
        #expect(steps == DemoStep.all.flatMap { ["# \($0.story)", "$ observectl \($0.command)"] })
    }

    @Test func `the demo's lines are JSON, and show every reason but a deletion`() throws {
        let events = try lines.map { try RawJSON(validating: Array($0.utf8)).value() }
        #expect(
            events.map { $0["reason"]?.string }
                == ["initial", "valueChanged", "pathChanged", "pathChanged", "pathChanged"]
        )
        #expect(events.map { $0["nilAt"] != nil } == [false, false, false, true, false])
        #expect(DemoStep.all.count { $0.event == nil } == 2)
    }

    @Test(arguments: [nil, "{}"] as [String?])
    func `an unexpected event is status 1 and a sentence`(expected: String?) throws {
        let first = DemoStep.all[0]
        let wrong = DemoStep(first.story, first.words, expected)
        let errors = try SocketPair(nonBlocking: false)
        let outputs = try SocketPair(nonBlocking: false)
        let process = ToolProcess(
            streams: StandardStreams(input: -1, output: outputs.first.number, error: errors.first.number),
            environment: { _ in nil },
            uid: Platform.uid
        )
        let sentence = "this is not the expected event, which is: \(expected ?? "nothing")"
        #expect(throws: CommandError.failed(sentence)) {
            try Demo(process: process, steps: [wrong] + DemoStep.all.dropFirst()).run()
        }
        #expect(CommandError.failed(sentence).ending == .status(.refused))
    }

    @Test func `the demo's daemon listens in a folder of its own, and leaves nothing behind`() throws {
        let daemon = try PrivateDaemon(for: "demo", models: DemoStep.models, removedOnSignals: false)
        let folder = Path.folder(of: daemon.path)
        _ = try ClientConnection(path: daemon.path).call("ping")
        daemon.stop()
        #expect(throws: SocketError.self) { try TemporaryFolder.make(prefix: "x", in: folder) }
    }
}
