// SPDX-License-Identifier: MIT
// The status of a real `observectl bridge`, its position and its end: what kills leave behind.

import Glibc
import ObserveCore
import Testing

struct BridgeStatusTests {
    @Test(.timeLimit(.minutes(15)))
    func `credentials that others can write are refused`() throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.directory.write("NATS_USER=u\n", to: "credentials")
        _ = try ChildProcess.run("chmod", ["o+w", file])
        let run = try ChildProcess.run(
            BuiltProducts.observectl,
            ["--socket", "/nonexistent", "bridge", "--bucket", "home", "--credentials", file, "house"]
        )
        #expect(run.status != .exited(0))
        #expect(run.errors.contains("\(file) is writable by others (mode 646)"))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `lines of credentials may end as on Windows`() throws {
        let server = try NatsServerUnderTest(configuration: #"authorization { user: u, password: "p w" }"#)
        let daemon = try DaemonUnderTest()
        let file = try daemon.directory.write("NATS_USER=u\r\n\r\nNATS_PASSWORD=p w\r\n", to: "credentials")
        let run = try daemon.bridge(server, "--create", "--once", "--credentials", file, "house").finish()
        #expect(run.status == .exited(0), "\(run.errors)")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a bucket has one bridge on a daemon, and a killed bridge is not connected`() throws {
        let server = try NatsServerUnderTest()
        let daemon = try DaemonUnderTest()
        let first = try daemon.bridge(server, "--create", "--ready", "house")
        try first.readLine(containing: "ready", from: .errors)
        try daemon.wait("bridges.home.status.connected", "=", "true")
        let second = try daemon.bridge(server, "house").finish()
        #expect(second.status == .exited(1))
        let pid = try daemon.value("bridges.home.bridge.pid")
        #expect(
            second.errors
                == "observectl: another bridge of the bucket 'home' runs on this daemon, process \(pid.json)\n"
        )
        // Another bucket is another matter.
        let other = try ChildProcess.run(
            BuiltProducts.observectl,
            [
                "--socket", daemon.socket, "bridge", "--nats", server.address, "--bucket", "other",
                "--create",
                "--once", "house",
            ]
        )
        #expect(other.status == .exited(0))
        first.signal(SIGKILL)
        _ = try first.finish()
        let third = try daemon.bridge(server, "--ready", "house")
        #expect(try third.readLine(.errors) == "ready")
        try daemon.wait("bridges.home.status.connected", "=", "true")
        third.signal(SIGKILL)
        _ = try third.finish()
        try daemon.wait("bridges.home.status.connected", "=", "false")
        #expect(try daemon.value("bridges.home.bridge") == .null)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a removal after ready lasts, also if the bridge is killed at once`() throws {
        let server = try NatsServerUnderTest()
        let daemon = try DaemonUnderTest()
        for round in 0..<4 {
            _ = try daemon.observectl("set", "--parents", "house.r\(round)", "1")
            _ = try daemon.observectl("remove", "bridges")
            let killed = try daemon.bridge(server, "--create", "--ready", "house")
            try killed.readLine(containing: "ready", from: .errors)
            killed.signal(SIGKILL)
            _ = try killed.finish()
            _ = try daemon.observectl("remove", "house.r\(round)")
            #expect(try daemon.bridge(server, "--once", "house").finish().status == .exited(0))
            #expect(try daemon.value("house.r\(round)") == .null, "round \(round)")
        }
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a value that outgrew the daemon's answers is in the status`() throws {
        let server = try NatsServerUnderTest()
        let (a, b) = (
            try DaemonUnderTest(configuration: #"{"limits":{"maxRenderedBytes":4000}}"#),
            try DaemonUnderTest()
        )
        _ = try a.observectl("set", "house", #"{"x":"short","m":{}}"#)
        let bridges = try [a, b].map { daemon in
            let bridge = try daemon.bridge(server, "--create", "--ready", "house")
            try bridge.readLine(containing: "ready", from: .errors)
            return bridge
        }
        let long = String(repeating: "x", count: 5000)
        _ = try a.observectl("set", "house.x", "\"\(long)\"")
        try a.wait("bridges.home.status.refusals", "=", "1")
        let sentence = try a.value("bridges.home.status.refused")["house.x"]?.string ?? ""
        #expect(sentence.contains("maxRenderedBytes"))
        #expect(try bridges[0].readLine(.errors) == "observectl: house.x does not travel: \(sentence)")
        #expect(try b.value("house.x") == "short")
        // A model that is too large as a whole travels in its members.
        let half = String(repeating: "y", count: 3000)
        _ = try a.observectl("set", "house.m", #"{"one":"\#(half)","two":"\#(half)"}"#)
        try b.wait("house.m.two", "exists")
        #expect(try b.value("house.m.one") == .string(half))
        _ = try a.observectl("set", "house.x", "\"short again\"")
        try b.wait("house.x", "=", "\"short again\"")
        try a.wait("bridges.home.status.refusals", "=", "0")
        // Also if it is so from the beginning.
        _ = try a.observectl("set", "house.x", "\"\(long)\"")
        for bridge in bridges {
            bridge.signal(SIGTERM)
            _ = try bridge.finish()
        }
        let run = try a.bridge(server, "--once", "house").finish()
        #expect(run.status == .exited(1) && run.errors.contains("house.x does not travel: "))
        #expect(try b.value("house.x") == "short again")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a refused value stays, and a model that can't be read is not deleted elsewhere`() throws {
        let server = try NatsServerUnderTest()
        let limits = #"{"limits":{"maxRenderedBytes":4000,"maxHistoryCommits":1}}"#
        let (a, b) = (try DaemonUnderTest(configuration: limits), try DaemonUnderTest())
        let settings =
            #"{"name":"KV_home","subjects":["$KV.home.>"],"storage":"file","discard":"new","#
            + #""max_msgs_per_subject":1,"max_msg_size":1000}"#
        #expect(try server.ask("$JS.API.STREAM.CREATE.KV_home", settings)["error"] == nil)
        _ = try b.observectl("set", "house", #"{"x":"short","m":{}}"#)
        var bridges = try [a, b].map { daemon in try daemon.bridge(server, "--ready", "house") }
        for bridge in bridges { try bridge.readLine(containing: "ready", from: .errors) }
        let long = String(repeating: "x", count: 2000)
        _ = try a.observectl("set", "house.x", "\"\(long)\"")
        try a.wait("bridges.home.unsent.@count", "=", "1")
        // The description of so many members is too long, too.
        let members = (0..<100).map { "\"k\($0)\":\"\(String(repeating: "y", count: 50))\"" }
        _ = try b.observectl("set", "house.m", "{\(members.joined(separator: ","))}")
        try a.wait("house.m.k99", "exists")
        try a.wait("bridges.home.sequence", ">=", "102")
        bridges[0].signal(SIGTERM)
        _ = try bridges[0].finish()
        for value in 0..<3 { _ = try a.observectl("set", "other", "\(value)") }
        bridges[0] = try a.bridge(server, "--ready", "house")
        try bridges[0].readLine(containing: "ready", from: .errors)
        try a.wait("bridges.home.status.refusals", "=", "2")
        #expect(try a.value("house.x") == .string(long) && b.value("house.x") == "short")
        #expect(try b.value("house.m").object?.count == 100)
    }

    /// Process numbers come again, in a container after each start.
    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a client with the process number of the bridge before is a client`() throws {
        let server = try NatsServerUnderTest()
        let daemon = try DaemonUnderTest()
        let former = #"{"stream":"x","sequence":0,"epoch":"x","revision":0,"pid":\#(getpid()),"paths":[]}"#
        _ = try daemon.observectl("set", "--parents", "bridges.home", former)
        let bridge = try daemon.bridge(server, "--create", "--ready", "house")
        try bridge.readLine(containing: "ready", from: .errors)
        let client = try LineConnection(path: daemon.socket)
        try client.send(#"{"id":1,"method":"set","params":{"path":"house.x","value":1,"parents":true}}"#)
        let revision = try Value(json: client.readLine() ?? "")["result"]?["revision"]?.int ?? 0
        try daemon.wait("bridges.home.revision", ">=", "\(revision)")
        bridge.signal(SIGTERM)
        _ = try bridge.finish()
        #expect(try daemon.bridge(server, "--once", "house").finish().status == .exited(0))
        #expect(try daemon.value("house.x") == 1)
        for root in ["house", "bridges"] { _ = try daemon.observectl("remove", root) }
        #expect(try daemon.bridge(server, "--once", "house").finish().status == .exited(0))
        #expect(try daemon.value("house.x") == 1)
    }
}
