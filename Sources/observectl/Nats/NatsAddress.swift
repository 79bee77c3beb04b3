// SPDX-License-Identifier: MIT
// The address of a NATS server as it is typed. Independent of sockets.

/// `HOST`, `HOST:PORT` or `nats://HOST:PORT`; `[::1]:4222` for IPv6.
struct NatsAddress: Equatable, CustomStringConvertible {
    static let defaultPort: UInt16 = 4222

    let host: String
    let port: UInt16

    /// Nil for other text. User and password are not part of an address: other users see the arguments.
    init?(_ text: String) {
        var rest = text.hasPrefix("nats://") ? text.dropFirst(7) : text[...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.contains("@"), !rest.contains("/"), !rest.contains(" ") else { return nil }
        var digits: Substring?
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            let tail = rest[rest.index(after: end)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
            if !tail.isEmpty { digits = tail.dropFirst() }
            rest = rest[rest.index(after: rest.startIndex)..<end]
        } else if let colon = rest.firstIndex(of: ":") {
            digits = rest[rest.index(after: colon)...]
            rest = rest[..<colon]
        }
        guard !rest.isEmpty else { return nil }
        if let digits {
            guard let number = UInt16(digits), number > 0, digits.first != "+" else { return nil }
            port = number
        } else {
            port = NatsAddress.defaultPort
        }
        host = String(rest)
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
