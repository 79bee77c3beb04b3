// SPDX-License-Identifier: MIT
// `observectl dump`: a read view of the tree on standard output. Independent of the lines' meaning.

import ObserveCore

extension CommandSpec {
    static let dump = CommandSpec(
        name: "dump",
        operands: "[PATH]",
        summary: "print all roots, or the value at a key path, so that load can restore it",
        options: [OptionSpec("--json", nil, "print ordinary JSON instead, without links and types")],
        details: """
            The dump is of one revision, in the form in which the daemon keeps its state: it contains shared
            models once, and links, weak references, types and bindings.

            Examples:
              observectl dump > state.jsonl
              observectl dump --json library > library.json
            """,
        manual: """
            Each line carries its checksum and that of the line before. The daemon continues to serve
            meanwhile, and the dump does not show later changes.

            With --json it is one line, as get prints it: a shared model is in each of its places, and weak
            and computed properties are left out. The line may be longer than the limit of get: a gibibyte,
            of 256 levels.
            """,
        run: { (invocation) throws(CommandError) in
            let parts = DumpParts(try invocation.connect(), of: invocation)
            if invocation.arguments.has("--json") {
                try invocation.show(try parts.json())
            } else {
                try parts.forEach { (text) throws(CommandError) in try invocation.write(text) }
            }
        }
    )
}

/// The parts of one dump, requested one after another.
private struct DumpParts {
    /// Larger JSON is of no use. Links can make a small tree arbitrarily large.
    private static let limits = {
        var limits = TreeLimits()
        limits.maxRenderedBytes = 1 << 30
        limits.maxDepth = 256
        return limits
    }()

    private let connection: ClientConnection
    private let invocation: Invocation

    init(_ connection: ClientConnection, of invocation: Invocation) {
        self.connection = connection
        self.invocation = invocation
        connection.audience = invocation.streams.output
    }

    func forEach(_ body: ([UInt8]) throws(CommandError) -> Void) throws(CommandError) {
        var progress = ProgressLine("dumped", of: invocation)
        defer { progress.clear() }
        var count = 0
        let path = invocation.operands.isEmpty ? nil : invocation.operand(0)
        try connection.dump(path, until: invocation.deadline) { (text) throws(CommandError) in
            try body(text)
            count += text.count
            progress.show(count)
        }
    }

    func json() throws(CommandError) -> RawJSON {
        let reader = DumpReader(limits: DumpParts.limits)
        try forEach { (text) throws(CommandError) in
            try DumpParts.check(reader.consume(text))
        }
        try DumpParts.check(reader.finish())
        guard let json = reader.json else {
            throw .failed(
                "\(invocation.operands.first ?? "it") is more than \(DumpParts.limits.maxRenderedBytes) bytes of JSON, or \(DumpParts.limits.maxDepth) levels: links make it so; without --json it can be dumped"
            )
        }
        do throws(JSONError) {
            return try RawJSON(validating: json, maxDepth: DumpParts.limits.maxDepth + 1)
        } catch {
            throw .client(.malformed("a dump whose JSON has \(error)"))
        }
    }

    private static func check(_ body: @autoclosure () throws(DumpFault) -> Void) throws(CommandError) {
        do throws(DumpFault) { try body() } catch { throw .client(.malformed(error.description)) }
    }
}
