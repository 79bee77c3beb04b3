// SPDX-License-Identifier: MIT
// Requests that the daemon refuses without their number.

import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ClientChannelTests {
    @Test func `a request whose line is too long is refused, and those around it are answered`() async throws
    {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 1000
        let server = try TestServer(limits: limits)
        let client = try DaemonClient(socket: server.path)
        let (answers, continuation) = AsyncStream.makeStream(of: String.self)
        for value in [.int(1), .string(String(repeating: "x", count: 2000)), .int(3)] as [Value] {
            client.call("set", ["path": "a.x", "value": value]) { result in
                switch result {
                case .success: continuation.yield("set")
                case .failure(let error): continuation.yield("\(error)")
                }
            }
        }
        var heard: [String] = []
        for await answer in answers.prefix(3) { heard.append(answer) }
        #expect(
            heard == [
                "set", "a line holds at most 1000 bytes (maxLineBytes); this one was skipped", "set",
            ]
        )
        #expect(try await client.get("a.x", as: Int.self) == 3)
    }

    @Test func `a refusal without a number may be that of a forgotten request`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let listener = try UnixListener.listen(path: folder.path + "/s")
        let channel = try ClientChannel(socket: folder.path + "/s")
        try channel.connect()
        var heard: [String] = []
        let first = channel.send("ping", [:]) { _ in heard.append("first") }
        channel.send("ping", [:]) { heard.append((try? $0.get()) == nil ? "refused" : "answered") }
        #expect(channel.forget(try #require(first)) != nil)
        guard case .connection(let daemon) = listener.accept() else {
            Issue.record("no connection")
            return
        }
        let lines = [
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too long"}}"#,
            #"{"jsonrpc":"2.0","id":2,"result":{}}"#, "",
        ]
        _ = ByteIO.write(daemon.number, Array(lines.joined(separator: "\n").utf8))
        channel.turn()
        #expect(heard == ["answered"])
        channel.close()
        withExtendedLifetime(folder) {}
    }
}
