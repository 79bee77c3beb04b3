// SPDX-License-Identifier: MIT
// The server over real sockets: connections that begin, half-close and disconnect, and many of them.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ServerConnectionTests {
    @Test func `the server sends nothing before the first request`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        #expect(try peer.wait(.readable, milliseconds: 30) == false)
        try peer.send(RawPeer.ping)
        #expect(try peer.line() == RawPeer.pong)
    }

    @Test func `the server answers all requests before a half-close, then closes`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        try peer.send(RawPeer.ping, "", RawPeer.ping + "\r")
        try peer.send(Array(RawPeer.ping.utf8))
        try peer.endOutput()
        #expect(try peer.rest() == [RawPeer.pong, RawPeer.pong, RawPeer.pong])
    }

    /// Such a close resets the connection.
    @Test func `the server executes the last line of a client that left an answer unread`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        try peer.send(RawPeer.ping)
        #expect(try peer.wait(.readable))
        try peer.send(Array(#"{"method":"set","params":{"path":"a.x","value":1}}"#.utf8))
        peer.close()
        let other = try server.connect()
        try server.wait("the write", with: other) { $0["revision"] == 2 && $0["connections"] == 1 }
    }

    @Test func `a dedicated server does its idle work once per pause`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let server = try Server(pacing: .dedicated)
        let path = folder.path + "/s"
        try server.onQueue { try $0.listen(on: try UnixListener.listen(path: path)) }
        let (tidied, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            server.onQueue {
                $0.whenIdle = { tidied.signal() }
                $0.run()
            }
            ended.signal()
        }
        #expect(tidied.wait(timeout: .now() + .seconds(20)) == .success)
        let peer = try RawPeer(path)
        try peer.send(RawPeer.ping)
        #expect(try peer.line() == RawPeer.pong)
        #expect(try peer.wait(.readable, milliseconds: 30) == false)
        server.stop {}
        #expect(ended.wait(timeout: .now() + .seconds(20)) == .success)
        #expect(tidied.wait(timeout: .now()) == .timedOut)
    }

    @Test func `the server closes a connection that half-closes at once`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        try peer.endOutput()
        #expect(try peer.rest() == [])
    }

    @Test func `the server sends large answers completely after a half-close`() throws {
        let server = try TestServer([("a", "\"\(String(repeating: "x", count: 500_000))\"")])
        let peer = try server.connect()
        for _ in 0..<20 { try peer.send(#"{"id":1,"method":"get","params":{"path":"a"}}"#) }
        try peer.endOutput()
        let answers = try peer.rest()
        #expect(answers.count == 20)
        #expect(answers.allSatisfy { $0.utf8.count > 500_000 && $0.hasSuffix(#","revision":1}}"#) })
    }

    @Test(arguments: [true, false])
    func `a subscription continues after a half-close until the client disconnects`(ends: Bool) throws {
        let server = try TestServer()
        let writer = try server.connect()
        let peer = try server.connect()
        let request = #"{"id":1,"method":"subscribe","params":{"path":"a.x","initial":false}}"#
        try peer.send(Array((request + (ends ? "\n" : "")).utf8))
        try peer.endOutput()
        #expect(try peer.line()?.contains(#""subscription":1"#) == true)
        for value in 1...100 { try writer.set("a.x", "\(value)") }
        for value in 1...100 { #expect(try peer.line()?.contains(#""new":\#(value),"#) == true) }
        try server.wait("two connections", with: writer) { $0["connections"] == 2 }
        peer.close()
        try server.wait("the end of the subscription", with: writer) {
            $0["connections"] == 1 && $0["subscriptions"] == 0
        }
    }

    @Test func `the server closes a half-closed client after its last subscription ends`() throws {
        let server = try TestServer()
        let peer = try server.connect()
        try peer.send(
            #"{"id":1,"method":"subscribe","params":{"path":"a.x"}}"#,
            #"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"#
        )
        try peer.endOutput()
        #expect(try peer.rest().count == 3)
    }

    /// In its own process, where no other test opens sockets.
    @Test(.startsProcess) func `the server frees everything for clients that disconnect`() async {
        await #expect(processExitsWith: .success) {
            let big = String(repeating: "x", count: 100_000)
            let server = try TestServer([("a", #"{"x":0,"big":"\#(big)"}"#)])
            let writer = try server.connect()
            try server.wait("one connection", with: writer) { $0["connections"] == 1 }
            let sockets = RawPeer.openSockets
            for round in 0..<60 {
                let peers = try (0..<5).map { _ in try server.connect() }
                try peers[0].send(Array(#"{"id":1,"method":"get","par"#.utf8))
                // During an answer that is larger than a socket's buffer.
                for _ in 0..<10 { try peers[1].send(#"{"id":1,"method":"get","params":{"path":"a.big"}}"#) }
                try peers[2].send(#"{"id":1,"method":"subscribe","params":{"paths":["a.x","b","a.big"]}}"#)
                try peers[3].send(
                    #"{"id":1,"method":"subscribe","params":{"path":"a.x","delivery":"every"}}"#
                )
                _ = try peers[2].line()
                _ = try peers[3].line()
                for value in 0..<20 { try writer.set("a.x", "\(round * 100 + value)") }
                for peer in peers { peer.close() }
            }
            try server.wait("all to be gone", with: writer) {
                $0["connections"] == 1 && $0["subscriptions"] == 0
            }
            #expect(RawPeer.openSockets == sockets)
        }
    }

    @Test func `hundreds of clients get the same changes in order`() throws {
        let server = try TestServer()
        let writer = try server.connect()
        let peers = try (0..<320).map { _ in try server.connect() }
        for peer in peers { try peer.send(#"{"id":1,"method":"subscribe","params":{"path":"a.x"}}"#) }
        for peer in peers { #expect(try peer.lines(2).count == 2) }
        try server.wait("all of them", with: writer) {
            $0["connections"] == 321 && $0["subscriptions"] == 320
        }
        for value in 1...10 { try writer.set("a.x", "\(value)") }
        let tails = (1...10).map { #""reason":"valueChanged","new":\#($0),"revision":\#($0 + 1)}}"# }
        for peer in peers {
            let lines = try peer.lines(10)
            #expect(zip(lines, tails).allSatisfy { $0.hasSuffix($1) } && lines.count == 10)
        }
    }

    @Test func `the server refuses connections beyond the limit, until others close`() throws {
        var limits = ServerLimits()
        limits.clients.maxConnections = 3
        let server = try TestServer(limits: limits)
        let peers = try (0..<3).map { _ in try server.connect() }
        for peer in peers { #expect(try peer.ask(RawPeer.ping)["result"] != nil) }
        for _ in 0..<10 {
            let extra = try server.connect()
            #expect(try extra.rest() == [RawPeer.goodbye("tooManyConnections")])
        }
        peers[0].close()
        try server.wait("one to leave", with: peers[1]) { $0["connections"] == 2 }
        #expect(try server.connect().ask(RawPeer.ping)["result"] != nil)
        #expect(try peers[2].ask(RawPeer.ping)["result"] != nil)
    }

    // MARK: Stopping

    @Test(arguments: [Pacing.embedded, .dedicated])
    func `stop sends goodbye to all clients, and removes the socket file`(pacing: Pacing) throws {
        let server = try TestServer(pacing: pacing)
        let peers = try (0..<20).map { _ in try server.connect() }
        for peer in peers { #expect(try peer.ask(RawPeer.ping)["result"] != nil) }
        try peers[0].send(#"{"id":1,"method":"subscribe","params":{"path":"a.x"}}"#)
        #expect(try peers[0].lines(2).count == 2)
        #expect(server.socketFileExists)
        #expect(server.stop())
        #expect(!server.socketFileExists)
        for peer in peers { #expect(try peer.rest() == [RawPeer.goodbye("shutdown")]) }
        #expect(throws: SocketError.self) { try server.connect() }
    }

    @Test(arguments: [Pacing.embedded, .dedicated])
    func `stop sends waiting output, and waits a second for a slow client`(pacing: Pacing) throws {
        let big = String(repeating: "x", count: 400_000)
        let server = try TestServer([("a", #"{"x":0,"big":"\#(big)"}"#)], pacing: pacing)
        let deaf = try server.connect()
        for _ in 0..<5 { try deaf.send(#"{"id":1,"method":"get","params":{"path":"a.big"}}"#) }
        try deaf.send(#"{"method":"set","params":{"path":"a.x","value":1}}"#)
        let other = try server.connect()
        try server.wait("the requests to be carried out", with: other) { $0["revision"] == 2 }
        let start = MonotonicTime.now
        #expect(server.stop())
        let milliseconds = start.nanoseconds(until: .now) / 1_000_000
        #expect(milliseconds >= 900)
        #expect(milliseconds < 5000, "about a second, on a machine that has others to serve as well")
        #expect(try other.rest() == [RawPeer.goodbye("shutdown")])
        #expect(!server.socketFileExists)
    }

    @Test(arguments: [Pacing.embedded, .dedicated])
    func `a server without clients stops at once`(pacing: Pacing) throws {
        let server = try TestServer(pacing: pacing)
        let start = MonotonicTime.now
        #expect(server.stop())
        #expect(start.nanoseconds(until: .now) < 900_000_000)
        #expect(!server.socketFileExists)
    }

    /// A posted call wakes a loop without a timeout, and the queue is free after its end.
    @Test(arguments: [Pacing.embedded, .dedicated])
    func `each of many calls to stop reports the end`(pacing: Pacing) throws {
        let server = try TestServer(pacing: pacing)
        let peer = try server.connect()
        let ends = DispatchSemaphore(value: 0)
        for _ in 0..<3 { server.server.stop { ends.signal() } }
        #expect(try peer.rest() == [RawPeer.goodbye("shutdown")])
        for _ in 0..<3 { #expect(ends.wait(timeout: .now() + 20) == .success) }
        server.server.core.queue.sync {}
        #expect(server.stop())
    }
}
