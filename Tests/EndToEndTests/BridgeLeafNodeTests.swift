// SPDX-License-Identifier: MIT
// The hub and the leaf node of docs/bridge.md, with TLS, a password and bridges on both. Independent of faults.

import Glibc
import ObserveCore
import Testing

struct BridgeLeafNodeTests {
    /// A document's block, with this machine's folder, name and ports.
    private func text(_ kind: String, in folder: TemporaryDirectory, hubPort: String) throws -> String {
        let blocks = Document.blocks(kind, in: "docs/bridge.md")
        try #require(blocks.count == 1)
        var text = blocks[0].lines.joined(separator: "\n") + "\n"
        for (shown, used) in [
            ("/etc/nats", folder.path), ("/var/lib/nats", folder.path("streams")),
            ("127.0.0.1:4222", "127.0.0.1:-1"),
            ("0.0.0.0:7422", "127.0.0.1:-1"), ("hub.example.org:7422", "127.0.0.1:\(hubPort)"),
            ("DNS:hub.example.org", "IP:127.0.0.1"),
        ] {
            text = text.replacing(shown, with: used)
        }
        return text
    }

    private func port(_ line: String) -> String { String(line.split(separator: ":").last ?? "") }

    @Test(.timeLimit(.minutes(15)), .enabled(if: NatsServerUnderTest.isInstalled, "nats-server runs"))
    func `a leaf node with TLS joins daemons, as the document shows it`() throws {
        let folder = try TemporaryDirectory()
        let certificate = try ChildProcess.run("sh", ["-c", text("certificate", in: folder, hubPort: "")])
        try #require(certificate.status == .exited(0), "\(certificate.errors)")
        func start(_ kind: String, hubPort: String = "") throws -> ChildProcess {
            let file = try folder.write(text(kind, in: folder, hubPort: hubPort), to: "\(kind).conf")
            return try NatsServerUnderTest.start(["-c", file])
        }
        let hub = try start("hub")
        let leafPort = port(
            try hub.readLine(containing: "Listening for leafnode connections on ", from: .errors)
        )
        let hubPort = port(
            try hub.readLine(containing: "Listening for client connections on ", from: .errors)
        )
        try hub.readLine(containing: "Server is ready", from: .errors)
        let leaf = try start("leaf", hubPort: leafPort)
        let nearPort = port(
            try leaf.readLine(containing: "Listening for client connections on ", from: .errors)
        )
        try leaf.readLine(containing: "Leafnode connection created", from: .errors)

        let daemons = [try DaemonUnderTest(), try DaemonUnderTest()]
        // More than a consumer sends before it waits for an answer to its flow control.
        for room in 0..<10 {
            let members = (0..<1000).map { #""k\#($0)":"\#(room)/\#($0)""# }.joined(separator: ",")
            let run = try daemons[0].observectl("set", "--parents", "house.room\(room)", "{\(members)}")
            #expect(run.status == .exited(0), "\(run.errors)")
        }
        var bridges: [ChildProcess] = []
        for (daemon, port) in zip(daemons, [hubPort, nearPort]) {
            let bridge = try ChildProcess(
                BuiltProducts.observectl,
                [
                    "--socket", daemon.socket, "bridge", "--nats", "127.0.0.1:\(port)", "--domain", "hub",
                    "--bucket", "home", "--create", "--ready", "house",
                ]
            )
            try bridge.readLine(containing: "ready", from: .errors)
            bridges.append(bridge)
        }
        let lost = try ChildProcess(
            BuiltProducts.observectl,
            [
                "--socket", daemons[0].socket, "bridge", "--nats", "127.0.0.1:\(nearPort)", "--domain",
                "other",
                "--bucket", "lost", "house",
            ]
        )
        try lost.readLine(containing: "JetStream refused: it is off in the domain 'other', or", from: .errors)
        let house = try daemons.map { try $0.observectl("get", "house").output }
        #expect(house[0].utf8.count > 100_000)
        #expect(try Value(json: Array(house[0].utf8)) == Value(json: Array(house[1].utf8)))
        _ = try daemons[1].observectl("set", "house.lamp", "true")
        let run = try daemons[0].observectl("--timeout", "30", "wait", "house.lamp", "=", "true")
        #expect(run.status == .exited(0))
    }
}
