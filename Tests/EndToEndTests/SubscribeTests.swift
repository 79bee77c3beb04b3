// SPDX-License-Identifier: MIT
// The real `observectl subscribe`: its events, and all the ways in which it ends.

import Glibc
import Testing

struct SubscribeTests {
    /// A daemon, and a ready subscription to `light.state`.
    private final class Subscribed {
        let daemon: DaemonUnderTest
        let subscriber: ChildProcess

        init(_ arguments: String...) throws {
            daemon = try DaemonUnderTest()
            #expect(try daemon.observectl("set", "light", #"{"state":"off"}"#).status == .exited(0))
            subscriber = try ChildProcess(
                BuiltProducts.observectl,
                ["--socket", daemon.socket, "subscribe", "--ready", "light.state"] + arguments
            )
            #expect(try subscriber.readLine(.errors) == "ready")
        }

        // Methods keep the daemon alive while a test waits for its output.

        func readLine() throws -> String? { try subscriber.readLine() }
        func wait() throws -> ExitStatus { try subscriber.wait() }
        func finish() throws -> Finished { try subscriber.finish() }

        func set(_ path: String, _ value: String, input: String? = nil) throws {
            #expect(try daemon.observectl("set", path, value, input: input).status == .exited(0))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe writes each event to a pipe at once`() throws {
        let test = try Subscribed("--raw")
        #expect(try test.readLine() == "off")
        for state in ["on", "dim", "null", "off"] {
            try test.set("light.state", state)
            #expect(try test.readLine() == state)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe prints each event as one line of JSON`() throws {
        let test = try Subscribed("--old")
        #expect(
            try test.readLine()
                == #"{"subscription":1,"path":"light.state","reason":"initial","new":"off","revision":1}"#
        )
        try test.set("light", #"{"state":"on"}"#)
        let changed = try #require(try test.readLine())
        for part in [
            #""reason":"pathChanged""#, #""new":"on""#, #""old":"off""#, #""changedAt":"light""#,
            #""revision":2"#,
        ] { #expect(changed.contains(part)) }
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe makes one subscription of several paths`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "home", #"{"hall":{"lamp":1},"attic":{"lamp":2}}"#)
        let finished = try daemon.observectl(
            "subscribe",
            "home.hall.lamp",
            "home.attic.lamp",
            "home.hall.name",
            "--count",
            "3"
        )
        #expect(finished.status == .exited(0))
        let lines = finished.output.split(separator: "\n")
        #expect(lines.count == 3)
        for path in ["home.hall.lamp", "home.attic.lamp", "home.hall.name"] {
            #expect(lines.contains { $0.contains(#""path":"\#(path)""#) })
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe writes a large event to a pipe completely`() throws {
        let test = try Subscribed("--raw", "--no-initial", "--count", "1")
        let long = String(repeating: "é", count: 400_000)
        try test.set("light.state", "-", input: long)
        let finished = try test.finish()
        #expect(finished.output == long + "\n")
        #expect(finished.status == .exited(0))
    }

    // MARK: Ends

    @Test(.timeLimit(.minutes(15)))
    func `subscribe ends after the requested number of events`() throws {
        let test = try Subscribed("--raw", "--count", "3")
        try test.set("light.state", "on")
        try test.set("light.state", "dim")
        #expect(
            try test.finish() == Finished(status: .exited(0), output: "off\non\ndim\n", errors: "")
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe exits with status 124 after its time`() throws {
        let test = try Subscribed("--raw", "--count", "2", "--timeout", "1.5")
        let finished = try test.finish()
        #expect(
            finished == Finished(status: .exited(124), output: "off\n", errors: "observectl: timed out\n")
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe ends at once when its output is closed, even without an event`() throws {
        let test = try Subscribed()
        #expect(try test.readLine()?.contains(#""reason":"initial""#) == true)
        test.subscriber.closeStream(.output)
        #expect(try test.wait() == .signalled(SIGPIPE))
        #expect(try test.daemon.observectl("ping").status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe piped into head ends with it`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "light", "on")
        let finished = try ChildProcess.run(
            "sh",
            ["-c", #""$0" --socket "$1" subscribe light --raw | head -1"#]
                + [BuiltProducts.observectl, daemon.socket]
        )
        #expect(finished == Finished(status: .exited(0), output: "on\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)), arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE])
    func `a signal ends subscribe, and a shell sees which`(signal: Int32) throws {
        let test = try Subscribed()
        test.subscriber.signal(signal)
        #expect(try test.wait() == .signalled(signal))
    }

    @Test(.timeLimit(.minutes(15)))
    func `in a shell the status is 128 plus the signal's number`() throws {
        let daemon = try DaemonUnderTest()
        let script = #""$0" --socket "$1" subscribe light --ready & read go; kill -TERM $!; wait $!; echo $?"#
        let shell = try ChildProcess("sh", ["-c", script, BuiltProducts.observectl, daemon.socket])
        try shell.readLine(containing: "ready", from: .errors)
        try shell.send("go\n")
        try shell.readLine(containing: "143")
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe exits with status 69 after the daemon's goodbye`() throws {
        let test = try Subscribed("--raw", "--no-reconnect")
        #expect(try test.daemon.stop().status == .exited(0))
        let finished = try test.finish()
        #expect(finished.status == .exited(69))
        #expect(finished.output == "off\n")
        #expect(finished.errors == "observectl: the daemon is shutting down\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe exits with status 69 if the daemon is killed`() throws {
        let test = try Subscribed("--raw", "--no-reconnect")
        test.daemon.process.signal(SIGKILL)
        let finished = try test.finish()
        #expect(finished.status == .exited(69))
        #expect(finished.errors == "observectl: the daemon has gone\n")
    }

    // MARK: Reconnecting

    @Test(.timeLimit(.minutes(15)))
    func `subscribe waits for the next daemon`() throws {
        let test = try Subscribed("--raw")
        #expect(try test.readLine() == "off")
        #expect(try test.daemon.stop(SIGKILL).status == .signalled(SIGKILL))
        #expect(try test.subscriber.readLine(.errors) == "observectl: the daemon has gone; waiting for it")
        let next = try DaemonUnderTest(at: test.daemon)
        #expect(try test.readLine() == "null")
        #expect(try next.observectl("set", "light", #"{"state":"on"}"#).status == .exited(0))
        #expect(try test.readLine() == "on")
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe resumes after a lost connection`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "light", #"{"a":0,"b":0}"#)
        var connection = try daemon.connect()
        let answer = try #require(
            try connection.ask(#"{"id":1,"method":"subscribe","params":{"path":"light.a","initial":false}}"#)
        )
        let epoch = try #require(answer.split(separator: #""epoch":""#).last?.prefix { $0 != "\"" })
        connection.close()
        for value in ["3", "4", "null"] { _ = try daemon.observectl("set", "light.a", value) }
        connection = try daemon.connect()
        let resumed = try connection.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"light.a","since":{"epoch":"\#(epoch)","revision":1}}}"#
        )
        #expect(resumed?.contains(#""resumed":true,"replayed":3}"#) == true)
        for (value, revision) in [("3", 2), ("4", 3), ("null", 4)] {
            #expect(try connection.readLine()?.contains(#""new":\#(value),"revision":\#(revision)"#) == true)
        }
    }
}
