// SPDX-License-Identifier: MIT
// The address of a NATS server as it is typed. Independent of sockets.

/// `HOST`, `HOST:PORT` or `nats://HOST:PORT`; `[::1]:4222` for IPv6.
struct NatsAddress: Equatable {
    private static let defaultPort: UInt16 = 4222

    let host: String
    let port: UInt16

    /// Nil for other text. User and password are not part of an address: other users see the arguments.
    init?(_ text: String) {
        let form = /(?:nats:\/\/)?(?:\[([^\]@\/ ]+)\]|([^\[:@\/ ][^:@\/ ]*))(?::([0-9]+))?\/?/
        guard let (_, inBrackets, plain, digits) = text.wholeMatch(of: form)?.output,
            let port = digits.map({ UInt16($0) }) ?? NatsAddress.defaultPort, port > 0
        else { return nil }
        (host, self.port) = (String(inBrackets ?? plain ?? ""), port)
    }
}
