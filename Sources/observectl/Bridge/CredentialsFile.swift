// SPDX-License-Identifier: MIT
// The credentials of a NATS server: variables, or a file with their names. Independent of connections.

import ObserveCore

extension NatsCredentials {
    /// From `NATS_USER`, `NATS_PASSWORD` and `NATS_TOKEN`, or from a file of lines `NAME=VALUE` with these names.
    ///
    /// - Throws: a usage error that names the line at fault, never its value.
    init(_ invocation: Invocation) throws(CommandError) {
        guard let path = invocation.arguments.options["--credentials"] else {
            let variable = { (name: String) in
                invocation.process.environment(name).flatMap { $0.isEmpty ? nil : $0 }
            }
            self.init(
                user: variable("NATS_USER"),
                password: variable("NATS_PASSWORD"),
                token: variable("NATS_TOKEN")
            )
            return
        }
        let bytes = try attemptInput(Platform.readFile(path, limitBytes: 65_536, refusesSharedWriting: true))
        self.init()
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        for (index, line) in lines.enumerated() where !line.isEmpty && line.first != "#" {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init
            )
            switch (parts[0], parts.count) {
            case ("NATS_USER", 2): user = parts[1]
            case ("NATS_PASSWORD", 2): password = parts[1]
            case ("NATS_TOKEN", 2): token = parts[1]
            default:
                throw invocation.arguments.usage(
                    "--credentials \(path), line \(index + 1): expected NATS_USER=…, NATS_PASSWORD=… or NATS_TOKEN=…"
                )
            }
        }
    }
}
