// SPDX-License-Identifier: MIT
// The real `observectl` against the real daemon: the effect of each command. Signals are in other tests.

import Glibc
import Testing

struct ObservectlTests {
    /// Runs one command line. Returns its standard output, and expects nothing on standard error.
    private struct Exchange {
        let words: [String]
        var input: String?
        var output = ""
        var status: Int32 = 0
        var errors = ""

        init(
            _ words: String...,
            input: String? = nil,
            output: String = "",
            status: Int32 = 0,
            errors: String = ""
        ) {
            self.words = words
            self.input = input
            self.output = output
            self.status = status
            self.errors = errors
        }
    }

    private func play(_ exchanges: [Exchange], on daemon: DaemonUnderTest) throws {
        for exchange in exchanges {
            let finished = try ChildProcess.run(
                BuiltProducts.observectl,
                ["--socket", daemon.socket] + exchange.words,
                input: exchange.input
            )
            let expected = Finished(
                status: .exited(exchange.status),
                output: exchange.output,
                errors: exchange.errors
            )
            #expect(finished == expected, "\(exchange.words)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `set, get and remove change and read values`() throws {
        let daemon = try DaemonUnderTest()
        try play(
            [
                Exchange("ping"),
                Exchange("get", "light", output: "null\n"),
                Exchange("set", "light", #"{"state":"off","level":1.0,"scenes":[1,"two",null]}"#),
                Exchange(
                    "get",
                    "light",
                    output: #"{"state":"off","level":1.0,"scenes":[1,"two",null]}"# + "\n"
                ),
                Exchange("set", "light.state", "on"),
                Exchange("get", "light.state", output: #""on""# + "\n"),
                Exchange("get", "--raw", "light.state", output: "on\n"),
                Exchange("get", "light.scenes.1", "--raw", output: "two\n"),
                Exchange("set", "light.level", "-5"),
                Exchange("get", "light.level", output: "-5\n"),
                Exchange("set", "light.name", "--level"),
                Exchange("get", "--raw", "light.name", output: "--level\n"),
                Exchange("set", "--string", "light.name", "5"),
                Exchange("get", "light.name", output: #""5""# + "\n"),
                Exchange("set", "light.note", "-", input: "one\ntwo\n"),
                Exchange("get", "light.note", "--raw", output: "one\ntwo\n"),
                Exchange("set", "light.scenes", "-", input: "[\n  1,\n  2\n]\n"),
                Exchange("get", "light.scenes", output: "[1,2]\n"),
                Exchange("remove", "light.note"),
                Exchange("remove", "light.note"),
                Exchange("get", "light.note", output: "null\n"),
            ],
            on: daemon
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a link makes one model of two paths`() throws {
        let daemon = try DaemonUnderTest()
        try play(
            [
                Exchange("set", "library", #"{"alien":{"title":"Alien"}}"#),
                Exchange("set", "app", "{}"),
                Exchange("link", "app.player", "library.alien"),
                Exchange("link", "app.next", "library.alien", "--weak"),
                Exchange("set", "library.alien.title", "Aliens"),
                Exchange("get", "app.player.title", output: #""Aliens""# + "\n"),
                Exchange("remove", "library"),
                Exchange("remove", "app.player"),
                Exchange("get", "app.next", output: "null\n"),
            ],
            on: daemon
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a refusal of the daemon exits with status 1 and its sentence`() throws {
        let daemon = try DaemonUnderTest()
        try play([Exchange("set", "a", "{}")], on: daemon)
        for words in [
            ["set", "b.c", "1"],
            ["set", "a.b", "99999999999999999999"],
            ["set", "a.b", "1e999"],
            ["set", "--if-value", "1", "a.b", "2"],
            ["set", "--if-revision", "0", "a", "2"],
            ["link", "a.b", "nothing.there"],
        ] {
            let finished = try ChildProcess.run(
                BuiltProducts.observectl,
                ["--socket", daemon.socket] + words
            )
            #expect(finished.status == .exited(1), "\(words)")
            #expect(finished.output.isEmpty)
            #expect(finished.errors.hasPrefix("observectl: "))
            #expect(finished.errors.count { $0 == "\n" } == 1)
        }
        try play(
            [
                Exchange("set", "--parents", "b.c", "1"),
                Exchange("set", "--if-value", "1", "b.c", "2"),
                Exchange("get", "b", output: #"{"c":2}"# + "\n"),
            ],
            on: daemon
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `describe and status print one JSON object in one line`() throws {
        let daemon = try DaemonUnderTest()
        try play([Exchange("set", "a", #"{"b":1}"#)], on: daemon)
        for words in [["describe"], ["describe", "a"], ["describe", "a.b"], ["status"]] {
            let finished = try ChildProcess.run(
                BuiltProducts.observectl,
                ["--socket", daemon.socket] + words
            )
            #expect(finished.status == .exited(0))
            #expect(finished.output.hasPrefix("{") && finished.output.hasSuffix("}\n"))
            #expect(finished.output.count { $0 == "\n" } == 1)
        }
        #expect(try daemon.observectl("describe", "a").output.contains(#""kind":"model""#))
        #expect(try daemon.observectl("status").output.contains(#""revision":1"#))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon refuses a value over its line limit`() throws {
        let daemon = try DaemonUnderTest()
        let long = String(repeating: "x", count: 3 << 20)
        let finished = try daemon.observectl("set", "--string", "a", "-", input: long)
        #expect(finished.status == .exited(1))
        #expect(finished.errors.contains("1048576"))
        #expect(try daemon.observectl("ping").status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `observectl finds the socket by its variables`() throws {
        let daemon = try DaemonUnderTest()
        let found = try ChildProcess.run(
            BuiltProducts.observectl,
            ["ping"],
            environment: ["OBSERVED_SOCKET": daemon.socket]
        )
        #expect(found.status == .exited(0))
        let directory = try TemporaryDirectory()
        let missed = try ChildProcess.run(
            BuiltProducts.observectl,
            ["ping"],
            environment: ["XDG_RUNTIME_DIR": directory.path]
        )
        #expect(missed.status == .exited(69))
        #expect(
            missed.errors
                == "observectl: no socket at \(directory.path)/observed.sock; is the daemon running? 'observectl doctor' names the fault\n"
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `observectl refuses arguments that are not UTF-8`() throws {
        let finished = try ChildProcess.run(
            "sh",
            ["-c", #""$0" set a "$(printf '\377')""#, BuiltProducts.observectl]
        )
        #expect(finished.status == .exited(2))
    }

    @Test(.timeLimit(.minutes(15)), arguments: [">/dev/full", ">&-"])
    func `a failed write of the output exits with status 74 and a sentence`(redirection: String) throws {
        let daemon = try DaemonUnderTest()
        for words in ["get a", "subscribe a", "--help"] {
            let finished = try ChildProcess.run(
                "sh",
                ["-c", #""$0" --socket "$1" \#(words) \#(redirection)"#]
                    + [BuiltProducts.observectl, daemon.socket]
            )
            #expect(finished.status == .exited(74), "\(words)")
            #expect(finished.errors.hasPrefix("observectl: standard output: "))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the demo shows five events, in an empty environment`() throws {
        let directory = try TemporaryDirectory()
        let finished = try ChildProcess.run(
            BuiltProducts.observectl,
            ["demo"],
            environment: ["OBSERVED_SOCKET": directory.path("none"), "TMPDIR": directory.path("none")]
        )
        #expect(finished.status == .exited(0))
        #expect(finished.output.split(separator: "\n").count == 5)
        #expect(finished.output.contains(#""nilAt":"app.playbackController.player""#))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the demo ends by SIGPIPE when its output is closed`() throws {
        let demo = try ChildProcess("sh", ["-c", #"read go; exec "$0" demo"#, BuiltProducts.observectl])
        demo.closeStream(.output)
        try demo.send("go\n")
        #expect(try demo.wait() == .signalled(SIGPIPE))
    }
}
