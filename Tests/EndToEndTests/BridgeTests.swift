// SPDX-License-Identifier: MIT
// The real `observectl bridge` between real daemons and a real server: what travels, what is refused, what survives kills.

import Glibc
import ObserveCore
import Testing

struct BridgeTests {
    /// Brings all to agree: after the first round, the bucket has every daemon's changes; the second takes them.
    private func agree(_ daemons: [DaemonUnderTest], _ server: NatsServerUnderTest) throws {
        for daemon in daemons + daemons {
            let run = try daemon.bridge(server, "--create", "--once", "house").finish()
            #expect(run.status == .exited(0), "\(run.errors)")
        }
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `changes of each daemon come to the other one`() throws {
        let server = try NatsServerUnderTest()
        let (a, b) = (try DaemonUnderTest(), try DaemonUnderTest())
        _ = try a.observectl(
            "set",
            "house",
            #"{"kitchen":{"lamp":true,"a.b é":1},"list":[1,{"x":2}],"cellar":{}}"#
        )
        let first = try a.bridge(server, "--create", "--ready", "house")
        #expect(try first.readLine(.errors) == "observectl: made the bucket 'home'")
        #expect(try first.readLine(.errors) == "ready")
        let second = try b.bridge(server, "--ready", "house")
        #expect(try second.readLine(.errors) == "ready")
        #expect(try b.value("house") == a.value("house"))

        _ = try b.observectl("set", "house.list.1.x", "7")
        _ = try b.observectl("remove", "house.kitchen.a\\.b é")
        _ = try b.observectl("set", "house.kitchen.lamp", "false")
        try a.wait("house.kitchen.lamp", "=", "false")
        _ = try a.observectl("set", "house.kitchen", "5")
        _ = try a.observectl("set", "house.last", "true")
        try b.wait("house.last", "=", "true")
        let expected = try Value(json: #"{"kitchen":5,"list":[1,{"x":7}],"cellar":{},"last":true}"#)
        #expect(try a.value("house") == expected)
        #expect(try b.value("house") == expected)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `each machine owns its room, and all see the house`() throws {
        let server = try NatsServerUnderTest()
        let (a, b) = (try DaemonUnderTest(), try DaemonUnderTest())
        let first = try a.bridge(
            server,
            "--create",
            "--ready",
            "--export",
            "house.kitchen",
            "--import",
            "house"
        )
        try first.readLine(containing: "ready", from: .errors)
        let second = try b.bridge(server, "--ready", "--export", "house.hall", "--import", "house")
        #expect(try second.readLine(.errors) == "ready")
        _ = try a.observectl("set", "--parents", "house.kitchen.lamp", "true")
        _ = try b.observectl("set", "--parents", "house.hall.lamp", "false")
        try b.wait("house.kitchen.lamp", "=", "true")
        try a.wait("house.hall.lamp", "=", "false")
        // What a machine does not own stays its own.
        _ = try b.observectl("set", "house.kitchen.lamp", "false")
        _ = try b.observectl("set", "house.hall.lamp", "true")
        try a.wait("house.hall.lamp", "=", "true")
        #expect(try a.value("house.kitchen.lamp") == true)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `kills of bridge, daemon and server lose nothing`() throws {
        let server = try NatsServerUnderTest()
        let folders = [try TemporaryDirectory(), try TemporaryDirectory()]
        func start(_ index: Int) throws -> DaemonUnderTest {
            let state = folders[index].path("state")
            return try DaemonUnderTest(in: folders[index], ["--config", "none", "--state", state])
        }
        var daemons = [try start(0), try start(1)]
        var bridges = try daemons.map { try $0.bridge(server, "--create", "house") }
        var dice = SystemRandomNumberGenerator()
        for round in 0..<12 {
            for (index, daemon) in daemons.enumerated() {
                let lines = (0..<200).map { number in
                    let path =
                        "house.r\(Int.random(in: 0..<5, using: &dice)).k\(Int.random(in: 0..<8, using: &dice))"
                    let method = number % 7 == 0 ? "remove" : "set"
                    let value =
                        number % 7 == 0 ? "" : ",\"value\":\"\(round)/\(index)/\(number)\",\"parents\":true"
                    return
                        "{\"id\":\(number),\"method\":\"\(method)\",\"params\":{\"path\":\"\(path)\"\(value)}}\n"
                }
                #expect(try daemon.observectl("pipe", input: lines.joined()).status == .exited(0))
            }
            switch round % 4 {
            case 0:
                bridges[round / 4 % 2].signal(SIGKILL)
                _ = try bridges[round / 4 % 2].finish()
                bridges[round / 4 % 2] = try daemons[round / 4 % 2].bridge(server, "--create", "house")
            case 1:
                _ = try daemons[round / 4 % 2].stop(SIGKILL)
                daemons[round / 4 % 2] = try start(round / 4 % 2)
            case 2:
                try server.kill()
                try server.restart()
            default: break
            }
        }
        for bridge in bridges {
            bridge.signal(SIGTERM)
            _ = try bridge.finish()
        }
        try agree(daemons, server)
        let house = try daemons[0].value("house")
        #expect(try daemons[1].value("house") == house)
        #expect(house.object?.isEmpty == false)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a value that a type refuses is named, and travels once the type takes it`() throws {
        let server = try NatsServerUnderTest()
        let a = try DaemonUnderTest()
        let strict = try DaemonUnderTest(
            configuration:
                #"{"types":{"House":{"lamp":"Bool?"}},"models":{"house":{"type":"House","value":{}}}}"#
        )
        _ = try a.observectl("set", "house", #"{"lamp":"on"}"#)
        #expect(try a.bridge(server, "--create", "--once", "house").finish().status == .exited(0))
        let run = try strict.bridge(server, "--once", "house").finish()
        #expect(run.status == .exited(1))
        #expect(
            run.errors
                == "observectl: house.lamp does not travel: house.lamp: expected Bool?, found a string\nobservectl: 1 values do not travel\n"
        )
        let status = try strict.value("bridges.home.status.refused")
        #expect(status["house.lamp"] == "house.lamp: expected Bool?, found a string")
        _ = try a.observectl("set", "house.lamp", "true")
        try agree([a, strict], server)
        #expect(try strict.value("house.lamp") == true)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a server that refuses from the beginning ends the bridge with a sentence`() throws {
        let server = try NatsServerUnderTest(["--user", "u", "--pass", "secret"])
        let daemon = try DaemonUnderTest()
        let denied = try daemon.bridge(server, "house").finish()
        #expect(denied.status == .exited(1))
        #expect(denied.errors == "observectl: the NATS server refused: Authorization Violation\n")
        let known = ["NATS_USER": "u", "NATS_PASSWORD": "secret"]
        let missing = try daemon.bridge(server, "house", variables: known).finish()
        #expect(
            missing.errors
                == "observectl: JetStream refused: the server has no bucket 'home'; --create makes it\n"
        )
        let file = try daemon.directory.write(
            "# the server's\nNATS_USER=u\nNATS_PASSWORD=secret\n",
            to: "credentials"
        )
        let made = try daemon.bridge(server, "--create", "--once", "--credentials", file, "house").finish()
        #expect(
            made == Finished(status: .exited(0), output: "", errors: "observectl: made the bucket 'home'\n")
        )
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `tombstones that are older than a week are purged`() throws {
        let server = try NatsServerUnderTest()
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "house", #"{"old":1,"é":2,"lamp":true}"#)
        try agree([daemon], server)
        _ = try daemon.observectl("remove", "house.old")
        _ = try daemon.observectl("remove", "house.é")
        try agree([daemon], server)
        let info = #"{"subjects_filter":">"}"#
        func keys() throws -> [String]? {
            try server.ask("$JS.API.STREAM.INFO.KV_home", info)["state"]?["subjects"]?.object?.map(\.name)
                .sorted()
        }
        let all = ["$KV.home.house.=C3=A9", "$KV.home.house.lamp", "$KV.home.house.old"]
        let young = try daemon.bridge(server, "--purge", "--ready", "house")
        #expect(try young.readLine(.errors) == "ready")
        #expect(try keys() == all)
        young.signal(SIGTERM)
        _ = try young.finish()
        let proxy = try NatsProxy(to: server.address)
        proxy.order { $0.ageDays = 9 }
        let old = try ChildProcess(
            BuiltProducts.observectl,
            [
                "--socket", daemon.socket, "bridge", "--nats", proxy.address, "--bucket", "home", "--purge",
                "house",
            ]
        )
        let deadline = Deadline(after: ChildProcess.patience)
        while try keys() == all, deadline.remaining > .zero {}
        #expect(try keys() == ["$KV.home.house.lamp"])
        #expect(try daemon.value("house") == ["lamp": true])
        _ = old
    }

    /// Types `a$ COMMAND` and `b$ COMMAND` on two machines. A bridge in the background runs until the end.
    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `the examples of docs/bridge.md do what they show`() throws {
        let server = try NatsServerUnderTest()
        let daemons = ["a": try DaemonUnderTest(), "b": try DaemonUnderTest()]
        var bridges: [ChildProcess] = []
        let blocks = Document.blocks("console", in: "docs/bridge.md")
        #expect(blocks.count == 2)
        for block in blocks {
            var lines = block.lines[...]
            while let line = lines.popFirst() {
                let daemon = try #require(daemons[String(line.prefix(1))], "\(line)")
                var shown: [String] = []
                while let next = lines.first, !next.dropFirst().hasPrefix("$ ") {
                    shown.append(next)
                    lines.removeFirst()
                }
                let command = String(line.dropFirst(3)).replacing("10.0.0.1:4222", with: server.address)
                let variables = [
                    "XDG_RUNTIME_DIR": daemon.directory.path,
                    "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
                ]
                guard command.hasSuffix(" &") else {
                    let run = try ChildProcess.run("sh", ["-c", command], environment: variables)
                    #expect(run.status == .exited(0), "\(line): \(run.errors)")
                    // `wait` prints the value that it waited for.
                    if !command.contains(" wait ") { #expect(run.output == shown.map { "\($0)\n" }.joined()) }
                    continue
                }
                let bridge = try ChildProcess(
                    "sh",
                    ["-c", "exec \(command.dropLast(2))"],
                    environment: variables
                )
                for expected in shown { #expect(try bridge.readLine(.errors) == expected) }
                bridges.append(bridge)
            }
        }
        #expect(bridges.count == 2)
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (["--bucket", "home"], "something is missing: a PATH, --export PATH or --import PATH"),
            (["house"], "--bucket NAME is missing"),
            (["--bucket", "a.b", "house"], "--bucket takes letters, digits, '_' and '-', not 'a.b'"),
            (
                ["--bucket", "home", "house.*"],
                "'house.*' is a pattern, and bridge takes key paths without * and **; "
                    + "a name that is a star is written \\*"
            ),
            (
                ["--bucket", "home", "bridges"],
                "the root bridges belongs to this machine, and can't be bridged"
            ),
            (["--bucket", "home", "house", "--export", "house"], "'house' is given twice"),
            (
                ["--bucket", "home", "house", "--purge", "--once"],
                "--purge is for a bridge that runs for ever, not with --once"
            ),
            (
                ["--bucket", "home", "--nats", "u:p@host", "house"],
                "--nats takes HOST or HOST:PORT; a user and a password are for --credentials"
            ),
            (
                ["--bucket", "home", "--nats", "h:1?password=secret", "house"],
                "--nats takes HOST or HOST:PORT; a user and a password are for --credentials"
            ),
            (
                ["--bucket", "home", "--nats", "host:port", "house"],
                "--nats takes HOST or HOST:PORT, not 'host:port'"
            ),
            (
                ["--bucket", "home", "nats://u:secret@host"],
                "a PATH is a key path, not the address of a server, which --nats takes"
            ),
        ]
    )
    func `a wrong command line connects nothing`(arguments: [String], sentence: String) throws {
        let run = try ChildProcess.run(
            BuiltProducts.observectl,
            ["--socket", "/nonexistent", "bridge"] + arguments
        )
        #expect(run.status == .exited(2))
        #expect(run.errors.split(separator: "\n").first == "observectl: \(sentence)")
        #expect(!run.errors.contains("secret"))
    }
}
