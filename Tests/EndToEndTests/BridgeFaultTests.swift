// SPDX-License-Identifier: MIT
// `observectl bridge` with servers that are broken, hostile or full: each fault ends in a sentence and a retry, and then the
// trees are equal.

import Glibc
import ObserveCore
import Testing

@Suite(.enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
struct BridgeFaultTests {
    /// Two daemons and their bridges. That of `b` has a proxy before the server.
    private final class Pair {
        let server: NatsServerUnderTest
        let proxy: NatsProxy
        let a: DaemonUnderTest
        let b: DaemonUnderTest
        let first: ChildProcess
        let second: ChildProcess

        /// - Parameter configuration: of the daemon `b`.
        init(
            _ given: NatsServerUnderTest? = nil,
            creates: Bool = true,
            configuration: String? = nil,
            variables: [String: String] = [:]
        ) throws {
            let server = try given ?? NatsServerUnderTest()
            let proxy = try NatsProxy(to: server.address)
            let daemons = (try DaemonUnderTest(), try DaemonUnderTest(configuration: configuration))
            (self.server, self.proxy, (a, b)) = (server, proxy, daemons)
            func bridge(_ daemon: DaemonUnderTest, _ address: String) throws -> ChildProcess {
                let bridge = try ChildProcess(
                    BuiltProducts.observectl,
                    ["--socket", daemon.socket, "bridge", "--nats", address, "--bucket", "home", "--ready"]
                        + (creates ? ["--create"] : []) + ["house"],
                    environment: variables
                )
                try bridge.readLine(containing: "ready", from: .errors)
                return bridge
            }
            first = try bridge(daemons.0, server.address)
            second = try bridge(daemons.1, proxy.address)
        }

        func set(_ daemon: DaemonUnderTest, _ path: String, _ value: String) throws {
            let run = try daemon.observectl("set", "--parents", path, value)
            #expect(run.status == .exited(0), "\(run.errors)")
        }

        /// The next line of the bridge of `b`.
        func says() throws -> String? { try second.readLine(.errors) }

        /// Changes a value on each side, and waits until both have come.
        func exchange(_ name: String) throws {
            try set(a, "house.a.\(name)", "1")
            try set(b, "house.b.\(name)", "2")
            try b.wait("house.a.\(name)", "=", "1")
            try a.wait("house.b.\(name)", "=", "2")
        }

        /// The same, and compares the trees.
        func agree(_ name: String) throws {
            try exchange(name)
            #expect(try a.value("house") == b.value("house"))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the server's bytes may come one at a time`() throws {
        let pair = try Pair()
        pair.proxy.order { $0.pieceBytes = 1 }
        for round in 0..<5 { try pair.agree("r\(round)") }
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (String(repeating: "A", count: 1_100_000), "a line that does not end"),
            ("\(String(repeating: "A", count: 1_100_000))\r\n", "a line that is too long"),
            ("MSG x 1 5\r\nlonger than it said\r\n", "a message that is longer than it said"),
            ("MSG x 1 99999999999\r\n", "a message of 99999999999 bytes with 0 bytes of headers"),
            ("HMSG x 1 9 2\r\n12\r\n", "a message of 2 bytes with 9 bytes of headers"),
            ("INFO {\"max_payload\":0}\r\n", "an INFO with the max_payload 0"),
            ("\n", "a line without a carriage return"),
        ]
    )
    func `bytes that are not the protocol end in a sentence and a retry`(bytes: String, what: String) throws {
        let pair = try Pair()
        try pair.agree("before")
        pair.proxy.order { $0.injection = Array(bytes.utf8) }
        let sentence = try pair.says()
        // What the server sends next may end a line, before or after it is found to be without an end.
        let lines = ["a line that does not end", "a line that is too long"]
        let others = lines.contains(what) ? lines : [what]
        #expect(
            others.contains {
                sentence == "observectl: what listens there is not a NATS server: it sent \($0); trying again"
            },
            "\(sentence ?? "")"
        )
        #expect(try pair.says() == "observectl: the NATS server is back")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a server that counts the waiting messages wrongly stops nothing`() throws {
        let pair = try Pair()
        try pair.agree("before")
        let proxy = try NatsProxy(to: pair.server.address)
        proxy.order { $0.miscounts = true }
        let late = try DaemonUnderTest()
        let bridge = try ChildProcess(
            BuiltProducts.observectl,
            [
                "--socket", late.socket, "bridge", "--nats", proxy.address, "--bucket", "home", "--ready",
                "house",
            ]
        )
        #expect(try bridge.readLine(.errors) == "ready")
        #expect(try late.value("house") == pair.a.value("house"))
        try pair.set(pair.a, "house.later", "1")
        try late.wait("house.later", "=", "1")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a later INFO changes the longest value`() throws {
        let pair = try Pair()
        let short = #"INFO {"headers":true,"jetstream":true,"max_payload":20}"# + "\r\n"
        pair.proxy.order { $0.injection = Array(short.utf8) }
        // The order is followed before the next message of the server, which is the answer to this put.
        try pair.agree("before")
        try pair.set(pair.b, "house.long", #""0123456789012345678901234""#)
        let sentence = "the value has 27 bytes, and the server's max_payload is 20"
        #expect(try pair.says() == "observectl: house.long does not travel: \(sentence)")
        try pair.b.wait("bridges.home.status.refusals", "=", "1")
        pair.proxy.order { $0.injection = Array(short.replacing("20", with: "2000").utf8) }
        try pair.a.wait("house.long", "=", #""0123456789012345678901234""#)
        try pair.b.wait("bridges.home.status.refusals", "=", "0")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `while an acknowledgement is missing, the key's other values wait`() throws {
        let pair = try Pair()
        pair.proxy.order { $0.keepsAcknowledgements = true }
        try pair.set(pair.b, "house.x", "1")
        try pair.a.wait("house.x", "=", "1")
        try pair.set(pair.a, "house.x", "2")
        try pair.set(pair.a, "house.y", "3")
        // This one is later in the stream, so the other value has come too.
        try pair.b.wait("house.y", "=", "3")
        #expect(try pair.b.value("house")["x"] == 1)
        pair.proxy.order { $0.keepsAcknowledgements = false }
        try pair.b.wait("house.x", "=", "2")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a server that says nothing is left`() throws {
        let daemon = try DaemonUnderTest()
        let proxy = try NatsProxy(to: nil)
        let bridge = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "bridge", "--nats", proxy.address, "--bucket", "home", "house"]
        )
        let pair = try Pair()
        pair.proxy.order { $0.isSilent = true }
        try pair.set(pair.a, "house.x", "1")
        #expect(
            try bridge.readLine(.errors)
                == "observectl: the NATS server did not answer the connection in time; trying again"
        )
        #expect(try pair.says() == "observectl: the NATS server did not answer a ping in time; trying again")
        pair.proxy.order { $0.isSilent = false }
        #expect(try pair.says() == "observectl: the NATS server is back")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `acknowledgements that never come end the connection`() throws {
        let pair = try Pair()
        pair.proxy.order { $0.keepsAcknowledgements = true }
        try pair.set(pair.b, "house.x", "1")
        #expect(try pair.says() == "observectl: the NATS server did not answer a put in time; trying again")
        pair.proxy.order { $0.keepsAcknowledgements = false }
        #expect(try pair.says() == "observectl: the NATS server is back")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a put that JetStream refuses for its sequence deletes nothing`() throws {
        let pair = try Pair()
        try pair.agree("before")
        pair.proxy.order { $0.refusesPuts = true }
        try pair.set(pair.b, "house.x", "1")
        #expect(
            try pair.says() == "observectl: a change waits: JetStream refused it: wrong last sequence: 7"
        )
        #expect(try pair.b.value("house")["x"] == 1)
        pair.proxy.order { $0.refusesPuts = false }
        try pair.a.wait("house.x", "=", "1")
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `JetStream may be off for a while`() throws {
        let pair = try Pair()
        try pair.agree("before")
        try pair.server.kill()
        try pair.server.restart(hasJetStream: false)
        try pair.second.readLine(
            containing:
                "JetStream refused: it is off, or this user may not use it; trying again",
            from: .errors
        )
        try pair.server.kill()
        try pair.server.restart()
        try pair.second.readLine(containing: "the NATS server is back", from: .errors)
        try pair.agree("after")
    }

    @Test(.timeLimit(.minutes(15)))
    func `JetStream may come later than the bridge`() throws {
        let server = try NatsServerUnderTest()
        try server.kill()
        try server.restart(hasJetStream: false)
        let daemon = try DaemonUnderTest()
        let bridge = try daemon.bridge(server, "--ready", "--create", "house")
        try bridge.readLine(
            containing: "JetStream refused: it is off, or this user may not use it; trying again",
            from: .errors
        )
        try server.kill()
        try server.restart()
        try bridge.readLine(containing: "the NATS server is back", from: .errors)
        try bridge.readLine(containing: "ready", from: .errors)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a bucket that is deleted is made again, and filled`() throws {
        let pair = try Pair()
        try pair.agree("before")
        #expect(try pair.server.ask("$JS.API.STREAM.DELETE.KV_home")["success"] == true)
        try pair.agree("after")
        let late = try DaemonUnderTest()
        let run = try ChildProcess.run(
            BuiltProducts.observectl,
            [
                "--socket", late.socket, "bridge", "--nats", pair.server.address, "--bucket", "home",
                "--once",
                "house",
            ]
        )
        #expect(run == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try late.value("house") == pair.a.value("house"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a full bucket refuses, and takes the value once it has space`() throws {
        let server = try NatsServerUnderTest()
        func settings(bytes: Int) -> String {
            #"{"name":"KV_home","subjects":["$KV.home.>"],"storage":"file","discard":"new","#
                + #""max_msgs_per_subject":1,"max_bytes":\#(bytes)}"#
        }
        #expect(try server.ask("$JS.API.STREAM.CREATE.KV_home", settings(bytes: 2000))["error"] == nil)
        let pair = try Pair(server, creates: false)
        try pair.agree("before")
        try pair.set(pair.b, "house.long", #""\#(String(repeating: "x", count: 3000))""#)
        #expect(
            try pair.says() == "observectl: a change waits: JetStream refused it: maximum bytes exceeded"
        )
        // While puts wait, those of the other values come once a second.
        for round in 0..<3 { try pair.exchange("r\(round)") }
        #expect(try server.ask("$JS.API.STREAM.UPDATE.KV_home", settings(bytes: 100_000))["error"] == nil)
        try pair.a.wait("house.long", "exists")
        try pair.agree("after")
        pair.second.signal(SIGTERM)
        #expect(try !pair.second.finish().errors.contains("waits"))
    }

    private static let permissions = """
        authorization { users [
          { user: all, password: p }
          { user: half, password: p, permissions { publish { deny: ["$KV.home.house.secret"] } } }
          { user: deaf, password: p, permissions { subscribe { deny: ["_INBOX.>"] } } }
          { user: mute, password: p, permissions { publish { deny: ["$JS.API.>"] } } }
        ] }
        """

    @Test(.timeLimit(.minutes(15)))
    func `a key that a user may not publish does not travel`() throws {
        let server = try NatsServerUnderTest(configuration: BridgeFaultTests.permissions)
        let pair = try Pair(server, variables: ["NATS_USER": "half", "NATS_PASSWORD": "p"])
        try pair.set(pair.b, "house.secret", "1")
        #expect(
            try pair.says()
                == "observectl: house.secret does not travel: the NATS server refused: this user may not publish it"
        )
        try pair.set(pair.a, "house.a", "1")
        try pair.b.wait("house.a", "=", "1")
        try pair.set(pair.b, "house.b", "2")
        try pair.a.wait("house.b", "=", "2")
        #expect(try pair.a.value("house")["secret"] == nil && pair.b.value("house")["secret"] == 1)
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("deaf", "this user may not subscribe to _INBOX.>"),
            ("mute", "this user may not publish to $JS.API.STREAM.INFO.KV_home"),
        ]
    )
    func `a user without the subjects that a bridge needs is refused`(user: String, sentence: String) throws {
        let server = try NatsServerUnderTest(configuration: BridgeFaultTests.permissions)
        let daemon = try DaemonUnderTest()
        let run = try ChildProcess.run(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "bridge", "--nats", server.address, "--bucket", "home", "house"],
            environment: ["NATS_USER": user, "NATS_PASSWORD": "p"]
        )
        #expect(run.status == .exited(1))
        #expect(run.errors == "observectl: the NATS server refused: \(sentence)\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `values that a type refuses travel once the type has changed`() throws {
        let declared =
            #"{"types":{"House":{"name":"String?","lamp":"Bool?","fan":"Bool?"}},"#
            + #""models":{"house":{"type":"House","value":{"name":"b"}}}}"#
        let pair = try Pair(configuration: declared)
        let changed = #"{"name":"b","lamp":"on","fan":"off","door":1}"#
        try pair.set(pair.a, "house", changed)
        try pair.b.wait("bridges.home.status.refusals", "=", "3")
        let lines = [try pair.says(), try pair.says(), try pair.says()]
        #expect(
            Set(lines) == [
                "observectl: house.door does not travel: house.door: House has no property door",
                "observectl: house.fan does not travel: house.fan: expected Bool?, found a string",
                "observectl: house.lamp does not travel: house.lamp: expected Bool?, found a string",
            ]
        )
        #expect(try pair.b.value("house") == Value(json: #"{"name":"b","lamp":null,"fan":null}"#))
        let relaxed = declared.replacing("Bool?", with: "String?").replacing(
            "}},",
            with: #","door":"Int?"}},"#
        )
        _ = try pair.b.directory.write(relaxed, to: "observed.json")
        pair.b.process.signal(SIGHUP)
        try pair.b.wait("bridges.home.status.refusals", "=", "0")
        #expect(try pair.b.value("house") == Value(json: changed))
        #expect(try pair.a.value("house") == Value(json: changed))
    }
}
