// SPDX-License-Identifier: MIT
// `observectl bridge`: keeps paths equal on all machines that bridge them with one bucket. Independent of the rules.

import ObserveCore

extension CommandSpec {
    static let bridge = CommandSpec(
        usage: "bridge [PATH…]",
        summary: "keep PATHs equal on all machines that bridge them, through a NATS server",
        options: [
            OptionSpec("--nats HOST:PORT", "the server, instead of 127.0.0.1:4222"),
            OptionSpec("--bucket NAME", "the key-value bucket that has the values"),
            OptionSpec("--export PATH", "send this path's changes, and take none; repeatable", repeats: true),
            OptionSpec("--import PATH", "take this path's changes, and send none; repeatable", repeats: true),
            OptionSpec("--domain NAME", "the domain of JetStream with the bucket"),
            OptionSpec("--create", "make the bucket if it is not there"),
            OptionSpec("--purge", "remove the marks of deleted values after a week"),
            OptionSpec("--credentials FILE", "read NATS_USER, NATS_PASSWORD and NATS_TOKEN from FILE"),
            OptionSpec("--once", "bring both sides to agree, and end"),
            OptionSpec("--ready", "write 'ready' to standard error once both sides agree"),
            OptionSpec("--status", "print how far the bridges of this daemon are, and end"),
        ],
        details: """
            Each value below PATH has a key in a JetStream bucket. Its last writer wins.

            Examples:
              observectl bridge --bucket home --create house.kitchen house.mode
              observectl bridge --status
            """,
        manual: """
            The bridge waits for a daemon or a server that is not there, and says so once for each reason.

            The server's user, password and token come from the variables NATS_USER, NATS_PASSWORD and
            NATS_TOKEN, or from the file of --credentials, in lines NAME=VALUE. They are never arguments, since
            all users of a machine see those.

            The position is in the tree, at bridges.BUCKET, and so are the values that do not travel, with the
            reason. Identity, weak links, computed properties and lifetimes do not travel. See docs/bridge.md.
            """
    ) { (invocation) throws(CommandError) in
        if invocation.arguments.has("--status") { return try showStatus(invocation) }
        try Bridging(invocation, try BridgeSettings(invocation)).run()
    }

    private static func showStatus(_ invocation: Invocation) throws(CommandError) {
        if let extra = invocation.operands.first {
            throw invocation.arguments.usage("'\(extra)' is too much: --status takes no PATH")
        }
        let path = invocation.arguments.options["--bucket"].map { "bridges.\($0)" } ?? "bridges"
        try invocation.show(try invocation.request("get", ["path": RawJSON(.string(path))]).required("value"))
    }
}

extension BridgeSettings {
    /// - Throws: a usage error. Nothing is connected yet.
    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        let text = arguments.options["--nats"] ?? "127.0.0.1"
        guard let address = NatsAddress(text) else {
            // A password is not repeated: standard error may be a log.
            let isPlain = text.utf8.allSatisfy { $0.isOfBucketName || ".:/[]".utf8.contains($0) }
            let given = isPlain ? ", not '\(text)'" : "; a user and a password are for --credentials"
            throw arguments.usage("--nats takes HOST or HOST:PORT\(given)")
        }
        func named(_ option: String) throws(CommandError) -> Bucket? {
            guard let name = arguments.options[option] else { return nil }
            if let bucket = Bucket(name) { return bucket }
            throw arguments.usage("\(option) takes letters, digits, '_' and '-', not '\(name)'")
        }
        guard var bucket = try named("--bucket") else { throw arguments.usage("--bucket NAME is missing") }
        bucket.domain = try named("--domain")?.name
        if arguments.has("--purge"), arguments.has("--once") {
            throw arguments.usage("--purge is for a bridge that runs for ever, not with --once")
        }
        var paths: [BridgedPath] = []
        let given: [(texts: [String], direction: BridgedPath.Direction)] = [
            (invocation.operands, .both), (arguments.repeated["--export"] ?? [], .exports),
            (arguments.repeated["--import"] ?? [], .imports),
        ]
        for (texts, direction) in given {
            for text in texts { paths.append(try BridgedPath(text, direction, arguments)) }
        }
        guard !paths.isEmpty
        else { throw arguments.usage("something is missing: a PATH, --export PATH or --import PATH") }
        var keys: Set<String> = []
        for path in paths where !keys.insert(BridgeKey.key(of: path.names)).inserted {
            throw arguments.usage("'\(DottedKeyPath.text(of: path.names))' is given twice")
        }
        self.init(
            address: address,
            bucket: bucket,
            paths: paths,
            credentials: try NatsCredentials(invocation),
            creates: arguments.has("--create"),
            isOnce: arguments.has("--once"),
            purges: arguments.has("--purge")
        )
    }
}

private extension BridgedPath {
    init(_ text: String, _ direction: Direction, _ arguments: ParsedArguments) throws(CommandError) {
        let names = try arguments.names(of: text)
        guard names[0] != "bridges", names[0] != "observed"
        else { throw arguments.usage("the root \(names[0]) belongs to this machine, and can't be bridged") }
        self.init(names: names, direction: direction)
    }
}
