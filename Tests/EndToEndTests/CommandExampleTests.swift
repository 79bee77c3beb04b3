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
            (
                "get", "50", "volume",
                "app.playbackController.player.videoTitle\tAlien\napp.volume\t50\n50\t4\n0.5\n"
            ),
            ("toggle", "50", "volume", "true\n"),
            ("set", "40", "volume", ""),
            ("remove", #"[{"title":"Brazil","year":1985}]"#, "films", ""),
            ("link", #"{"videoTitle":"Alien""#, "player", ""),
            ("bind", "50", "volume", "2\n3\n"),
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

    /// The commands whose examples need more than a daemon: a terminal, a server, or an end from outside. `BridgeTests` has
    /// those of docs/bridge.md.
    private static let others = ["subscribe", "exec", "bridge", "help"]

    @Test(.timeLimit(.minutes(15)))
    func `the examples of every command succeed`() throws {
        let overview = try ChildProcess.run(BuiltProducts.observectl, ["--help"]).output
        let rows = try #require(overview.split(separator: "Commands:\n").last?.split(separator: "\n\n").first)
        let names = rows.split(separator: "\n").compactMap { line in
            line.hasPrefix("   ") ? nil : line.split { $0 == " " || $0 == "," }.first.map(String.init)
        }
        #expect(names.count > 20)
        for name in names where !CommandExampleTests.others.contains(name) {
            let help = try ChildProcess.run(BuiltProducts.observectl, ["help", name]).output
            let example = help.split(separator: "\n").drop { !$0.hasPrefix("Example") }.dropFirst()
                .prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
            #expect(example.contains("observectl \(name)"), "\(name) has no example")
            let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
            try daemon.directory.write(#"{"id":1,"method":"ping"}"#, to: "requests.jsonl")
            let variables = [
                "OBSERVED_SOCKET": daemon.socket,
                "XDG_CONFIG_HOME": daemon.directory.path("config"),
                "XDG_STATE_HOME": daemon.directory.path("state"),
                "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
            ]
            let program = "cd '\(daemon.directory.path)'\n\(example)"
            let finished = try ChildProcess.run("sh", ["-ec", program], environment: variables)
            #expect(finished.status == .exited(0), "\(name): \(finished.errors)")
        }
    }
}
