// SPDX-License-Identifier: MIT
// Upgrades of the real daemon: nothing is missed or doubled, and a program that can't continue is refused.

import Glibc
import ObserveCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct UpgradeTests {
    /// A daemon with a program file of its own, which a test may replace.
    private final class Upgradable {
        let directory: TemporaryDirectory
        let socket: String
        let program: String
        let process: ChildProcess

        init(
            configuration: String = "{}",
            persists: Bool = false,
            environment: [String: String] = [:],
            _ arguments: String...
        ) throws {
            directory = try TemporaryDirectory()
            socket = directory.path("observed.sock")
            program = directory.path("program")
            try UpgradeTests.install(BuiltProducts.observed, at: program)
            let file = try directory.write(configuration, to: "observed.json")
            let state = persists ? directory.path("state") : "none"
            process = try ChildProcess(
                program,
                ["--socket", socket, "--config", file, "--state", state] + arguments,
                environment: environment
            )
            try process.readLine(containing: "ready on \(socket)", from: .errors)
        }

        func connect() throws -> LineConnection { try LineConnection(path: socket) }

        func observectl(_ arguments: String...) throws -> Finished {
            try ChildProcess.run(BuiltProducts.observectl, ["--socket", socket] + arguments)
        }

        func upgrade() throws {
            let done = try observectl("upgrade")
            #expect(done == Finished(status: .exited(0), output: "\(version)\n", errors: ""))
            try process.readLine(containing: "ready again on \(socket), after an upgrade", from: .errors)
        }
    }

    /// Puts a program into the place of another one, whose process continues.
    private static func install(_ source: String, at path: String) throws {
        let copied = try ChildProcess.run(
            "sh",
            ["-c", #"cp "$0" "$1.new" && mv "$1.new" "$1""#, source, path]
        )
        try #require(copied.status == .exited(0))
    }

    @Test(arguments: [false, true])
    func `subscribers miss and double nothing while a writer writes through upgrades`(persists: Bool) throws {
        let daemon = try Upgradable(persists: persists)
        let writer = try Writer(daemon.socket)
        try writer.writeNext()
        let subscriber = try Resuming(daemon.socket)
        let tool = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "subscribe", "--raw", "--no-initial", "--ready", "counter"]
        )
        #expect(try tool.readLine(.errors) == "ready")
        let client = try DaemonClient(socket: daemon.socket)
        let received = Mutex<[Int64]>([])
        let token = client.subscribe(to: ["counter"]) { result in
            if case .success(let change) = result, let value = change.new?.int {
                received.withLock { $0.append(value) }
            }
        }
        var printed: Int64 = 1
        // A slow subscriber skips values, and so does one that connects again after more commits than the history has.
        func catchUp() throws {
            try subscriber.read(until: writer.last)
            while printed < writer.last {
                printed += 1
                try #require(try tool.readLine() == "\(printed)")
            }
            try waitUntil("the client has all values") { received.withLock { $0.last } == writer.last }
        }
        try waitUntil("the client has the first value") { !received.withLock { $0.isEmpty } }
        for round in 1...3 {
            daemon.process.signal(SIGUSR2)
            while writer.upgrades < round {
                try writer.writeNext()
                if writer.last % 100 == 0 { try catchUp() }
            }
            for _ in 0..<50 { try writer.writeNext() }
            try catchUp()
        }
        #expect(subscriber.upgrades == 3)
        #expect(subscriber.seen == Array(2...writer.last))
        #expect(received.withLock { $0 } == Array(1...writer.last))
        token.cancel()
        #expect(kill(tool.pid, SIGKILL) == 0)
        #expect(try tool.finish().errors == "")
    }

    @Test(arguments: [false, true])
    func `the next program has the tree and the same process, and the history if models persist`(
        persists: Bool
    ) throws {
        let daemon = try Upgradable(
            configuration: #"{"models":{"app":{"value":{"volume":50,"items":[{"n":1},{"n":2}]}}}}"#,
            persists: persists
        )
        let before = try daemon.connect()
        let answer = try #require(
            try before.ask(#"{"id":1,"method":"subscribe","params":{"path":"app.**"}}"#)
        )
        let result = try #require(try Value(json: answer)["result"])
        let epoch = try #require(result["epoch"]?.string)
        let revision = try #require(result["revision"]?.int)
        for line in [
            #"{"method":"set","params":{"path":"app.volume","value":51}}"#,
            #"{"method":"remove","params":{"path":"app.items.0"}}"#,
            #"{"method":"set","params":{"path":"app.player","value":{"title":"Alien","stars":[1,2]}}}"#,
            #"{"method":"set","params":{"path":"app.player","value":{"title":"Brazil"}}}"#,
            #"{"method":"remove","params":{"path":"app.volume"}}"#,
            #"{"method":"link","params":{"path":"app.last","target":"app.items.0"}}"#,
            #"{"method":"bind","params":{"source":"app.player.title","target":"app.label"}}"#,
            #"{"method":"set","params":{"path":"app.timed","value":1,"lifetime":3600000}}"#,
        ] { try before.send(line) }
        let whole = #"{"id":2,"method":"get","params":{"path":"app"}}"#
        #expect(try before.ask(#"{"id":9,"method":"ping"}"#) != nil)
        let last = try #require(
            try Value(json: try daemon.connect().ask(whole) ?? "")["result"]?["revision"]?.int
        )
        let missed =
            #"{"id":3,"method":"subscribe","params":{"path":"app.**","old":true,"since":{"epoch":"\#(epoch)","revision":\#(persists ? revision : last)}}}"#
        func view() throws -> [String] {
            let connection = try daemon.connect()
            var lines = [try #require(try connection.ask(whole)), try #require(try connection.ask(missed))]
            let count = try #require(try Value(json: lines[1])["result"]?["replayed"]?.int)
            for _ in 0..<count { lines.append(try #require(try connection.readLine())) }
            return lines
        }
        let expected = try view()
        #expect(expected.count > (persists ? 7 : 1))
        for _ in 0..<2 {
            try daemon.upgrade()
            #expect(try view() == expected)
        }
        // Bindings and lifetimes continue.
        #expect(try daemon.observectl("set", "app.player.title", "Solaris").status == .exited(0))
        #expect(try daemon.observectl("get", "--raw", "app.label").output == "Solaris\n")
        #expect(try daemon.observectl("describe", "app.timed").status == .exited(0))
        daemon.process.signal(SIGTERM)
        #expect(try daemon.process.finish().status == .exited(0))
        #expect(unsafe access(daemon.socket, F_OK) != 0)
    }

    @Test func `a connection's second upgrade request is refused while the first is under way`() throws {
        let daemon = try Upgradable()
        let client = try daemon.connect()
        try client.send(#"{"id":1,"method":"upgrade"}"# + "\n" + #"{"id":2,"method":"upgrade"}"#)
        let refused = try Value(json: try #require(try client.readLine()))
        #expect(refused["id"]?.int == 2)
        #expect(
            refused["error"]?["message"]?.string
                == "this connection's upgrade is under way: wait for its answer"
        )
        let accepted = try Value(json: try #require(try client.readLine()))
        #expect(accepted["id"]?.int == 1)
        #expect(accepted["result"] != nil)
    }

    /// One client leaves its answers unread, so the former program waits for it.
    @Test func `a SIGHUP behind the goodbye is left to the next program`() throws {
        let daemon = try Upgradable()
        let (idle, client) = (try daemon.connect(), try daemon.connect())
        let text = String(repeating: "x", count: 100_000)
        _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"long","value":"\#(text)"}}"#)
        let get = #"{"id":1,"method":"get","params":{"path":"long"}}"#
        try idle.send(Array(repeating: get, count: 100).joined(separator: "\n"))
        _ = try client.ask(#"{"id":1,"method":"ping"}"#)
        daemon.process.signal(SIGUSR2)
        #expect(try client.readLine()?.contains(#""upgrade""#) == true)
        try daemon.directory.write(#"{"models":{"late":{"value":1}}}"#, to: "observed.json")
        daemon.process.signal(SIGHUP)
        while let line = try daemon.process.readLine(.errors), !line.contains("ready again") {
            #expect(!line.contains("was read again"))
        }
        #expect(try daemon.observectl("get", "late").output == "1\n")
        withExtendedLifetime(idle) {}
    }

    @Test func `values of a connection end before its goodbye`() throws {
        let daemon = try Upgradable()
        let (owner, other) = (try daemon.connect(), try daemon.connect())
        #expect(
            try owner.ask(
                #"{"id":1,"method":"set","params":{"path":"here","value":1,"lifetime":"connection"}}"#
            ) != nil
        )
        #expect(
            try other.ask(#"{"id":1,"method":"subscribe","params":{"path":"here","initial":false}}"#) != nil
        )
        daemon.process.signal(SIGUSR2)
        let ended = try #require(try other.readLine())
        #expect(ended.contains(#""reason":"sourceDeleted""#))
        let goodbye = try Value(json: try #require(try other.readLine()))
        #expect(goodbye["params"]?["reason"]?.string == "upgrade")
        #expect(
            goodbye["params"]?["revision"]
                == (try Value(json: ended))["params"]?["revision"]
        )
    }

    @Test func `delayed events come before the goodbye`() throws {
        let daemon = try Upgradable()
        let subscriber = try daemon.connect()
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
        #expect(
            try subscriber.ask(
                #"{"id":1,"method":"subscribe","params":{"path":"a","initial":false,"debounce":3600000}}"#
            ) != nil
        )
        #expect(try daemon.observectl("set", "a", "2").status == .exited(0))
        daemon.process.signal(SIGUSR2)
        #expect(try subscriber.readLine()?.contains(#""new":2"#) == true)
        #expect(try subscriber.readLine()?.contains(#""upgrade""#) == true)
    }

    /// A program, or nil for an invalid configuration, and a part of the reason.
    @Test(arguments: [
        ("#!/bin/sh\necho broken >&2\nexit 1\n", "ended with status 1: broken"),
        ("#!/bin/sh\nexit 0\n", "ended with status 0"),
        ("not a program", "exec failed"),
        (nil, "models"),
    ])
    func `a program that can't continue is refused, and the present one continues`(
        program: String?,
        reason: String
    ) throws {
        let daemon = try Upgradable(configuration: #"{"models":{"a":{"value":1}}}"#)
        let client = try daemon.connect()
        #expect(try client.ask(#"{"id":1,"method":"set","params":{"path":"a","value":2}}"#) != nil)
        if let program {
            let file = try daemon.directory.write(program, to: "broken")
            #expect(unsafe chmod(file, 0o700) == 0)
            try Self.install(file, at: daemon.program)
        } else {
            try daemon.directory.write(#"{"models":{"a":{"valu":1}}}"#, to: "observed.json")
        }
        let refused = try daemon.observectl("upgrade")
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains(reason), "\(refused.errors)")
        try daemon.process.readLine(containing: "no upgrade: ", from: .errors)
        // A second request, as a signal.
        daemon.process.signal(SIGUSR2)
        try daemon.process.readLine(containing: "no upgrade: ", from: .errors)
        #expect(try client.ask(#"{"id":2,"method":"get","params":{"path":"a"}}"#)?.contains("2") == true)
        try Self.install(BuiltProducts.observed, at: daemon.program)
        try daemon.directory.write("{}", to: "observed.json")
        try daemon.upgrade()
        #expect(try daemon.observectl("get", "a").output == "2\n")
    }

    @Test func `a check that hangs ends with the daemon, and so do its children`() throws {
        let daemon = try Upgradable()
        let file = try daemon.directory.write(
            "#!/bin/sh\nsleep 3600 & echo $! $$ >\"$0.pids.new\"; mv \"$0.pids.new\" \"$0.pids\"; wait\n",
            to: "hanging"
        )
        #expect(unsafe chmod(file, 0o700) == 0)
        try Self.install(file, at: daemon.program)
        daemon.process.signal(SIGUSR2)
        try waitUntil("the check has begun") { FileKind.of("\(daemon.program).pids") != nil }
        let words = try readText("\(daemon.program).pids").split(whereSeparator: \.isWhitespace)
        let pids = words.compactMap { pid_t($0) }
        #expect(pids.count == 2 && pids.allSatisfy { kill($0, 0) == 0 })
        daemon.process.signal(SIGTERM)
        #expect(try daemon.process.finish().status == .exited(0))
        // An orphan may still be a zombie.
        for pid in pids {
            try waitUntil("\(pid) has ended") {
                (try? readText("/proc/\(pid)/stat"))?.contains(") Z") ?? true
            }
        }
    }

    @Test func `types that the tree does not fit refuse the upgrade`() throws {
        let daemon = try Upgradable(configuration: #"{"models":{"a":{"value":{"n":"text"}}}}"#)
        try daemon.directory.write(
            #"{"types":{"A":{"n":"Int"}},"models":{"a":{"type":"A","value":{"n":1}}}}"#,
            to: "observed.json"
        )
        let refused = try daemon.observectl("upgrade")
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("a.n"), "\(refused.errors)")
        #expect(try daemon.observectl("get", "a.n").output == "\"text\"\n")
    }

    @Test func `an upgrade is a reload for the service manager`() throws {
        let manager = try NotifySocket()
        let daemon = try Upgradable(environment: ["NOTIFY_SOCKET": manager.address])
        let ready = ["READY=1", "STATUS=ready on \(daemon.socket)"]
        #expect(try manager.next() == ready)
        for _ in 0..<2 {
            daemon.process.signal(SIGUSR2)
            let reloading = try manager.next()
            #expect(reloading.first == "RELOADING=1")
            #expect(reloading.last == "STATUS=upgrading to version \(version)")
            #expect(try manager.next() == ready)
        }
        daemon.process.signal(SIGTERM)
        #expect(try manager.next().first == "STOPPING=1")
    }

    @Test func `the lock of the state's folder is never free`() throws {
        let daemon = try Upgradable(persists: true)
        daemon.process.signal(SIGUSR2)
        for _ in 0..<4 {
            let other = try ChildProcess.run(
                BuiltProducts.observed,
                ["--socket", daemon.directory.path("other"), "--state", daemon.directory.path("state")]
            )
            #expect(other.status == .exited(1))
        }
        try daemon.process.readLine(containing: "after an upgrade", from: .errors)
    }

    @Test func `a batch can't upgrade`() throws {
        let daemon = try Upgradable()
        let client = try daemon.connect()
        #expect(try client.ask(#"[{"id":1,"method":"upgrade"}]"#)?.contains("can't be in a batch") == true)
        #expect(try client.ask(#"{"id":2,"method":"upgrade","params":{"a":1}}"#)?.contains("-32602") == true)
    }

    @Test func `hundreds of clients connect again`() throws {
        let daemon = try Upgradable()
        var clients = try (0..<400).map { _ in try daemon.connect() }
        for client in clients {
            #expect(
                try client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a","initial":false}}"#) != nil
            )
        }
        daemon.process.signal(SIGUSR2)
        for client in clients { #expect(try client.readLine()?.contains("upgrade") == true) }
        clients = try (0..<400).map { _ in try daemon.connect() }
        for client in clients { #expect(try client.ask(#"{"id":1,"method":"ping"}"#) != nil) }
    }
}
