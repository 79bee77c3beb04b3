// SPDX-License-Identifier: MIT
// Splits a NATS server's bytes into its messages and lines. Independent of sockets.

import ObserveCore

/// Reads a byte stream, cut anywhere.
/// - Bounds: a line has at most ``lineLimitBytes``, a message at most ``messageLimitBytes``: more is an error.
/// - Errors: bytes that are not the protocol throw a ``NatsError``. The connection is then over.
struct NatsParser {
    /// INFO names all servers of a cluster, so it may be long.
    static let lineLimitBytes = 1 << 20
    static let messageLimitBytes = 64 << 20

    private var kept: [UInt8] = []
    /// The bytes of `kept` that are parsed, and the bytes that are known to have no line feed.
    private var parsed = 0
    private var searched = 0

    /// The bytes that wait for the rest of their line or message.
    var keptBytes: Int { kept.count - parsed }

    /// Adds bytes. ``next()`` then returns what they complete.
    mutating func feed(_ bytes: [UInt8]) {
        if parsed == kept.count {
            kept = bytes
        } else {
            kept.removeFirst(parsed)
            kept += bytes
        }
        searched = max(searched - parsed, 0)
        parsed = 0
    }

    /// The next whole message or line; nil if there is none yet.
    mutating func next() throws(NatsError) -> NatsEvent? {
        guard let feed = kept[max(searched, parsed)...].firstIndex(of: 0x0A) else {
            searched = kept.count
            guard keptBytes <= NatsParser.lineLimitBytes else { throw .malformed("a line that does not end") }
            return nil
        }
        guard feed - parsed <= NatsParser.lineLimitBytes else { throw .malformed("a line that is too long") }
        guard feed > parsed, kept[feed - 1] == 0x0D
        else { throw .malformed("a line without a carriage return") }
        let line = kept[parsed..<feed - 1]
        // MSG and HMSG are almost all of the traffic.
        let hasHeaders = line.starts(with: NatsParser.headedMessage)
        if hasHeaders || line.starts(with: NatsParser.message) {
            return try message(ByteWords(separatedByBlanks: line), hasHeaders: hasHeaders, from: feed + 1)
        }
        let event = try NatsParser.event(line)
        advance(to: feed + 1)
        return event
    }

    private static let message = Array("MSG ".utf8)
    private static let headedMessage = Array("HMSG ".utf8)

    private mutating func advance(to position: Int) { (parsed, searched) = (position, position) }

    private static func event(_ line: ArraySlice<UInt8>) throws(NatsError) -> NatsEvent {
        let name = line.prefix { $0 != 0x20 && $0 != 0x09 }
        let rest = line.dropFirst(name.count).drop { $0 == 0x20 || $0 == 0x09 }
        switch String(decoding: name, as: UTF8.self).uppercased() {
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .ok
        case "INFO": return .info(try NatsInfo(Array(rest)))
        case "-ERR":
            let text = String(decoding: rest, as: UTF8.self)
            let isQuoted = text.hasPrefix("'") && text.hasSuffix("'")
            let unquoted = isQuoted ? String(text.dropFirst().dropLast()) : text
            return .error(unquoted.cut(atBytes: NatsError.textBytes))
        case let other:
            throw .malformed("the line '\(String(other.prefix(40)).filter { $0.isASCII && $0 >= " " })'")
        }
    }

    /// Reads `MSG SUBJECT SUBSCRIPTION [REPLY] [HEADER BYTES] BYTES` and what follows; nil if it is not there yet.
    private mutating func message(_ words: ByteWords, hasHeaders: Bool, from start: Int) throws(NatsError)
        -> NatsEvent?
    {
        let counts = hasHeaders ? 2 : 1
        guard words.count == 3 + counts || words.count == 4 + counts
        else { throw .malformed("a message with \(words.count - 1) words in its line") }
        let total = try NatsParser.count(kept[words[words.count - 1]])
        let headerBytes = hasHeaders ? try NatsParser.count(kept[words[words.count - 2]]) : 0
        guard headerBytes <= total, total <= NatsParser.messageLimitBytes
        else { throw .malformed("a message of \(total) bytes with \(headerBytes) bytes of headers") }
        guard kept.count - start >= total + 2 else { return nil }
        guard kept[start + total] == 0x0D, kept[start + total + 1] == 0x0A
        else { throw .malformed("a message that is longer than it said") }
        let message = NatsMessage(
            subject: kept[words[1]],
            subscription: try NatsParser.count(kept[words[2]]),
            reply: words.count == 4 + counts ? kept[words[3]] : nil,
            headers: hasHeaders ? try NatsHeaders(kept[start..<start + headerBytes]) : NatsHeaders(),
            payload: kept[start + headerBytes..<start + total]
        )
        advance(to: start + total + 2)
        return .message(message)
    }

    private static func count(_ digits: ArraySlice<UInt8>) throws(NatsError) -> Int {
        guard digits.count <= 12 else { throw .malformed("a number of \(digits.count) digits") }
        guard let number = Int(decimal: digits) else { throw .malformed("a number that is not one") }
        return number
    }
}
