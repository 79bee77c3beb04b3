// SPDX-License-Identifier: MIT
// `observectl dump`: a read view of the tree on standard output. Independent of the lines' meaning.

import ObserveCore

extension CommandSpec {
    static let dump = CommandSpec(
        usage: "dump [PATH]",
        summary: "print all roots, or the value at a key path, so that load can restore it",
        options: [OptionSpec("--json", "print ordinary JSON instead, without links and types")],
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
            """
    ) { (invocation) throws(CommandError) in
        if invocation.arguments.has("--json") {
            try invocation.show(try invocation.dumpedJSON())
        } else {
            try invocation.dump { (text) throws(CommandError) in try invocation.write(text) }
        }
    }
}

private extension Invocation {
    /// Larger JSON is of no use. Links can make a small tree arbitrarily large.
    static let dumpLimits = {
        var limits = TreeLimits()
        limits.maxRenderedBytes = 1 << 30
        limits.maxDepth = 256
        return limits
    }()

    func dump(_ body: ([UInt8]) throws(CommandError) -> Void) throws(CommandError) {
        var progress = ProgressLine("dumped", of: self)
        defer { progress.clear() }
        var count = 0
        try dump(operands.first) { (text) throws(CommandError) in
            try body(text)
            count += text.count
            progress.show(count)
        }
    }

    func dumpedJSON() throws(CommandError) -> RawJSON {
        let limits = Invocation.dumpLimits
        let reader = DumpReader(limits: limits)
        try dump { (text) throws(CommandError) in try Invocation.check(reader.consume(text)) }
        try Invocation.check(reader.finish())
        guard let json = reader.json else {
            throw .failed(
                "\(operands.first ?? "it") is more than \(limits.maxRenderedBytes) bytes of JSON, or \(limits.maxDepth) levels: links make it so; without --json it can be dumped"
            )
        }
        return try attempt(RawJSON(validating: json, maxDepth: limits.maxDepth + 1)) { (error: JSONError) in
            CommandError.client(.malformed("a dump whose JSON has \(error)"))
        }
    }

    static func check(_ body: @autoclosure () throws(DumpFault) -> Void) throws(CommandError) {
        do throws(DumpFault) { try body() } catch { throw .client(.malformed(error.description)) }
    }
}
