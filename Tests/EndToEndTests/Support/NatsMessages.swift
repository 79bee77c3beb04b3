// SPDX-License-Identifier: MIT
// A server's bytes as whole messages, and single requests to a server. Independent of the product's own client.

import Glibc
import ObserveCore

/// Splits what a server sends into lines, each with its payload.
struct NatsMessages {
    struct Message {
        let line: String
        let bytes: [UInt8]
        let payload: String

        /// The message with another time and another count of waiting ones in its place in the stream.
        func bytes(olderByDays days: Int, miscounts: Bool) -> [UInt8] {
            var words = line.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard line.contains(" $JS.ACK."), words.count > 2, let time = Int(words[words.count - 2]) else {
                return bytes
            }
            words[words.count - 2] = "\(time - days * 86_400_000_000_000)"
            if miscounts {
                // The last word has the pending messages, and then the bytes.
                let rest = words[words.count - 1].drop { $0 != " " }
                words[words.count - 1] = "7\(rest)"
            }
            return Array("\(words.joined(separator: "."))\n".utf8) + bytes.dropFirst(line.utf8.count + 1)
        }

        /// The refusal of a put in its place.
        var refusal: [UInt8] {
            let error =
                #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 7"},"stream":"KV_home","seq":0}"#
            let words = line.split(separator: " ").dropLast().joined(separator: " ")
            return Array("\(words) \(error.utf8.count)\r\n\(error)\r\n".utf8)
        }

        /// Whether it is the answer to a put of a bridge.
        var isAcknowledgement: Bool { line.hasPrefix("MSG _INBOX.") && line.contains(".a.") }
    }

    private var bytes: [UInt8] = []

    mutating func add(_ more: [UInt8]) { bytes += more }

    mutating func next() -> Message? {
        guard let feed = bytes.firstIndex(of: 0x0A) else { return nil }
        let line = String(decoding: bytes[..<feed], as: UTF8.self)
        var end = feed + 1
        if line.hasPrefix("MSG ") || line.hasPrefix("HMSG ") {
            end += 2 + (line.dropLast().split(separator: " ").last.flatMap { Int($0) } ?? 0)
        }
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return Message(
            line: line,
            bytes: Array(bytes[..<end]),
            payload: String(decoding: bytes[(feed + 1)..<end], as: UTF8.self)
        )
    }

    /// A connection that blocks; -1 if the server does not accept it.
    static func connect(to address: String) -> Int32 {
        let parts = address.split(separator: ":").map(String.init)
        guard
            var end = try? TCPSocket.connect(
                host: parts[0],
                port: UInt16(parts[1]) ?? 0,
                until: MonotonicTime.now.adding(milliseconds: 5000)
            ), (try? end.setNonBlocking(false)) != nil
        else { return -1 }
        return end.release()
    }
}

extension NatsServerUnderTest {
    /// Asks JetStream, and returns its answer.
    @discardableResult
    func ask(_ subject: String, _ json: String = "") throws -> Value {
        let end = NatsMessages.connect(to: address)
        defer { close(end) }
        let request =
            "CONNECT {}\r\nSUB answer.\(getpid()) 1\r\nPUB \(subject) answer.\(getpid()) \(json.utf8.count)\r\n\(json)\r\n"
        guard ByteIO.writeAll(end, Array(request.utf8)) == 0 else {
            throw ProcessError(description: "the server took no bytes")
        }
        var messages = NatsMessages()
        while true {
            while let message = messages.next() {
                if message.line.hasPrefix("MSG ") { return try Value(json: Array(message.payload.utf8)) }
            }
            var entries = [Deadline.entry(end)]
            guard Deadline(after: ChildProcess.patience).waitForInput(&entries),
                case (.bytes, let bytes) = ByteIO.read(end, limitBytes: 65_536)
            else { throw ProcessError(description: "JetStream did not answer \(subject)") }
            messages.add(bytes)
        }
    }
}
