// SPDX-License-Identifier: MIT
// What a NATS server sends: messages, and lines about the connection. Independent of connections and trees.

import ObserveCore

/// A message of a subscription. Its bytes are pieces of those that were read: copy what you keep.
struct NatsMessage: Equatable, Sendable {
    let subject: ArraySlice<UInt8>
    /// The number of the subscription, as the client gave it.
    let subscription: Int
    /// Where an answer goes; nil if none is expected.
    var reply: ArraySlice<UInt8>?
    var headers = NatsHeaders()
    let payload: ArraySlice<UInt8>
}

/// The headers of a message: a status, and fields by name.
struct NatsHeaders: Equatable, Sendable {
    /// 503 if no one serves the subject, 100 for a heartbeat or a request of flow control; nil for ordinary messages.
    var status: Int?
    /// The first value of each name.
    private var fields: [String: String] = [:]

    init() {}

    /// Reads `NATS/1.0[ STATUS[ DESCRIPTION]]` and the fields, each in a line of its own.
    init(_ bytes: ArraySlice<UInt8>) throws(NatsError) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")[...]
        guard let first = lines.popFirst(), first.hasPrefix("NATS/1.0")
        else { throw .malformed("headers that do not begin with NATS/1.0") }
        let words = first.dropFirst(8).split(separator: " ", maxSplits: 1)
        if let word = words.first {
            guard let number = Int(word) else { throw .malformed("headers with the status '\(word)'") }
            status = number
        }
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed("a header without ':'") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            let name = String(line[..<colon])
            if fields[name] == nil { fields[name] = String(value) }
        }
    }

    subscript(name: String) -> String? { fields[name] }
}

struct NatsInfo: Equatable, Sendable {
    /// At most a gibibyte: no value is longer.
    var maxPayloadBytes = 1 << 20
    var hasHeaders = false
    var requiresTLS = false

    init(_ json: [UInt8]) throws(NatsError) {
        let value = try attempt(RawJSON(validating: json).value()) { (error: JSONError) in
            NatsError.malformed("an INFO with \(error)")
        }
        guard value.object != nil else { throw .malformed("an INFO that is not an object") }
        hasHeaders = value["headers"]?.bool ?? false
        requiresTLS = value["tls_required"]?.bool ?? false
        if let bytes = value["max_payload"]?.int {
            guard bytes > 0 else { throw .malformed("an INFO with the max_payload \(bytes)") }
            maxPayloadBytes = Int(min(bytes, 1 << 30))
        }
    }
}

enum NatsEvent: Equatable, Sendable {
    case info(NatsInfo)
    case message(NatsMessage)
    case ping, pong, ok
    /// The text of `-ERR`, without quotes.
    case error(String)
}

/// Why a connection to a server can't be used.
enum NatsError: Error, Equatable {
    case unreachable(SocketError)
    /// The end of input, or an `errno`.
    case lost(code: Int32)
    /// Bytes that are not the protocol.
    case malformed(String)
    /// The server refused the connection or a subject.
    case refused(String)
    /// JetStream does not serve the request now.
    case unserved(String)
    /// JetStream refused a request: its code and description.
    case stream(code: Int, String)
    /// The server did not answer in time.
    case silent(String)

    /// So much of a server's own text is kept: reports and refusals repeat it.
    static let textBytes = 1000

    var sentence: String {
        switch self {
        case .unreachable(let error): error.description
        case .lost(0): "the NATS server closed the connection"
        case .lost(let code): "the connection to the NATS server broke: \(SocketError.text(of: code))"
        case .malformed(let what): "what listens there is not a NATS server: it sent \(what)"
        case .refused(let text): "the NATS server refused: \(text)"
        case .stream(_, let text), .unserved(let text): "JetStream refused: \(text)"
        case .silent(let what): "the NATS server did not answer \(what) in time"
        }
    }
}
