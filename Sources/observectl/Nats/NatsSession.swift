// SPDX-License-Identifier: MIT
// The client's side of the NATS protocol: lines out, events in. Independent of sockets and of JetStream.

import ObserveCore

struct NatsCredentials: Equatable, Sendable {
    var user, password, token: String?
}

/// The state of one connection to a server. Its owner sends the bytes of ``output``.
/// - Errors: ``next(refused:)`` throws once the connection can't be used.
struct NatsSession {
    private var parser = NatsParser()
    private let credentials: NatsCredentials
    /// What the server said of itself last; nil before the first INFO, which ends with CONNECT in ``output``.
    private(set) var info: NatsInfo?
    /// Whether the server has accepted CONNECT.
    private(set) var isReady = false
    /// Bytes to send, oldest first.
    let output: ByteBuffer

    init(_ credentials: NatsCredentials, output: ByteBuffer = ByteBuffer()) {
        (self.credentials, self.output) = (credentials, output)
    }

    // MARK: Receiving

    mutating func feed(_ bytes: [UInt8]) { parser.feed(bytes) }

    /// The next message; nil if none has arrived. Answers PING, connects at the first INFO, and passes on an `-ERR` that ends
    /// nothing.
    mutating func next(refused: (String) -> Void) throws(NatsError) -> NatsMessage? {
        while let event = try parser.next() {
            switch event {
            case .message(let message): return message
            case .ping: output.append("PONG\r\n")
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

    private mutating func use(_ fresh: NatsInfo) throws(NatsError) {
        let isFirst = info == nil
        info = fresh
        guard isFirst else { return }
        let advice = "which a local nats-server as a leaf node adds: see docs/bridge.md"
        if fresh.requiresTLS { throw .refused("it demands TLS, \(advice)") }
        guard fresh.hasHeaders else { throw .refused("it has no headers: version 2.2 or later is needed") }
        var members = ValueMembers([
            ("verbose", false), ("pedantic", false), ("headers", true), ("no_responders", true),
            ("lang", "swift"), ("name", "observectl bridge"), ("version", .string(version)), ("protocol", 1),
        ])
        members["user"] = credentials.user.map(Value.string)
        members["pass"] = credentials.password.map(Value.string)
        members["auth_token"] = credentials.token.map(Value.string)
        output.append(utf8: "CONNECT \(RawJSON(.object(members)).text)\r\nPING\r\n")
    }

    // MARK: Sending

    func ping() { output.append("PING\r\n") }

    func subscribe(_ subject: String, as number: Int) { output.append(utf8: "SUB \(subject) \(number)\r\n") }

    func unsubscribe(_ number: Int) { output.append(utf8: "UNSUB \(number)\r\n") }

    func publish(_ subject: String, _ payload: [UInt8] = [], reply: String? = nil) {
        publish(Array(subject.utf8), payload, reply: reply.map { Array($0.utf8) })
    }

    /// Publishes a message. The caller has checked its length against ``NatsInfo/maxPayloadBytes``.
    func publish(_ subject: [UInt8], _ payload: [UInt8], reply: [UInt8]?, headers: [(String, String)] = []) {
        var head = ""
        if !headers.isEmpty { head = "NATS/1.0\r\n\(headers.map { "\($0.0): \($0.1)\r\n" }.joined())\r\n" }
        output.append(head.isEmpty ? "PUB " : "HPUB ")
        output.append(contentsOf: subject)
        output.append(" ")
        if let reply {
            output.append(contentsOf: reply)
            output.append(" ")
        }
        if !head.isEmpty { output.append(utf8: "\(head.utf8.count) ") }
        output.append(decimal: UInt64(head.utf8.count + payload.count))
        output.append("\r\n")
        output.append(utf8: head)
        output.append(contentsOf: payload)
        output.append("\r\n")
    }
}
