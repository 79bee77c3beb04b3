// SPDX-License-Identifier: MIT
// Runs the examples of the commands' help in a shell, against a daemon with the sample configuration.

import Testing

struct CommandExampleTests {
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("merge", #"{"videoTitle":"Alien","position":0.0,"playing":false}"#, "player", ""),
            (
                "insert",
                #"[{"title":"Metropolis","year":null},{"title":"Alien","year":1979},"#, "films", ""
            ),
            ("increment", "45", "volume", "45\n"),
            ("transaction", "55", "volume", ""),
            (
                "subscribe", "50", "volume",
                """
                50
                Alien – 0.0

                """
            ),
        ]
    )
    func `the examples in help work`(command: String, start: String, place: String, output: String) throws {
        let help = try ChildProcess.run(BuiltProducts.observectl, ["help", command]).output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasPrefix("Example") })
        let example = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
        #expect(example.contains("observectl \(command)"))

        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let tool = "'\(BuiltProducts.observectl)' --socket '\(daemon.socket)'"
        let program = "observectl() { \(tool) \"$@\"; }\n\(example)"
        let finished = try ChildProcess.run("sh", ["-ec", program])
        #expect(finished == Finished(status: .exited(0), output: output, errors: ""))
        let paths = [
            "player": "app.playbackController.player", "films": "library.films", "volume": "app.volume",
        ]
        let value = try daemon.observectl("get", try #require(paths[place])).output
        #expect(value.hasPrefix(start), "\(value)")
    }
}
