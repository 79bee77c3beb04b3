// SPDX-License-Identifier: MIT
// The credentials of a NATS server: variables, or a file with their names. Independent of connections.

import ObserveCore

extension NatsCredentials {
    /// From `NATS_USER`, `NATS_PASSWORD` and `NATS_TOKEN`, or from a file of lines `NAME=VALUE` with these names. Throws a usage
    /// error that names the line at fault, never its value.
    init(_ invocation: Invocation) throws(CommandError) {
        let names = ["NATS_USER", "NATS_PASSWORD", "NATS_TOKEN"]
        var values: [String: String] = [:]
        if let path = invocation.arguments.options["--credentials"] {
            let bytes = try invocation.contents(of: path, limitBytes: 65_536, refusesSharedWriting: true)
            let text = String(decoding: bytes, as: UTF8.self)
            // A carriage return and a line feed are one character.
            let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            for (index, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, names.contains(String(parts[0])) else {
                    throw invocation.arguments.usage(
                        "--credentials \(path), line \(index + 1): expected NATS_USER=…, NATS_PASSWORD=… or NATS_TOKEN=…"
                    )
                }
                values[String(parts[0])] = String(parts[1])
            }
        } else {
            for name in names {
                values[name] = invocation.process.environment(name).flatMap { $0.isEmpty ? nil : $0 }
            }
        }
        self.init(user: values["NATS_USER"], password: values["NATS_PASSWORD"], token: values["NATS_TOKEN"])
    }
}
