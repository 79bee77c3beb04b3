// SPDX-License-Identifier: MIT
// The client's side of the NATS protocol: lines out, events in. Independent of sockets and of JetStream.

import ObserveCore

/// User, password and token for a server.
struct NatsCredentials: Equatable, Sendable {
    var user: String?
    var password: String?
    var token: String?
}

/// The state of one connection to a server. Its owner moves the bytes of ``output``.
///
/// - Errors: ``receive(_:)`` throws once the connection can't be used.
/// - Threading: a value type, confined to its owner.
struct NatsSession {
    private var parser = NatsParser()
    private let credentials: NatsCredentials
    /// What the server said of itself last; nil before the first INFO, which ends with CONNECT in ``output``.
    private(set) var info: NatsInfo?
    /// Whether the server has accepted CONNECT.
    private(set) var isReady = false
    /// Bytes to send, oldest first.
    var output: [UInt8] = []

    init(_ credentials: NatsCredentials) { self.credentials = credentials }

    // MARK: Receiving

    mutating func feed(_ bytes: [UInt8]) { parser.feed(bytes) }

    /// The next message; nil if none has arrived. Answers PING, and connects at the first INFO.
    ///
    /// - Parameter refused: gets the text of an `-ERR` that does not end the connection.
    mutating func next(refused: (String) -> Void) throws(NatsError) -> NatsMessage? {
        while let event = try parser.next() {
            switch event {
            case .message(let message): return message
            case .ping: output += NatsSession.pong
            case .pong: isReady = true
            case .ok: break
            case .info(let fresh): try use(fresh)
            case .error(let text):
                // The only one after which a server keeps the connection.
                guard text.lowercased().hasPrefix("permissions violation") else { throw .refused(text) }
                refused(text)
            }
        }
        return nil
    }

    private static let pong = Array("PONG\r\n".utf8)

    private mutating func use(_ fresh: NatsInfo) throws(NatsError) {
        let isFirst = info == nil
        info = fresh
        guard isFirst else { return }
        if fresh.requiresTLS {
            throw .refused(
                "it demands TLS, which a local nats-server as a leaf node adds: see docs/bridge.md"
            )
        }
        guard fresh.hasHeaders else { throw .refused("it has no headers: version 2.2 or later is needed") }
        var members = ValueMembers([
            ("verbose", false), ("pedantic", false), ("headers", true), ("no_responders", true),
            ("lang", "swift"), ("name", "observectl bridge"), ("version", .string(version)), ("protocol", 1),
        ])
        members["user"] = credentials.user.map(Value.string)
        members["pass"] = credentials.password.map(Value.string)
        members["auth_token"] = credentials.token.map(Value.string)
        output += Array("CONNECT \(RawJSON(.object(members)).text)\r\nPING\r\n".utf8)
    }

    // MARK: Sending

    mutating func ping() { output += Array("PING\r\n".utf8) }

    mutating func subscribe(_ subject: String, as number: Int) {
        output += Array("SUB \(subject) \(number)\r\n".utf8)
    }

    mutating func unsubscribe(_ number: Int) { output += Array("UNSUB \(number)\r\n".utf8) }

    mutating func publish(_ subject: String, _ payload: [UInt8] = [], reply: String? = nil) {
        publish(Array(subject.utf8), payload, reply: reply.map { Array($0.utf8) })
    }

    /// Publishes a message. The caller has checked its length against ``NatsInfo/maxPayloadBytes``.
    mutating func publish(
        _ subject: [UInt8],
        _ payload: [UInt8],
        reply: [UInt8]?,
        headers: [(String, String)] = []
    ) {
        var head: [UInt8] = []
        if !headers.isEmpty {
            head = Array("NATS/1.0\r\n\(headers.map { "\($0.0): \($0.1)\r\n" }.joined())\r\n".utf8)
        }
        output += (head.isEmpty ? "PUB " : "HPUB ").utf8
        output += subject
        output.append(0x20)
        if let reply {
            output += reply
            output.append(0x20)
        }
        if !head.isEmpty { output += "\(head.count) ".utf8 }
        output += String(head.count + payload.count).utf8
        output += NatsSession.lineEnd
        output += head
        output += payload
        output += NatsSession.lineEnd
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
