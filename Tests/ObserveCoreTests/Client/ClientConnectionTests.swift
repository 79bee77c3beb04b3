// SPDX-License-Identifier: MIT
// The blocking connection, against a peer at the other end of a socket pair.

import Dispatch
import ObserveCore
import TestSupport
import Testing

struct ClientConnectionTests {
    private static let answer = #"{"jsonrpc":"2.0","id":1,"result":{"revision":3}}"#
    private static let goodbye = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"shutdown"}}"#

    private static func event(_ revision: Int) -> String {
        #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a","reason":"valueChanged","#
            + #""new":\#(revision),"revision":\#(revision)}}"#
    }

    @Test func `an answer is found among events, which are kept in order`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([Self.event(1), Self.event(2), Self.answer, Self.event(4)])
        #expect(try client.call("ping").text == #"{"revision":3}"#)
        #expect(try client.nextEvent().new?.text == "1")
        #expect(client.waitingEvent()?.new?.text == "2")
        #expect(try client.nextEvent().new?.text == "4")
        #expect(client.waitingEvent() == nil)
        #expect(peer.receivedLine() == #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
    }

    @Test func `a refusal is thrown and the connection continues`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([
            #"{"id":1,"error":{"code":1,"message":"a does not exist"}}"#,
            #"{"id":null,"error":{"code":-32600,"message":"too long"}}"#,
            #"{"id":3,"result":{}}"#,
        ])
        #expect(throws: ClientError.refused(DaemonError(code: .notFound, message: "a does not exist"))) {
            try client.call("get")
        }
        #expect(throws: ClientError.refused(DaemonError(code: .invalidRequest, message: "too long"))) {
            try client.call("set")
        }
        #expect(try client.call("ping").text == "{}")
    }

    @Test func `a goodbye follows the events before it`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([Self.answer, Self.event(1), Self.goodbye])
        peer.close()
        _ = try client.call("ping")
        #expect(try client.nextEvent().new?.text == "1")
        #expect(throws: ClientError.goodbye(reason: "shutdown")) { try client.nextEvent() }
    }

    @Test func `a daemon that closes without an answer is a lost connection`() throws {
        let (client, peer) = try Peer.connected()
        peer.close()
        #expect(throws: ClientError.connectionLost(code: 0)) { try client.call("ping") }
        #expect(throws: ClientError.connectionLost(code: 0)) { try client.call("ping") }
    }

    @Test func `a goodbye before the request is thrown`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([Self.goodbye])
        peer.close()
        #expect(throws: ClientError.goodbye(reason: "shutdown")) { try client.call("ping") }
    }

    @Test func `messages before a close are read even if the request can not be sent`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([Self.goodbye])
        _ = consume peer
        #expect(throws: ClientError.goodbye(reason: "shutdown")) { try client.call("ping") }
    }

    @Test func `a malformed line throws after the events before it`() throws {
        let (client, peer) = try Peer.connected()
        peer.send([Self.answer, Self.event(1), "HTTP/1.1 400 Bad Request"])
        _ = try client.call("ping")
        _ = try client.nextEvent()
        #expect(throws: ClientError.malformed("a line with an unknown word at byte 0")) {
            try client.nextEvent()
        }
    }

    @Test func `waiting ends at the deadline without losing the answer`() throws {
        let (client, peer) = try Peer.connected()
        let deadline = MonotonicTime.now.adding(milliseconds: 20)
        #expect(throws: ClientError.timedOut) { try client.nextEvent(until: deadline) }
        #expect(MonotonicTime.now >= deadline)
        peer.send([Self.event(5)])
        #expect(try client.nextEvent(until: .now.adding(milliseconds: 10_000)).new?.text == "5")
    }

    @Test func `the answer to a timed-out request is ignored`() throws {
        let (client, peer) = try Peer.connected()
        #expect(throws: ClientError.timedOut) { try client.call("ping", until: .now.adding(milliseconds: 1)) }
        peer.send([Self.answer, #"{"id":2,"result":2}"#])
        #expect(try client.call("ping").text == "2")
    }

    @Test func `waiting ends when the reader of the output closes it`() throws {
        let (client, _) = try Peer.connected()
        var output = try SocketPair()
        client.audience = output.first.number
        output.second.close()
        #expect(throws: ClientError.abandoned) { try client.nextEvent() }
    }

    @Test func `a large request is sent while many events arrive`() throws {
        let (client, peer) = try Peer.connected()
        let text = String(repeating: "x", count: 4 << 20)
        let events = 20_000
        let group = DispatchGroup()
        DispatchQueue(label: "peer").async(group: group) {
            // Sends far more than the socket holds before it reads.
            peer.send((1...events).map(Self.event))
            #expect(peer.receivedLine().utf8.count > text.utf8.count)
            peer.send([Self.answer])
        }
        _ = try client.call("set", ["value": RawJSON(.string(text))])
        group.wait()
        for revision in 1...events {
            guard client.waitingEvent()?.new?.text == "\(revision)" else {
                Issue.record("event \(revision) is missing or out of order")
                return
            }
        }
        #expect(client.waitingEvent() == nil)
    }

    @Test func `no daemon, and no socket, is unreachable`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = "\(folder.path)/none.sock"
        #expect(throws: ClientError.unreachable(.noSocket(path))) { _ = try ClientConnection(path: path) }
        let long = "/tmp/" + String(repeating: "x", count: 200)
        #expect(throws: ClientError.self) { _ = try ClientConnection(path: long) }
    }
}

/// The daemon's end of a connection.
private final class Peer: Sendable {
    private let socket: FileDescriptor

    private init(_ socket: consuming FileDescriptor) { self.socket = socket }

    static func connected() throws -> (ClientConnection, Peer) {
        var pair = try SocketPair(nonBlocking: false)
        let client = FileDescriptor(owning: pair.first.release())
        try client.setNonBlocking(true)
        return (ClientConnection(nonBlocking: client), Peer(FileDescriptor(owning: pair.second.release())))
    }

    func send(_ lines: [String]) {
        _ = ByteIO.writeAll(socket.number, lines.flatMap { Array("\($0)\n".utf8) })
    }

    /// Blocks until a complete line has arrived.
    func receivedLine() -> String {
        var bytes: [UInt8] = []
        while bytes.last != 0x0A {
            let (result, piece) = ByteIO.read(socket.number, limitBytes: 65_536)
            guard case .bytes = result else { break }
            bytes += piece
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// Ends the output; sent bytes can still be read.
    func close() { try? UnixSocket.shutdownWriting(socket.number) }
}
