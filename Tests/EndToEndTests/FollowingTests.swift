// SPDX-License-Identifier: MIT
// The real `observectl subscribe` without a daemon, across its own runs, and as the source of a bar's lines.

import Glibc
import Testing

struct FollowingTests {
    private func subscribe(_ socket: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(BuiltProducts.observectl, ["--socket", socket, "subscribe"] + arguments)
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscribe waits for a daemon that does not run yet`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("observed.sock")
        let subscriber = try subscribe(socket, "--raw", "light")
        #expect(
            try subscriber.readLine(.errors) == "observectl: no daemon listens on \(socket); waiting for it"
        )
        let daemon = try DaemonUnderTest(in: directory, ["--config", "none", "--state", "none"])
        #expect(try subscriber.readLine(.errors) == "observectl: the daemon is there")
        #expect(try subscriber.readLine() == "null")
        #expect(try daemon.stop(SIGKILL).status == .signalled(SIGKILL))
        #expect(try subscriber.readLine(.errors) == "observectl: the daemon has gone; waiting for it")
        let next = try DaemonUnderTest(at: daemon)
        #expect(try subscriber.readLine(.errors) == "observectl: the daemon is back")
        #expect(try next.observectl("ping").status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `with --no-reconnect a missing daemon is status 69`() throws {
        let directory = try TemporaryDirectory()
        let subscriber = try subscribe(directory.path("observed.sock"), "--no-reconnect", "light")
        let finished = try subscriber.finish()
        #expect(finished.status == .exited(69))
        #expect(finished.output.isEmpty)
    }

    @Test(.timeLimit(.minutes(15)))
    func `while it waits for a daemon, the end of its reader, a signal and its time end it`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("observed.sock")
        let abandoned = try subscribe(socket, "light")
        try abandoned.readLine(containing: "waiting for it", from: .errors)
        abandoned.closeStream(.output)
        #expect(try abandoned.wait() == .signalled(SIGPIPE))
        let signalled = try subscribe(socket, "light")
        try signalled.readLine(containing: "waiting for it", from: .errors)
        signalled.signal(SIGTERM)
        #expect(try signalled.wait() == .signalled(SIGTERM))
        #expect(try subscribe(socket, "--timeout", "50ms", "light").wait() == .exited(124))
    }

    @Test(.timeLimit(.minutes(15)))
    func `--resume continues where the last run ended`() throws {
        let daemon = try DaemonUnderTest()
        let file = daemon.directory.path("position")
        _ = try daemon.observectl("set", "light", "0")
        let first = try daemon.observectl("subscribe", "--raw", "--count", "1", "--resume", file, "light")
        #expect(first == Finished(status: .exited(0), output: "0\n", errors: ""))
        for value in ["1", "2", "3"] { _ = try daemon.observectl("set", "light", value) }
        let second = try daemon.observectl("subscribe", "--raw", "--count", "3", "--resume", file, "light")
        #expect(second == Finished(status: .exited(0), output: "1\n2\n3\n", errors: ""))
        let text = try readText(file)
        #expect(text.hasSuffix(":4\n"), "\(text)")
        let since = String(text.dropLast(2)) + "3"
        let third = try daemon.observectl("subscribe", "--raw", "--count", "1", "--since", since, "light")
        #expect(third.output == "3\n")
        try daemon.directory.write("nonsense\n", to: "position")
        let refused = try daemon.observectl("subscribe", "--resume", file, "light")
        #expect(refused.status == .exited(2))
        #expect(
            refused.errors.hasPrefix(
                "observectl: --resume \(file): the file has no position, EPOCH:REVISION;"
            )
        )
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["--raw", "--pretty"])
    func `a run that ends within a frame leaves it for the next one`(form: String) throws {
        let daemon = try DaemonUnderTest()
        let words = ["--resume", daemon.directory.path("position"), "app.a", "app.b"]
        _ = try daemon.observectl("set", "app", #"{"a":1,"b":2}"#)
        let first = try daemon.observectl(["subscribe", form, "--count", "1"] + words)
        #expect(first.status == .exited(0))
        #expect(first.output.contains("app.a") && !first.output.contains("app.b"), "\(first.output)")
        let next = try daemon.observectl(["subscribe", "--raw", "--count", "2", "--timeout", "10s"] + words)
        #expect(next.output == "app.a\t1\napp.b\t2\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `--format resumes with one line of all values, if any changed`() throws {
        let daemon = try DaemonUnderTest()
        let file = daemon.directory.path("position")
        let line = ["subscribe", "--format", "{artist} – {title}", "--under", "app", "artist", "title"]
        func set(_ values: String) throws { _ = try daemon.observectl("merge", "app", values) }
        _ = try daemon.observectl("set", "app", #"{"artist":"Bowie","title":"Heroes","volume":1}"#)
        let first = try daemon.observectl(line + ["--count", "1", "--resume", file])
        #expect(first == Finished(status: .exited(0), output: "Bowie – Heroes\n", errors: ""))
        try set(#"{"title":"Low"}"#)
        try set(#"{"title":"Warszawa"}"#)
        let missed = try daemon.observectl(line + ["--count", "1", "--resume", file])
        #expect(missed == Finished(status: .exited(0), output: "Bowie – Warszawa\n", errors: ""))
        // The values alone are no reason for a line, and neither is an equal line.
        let quiet = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket] + line + ["--count", "1", "--ready", "--resume", file]
        )
        #expect(try quiet.readLine(.errors) == "ready")
        try set(#"{"volume":2}"#)
        _ = try daemon.observectl("set", "app", #"{"artist":"Bowie","title":"Warszawa"}"#)
        try set(#"{"artist":"Eno"}"#)
        #expect(
            try quiet.finish() == Finished(status: .exited(0), output: "Eno – Warszawa\n", errors: "")
        )
        let epoch = try readText(file).split(separator: ":")[0]
        let since = try daemon.observectl(line + ["--count", "1", "--since", "\(epoch):1"])
        #expect(since == Finished(status: .exited(0), output: "Eno – Warszawa\n", errors: ""))
        // Another daemon's position begins anew, even with --no-initial.
        let other = try daemon.observectl(line + ["--count", "1", "--no-initial", "--since", "other:1"])
        #expect(other.output == "Eno – Warszawa\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a commit of two paths and a re-bind are one line each`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "app", #"{"player":{"artist":"Bowie","title":"Heroes"}}"#)
        let bar = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "subscribe", "--format", "{artist} – {title|silence}", "--under"]
                + ["app.player", "artist", "title", "--ready"]
        )
        #expect(try bar.readLine() == "Bowie – Heroes")
        try bar.readLine(containing: "ready", from: .errors)
        _ = try daemon.observectl("merge", "app.player", #"{"artist":"Eno","title":"An\nEnding"}"#)
        #expect(try bar.readLine() == "Eno – An Ending")
        _ = try daemon.observectl("set", "app.player", #"{"artist":"Pärt","title":"Fratres"}"#)
        #expect(try bar.readLine() == "Pärt – Fratres")
        _ = try daemon.observectl("set", "app.player", #"{"artist":"Pärt","title":"Fratres"}"#)
        _ = try daemon.observectl("set", "app.player", "null")
        #expect(try bar.readLine() == " – silence")
    }

    @Test(.timeLimit(.minutes(15)))
    func `--format prints no half of a commit under a stream of them`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "app", #"{"a":0,"b":0}"#)
        let bar = try ChildProcess(
            BuiltProducts.observectl,
            [
                "--socket", daemon.socket, "subscribe", "--format", "{a} {b}", "--under", "app", "a", "b",
                "--ready",
            ]
        )
        try bar.readLine(containing: "ready", from: .errors)
        let writer = try daemon.connect()
        let count = many(20_000, usually: 5_000)
        for start in stride(from: 1, through: count, by: 1000) {
            for value in start..<start + 1000 {
                try writer.send(
                    #"{"method":"merge","params":{"path":"app","value":{"a":\#(value),"b":\#(value)}}}"#
                )
            }
        }
        var line = try #require(try bar.readLine())
        while line != "\(count) \(count)" {
            let values = line.split(separator: " ")
            #expect(values.count == 2 && values[0] == values[1], "\(line)")
            line = try #require(try bar.readLine())
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `hold and log --follow wait for a daemon that comes later`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("observed.sock")
        let log = try ChildProcess(BuiltProducts.observectl, ["--socket", socket, "log", "-f"])
        let holding = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", socket, "hold", "--ready", "busy", "true"]
        )
        for child in [log, holding] {
            let line = try child.readLine(.errors)
            #expect(line == "observectl: no daemon listens on \(socket); waiting for it")
        }
        let daemon = try DaemonUnderTest(in: directory, ["--config", "none", "--state", "none"])
        for child in [log, holding] {
            #expect(try child.readLine(.errors) == "observectl: the daemon is there")
        }
        #expect(try holding.readLine(.errors) == "ready")
        #expect(try log.readLine()?.contains("busy") == true)
        #expect(try daemon.observectl("get", "busy").output == "true\n")
        holding.signal(SIGTERM)
        #expect(try holding.wait() == .signalled(SIGTERM))
        #expect(try log.readLine()?.hasSuffix("null") == true)
    }
}
