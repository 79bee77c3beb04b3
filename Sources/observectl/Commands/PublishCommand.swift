// SPDX-License-Identifier: MIT
// `observectl publish`: lines of JSON become a model while the command runs. Independent of the program that writes them.

import ObserveCore

extension CommandSpec {
    static let publish = CommandSpec(
        name: "publish",
        operands: "PATH",
        operandCount: 1...1,
        summary: "make lines of JSON on standard input the value at PATH, while it runs",
        options: [
            OptionSpec("--set", nil, "let each line replace the value, instead of merging into the model"),
            OptionSpec("--keep", nil, "leave the value there at the end"),
            OptionSpec("--parents", nil, "create the models that are missing on the path"),
            OptionSpec("--ready", nil, "write 'ready' to standard error once the first line is published"),
        ],
        details: [
            """
            Each line is one commit. A line that is an object is merged into the model (RFC 7396): it sets the
            members that it names, null removes them, and links and subscribers stay. At the end of the input,
            or when the command ends, the value is gone.
            """,
            """
            Examples:
              echo '{"title": "Alien"}' | observectl publish player
              printf '%s\\n' '{"a": 1}' '{"b": 2}' | observectl publish --keep job
            """,
        ],
        manual: [
            """
            If the daemon ends, the command waits for one, and publishes the value again. A line that is not
            JSON ends the command with status 2, and its number is on standard error.
            """
        ],
        run: { (invocation) throws(CommandError) in try Publishing(invocation).run() }
    )
}

/// One run of `publish`.
private final class Publishing {
    private let invocation: Invocation
    private let path: String
    private let replaces: Bool
    private let keeps: Bool
    /// The value of all lines so far; nil before the first.
    private var state: Value?
    private var lines = 0

    init(_ invocation: Invocation) {
        self.invocation = invocation
        path = invocation.operands[0]
        replaces = invocation.arguments.has("--set")
        keeps = invocation.arguments.has("--keep")
    }

    func run() throws(CommandError) {
        // The first connection is made before any input, so that a missing daemon is reported at once.
        let kept = KeptValue(invocation) { [self] (connection) throws(ClientError) in
            guard let state else { return }
            let write = assignment(of: state)
            _ = try connection.call(write.method.rawValue, write.params, until: invocation.deadline)
        }
        try kept.start()
        var line: [UInt8] = []
        while let piece = try read(kept) {
            for (index, part) in piece.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    try publish(line, kept)
                    line = []
                }
                line += part
            }
        }
        // The last line counts even without its end.
        try publish(line, kept)
        if keeps, !kept.isConnected { throw .client(.connectionLost(code: 0)) }
        kept.end()
    }

    /// The available bytes of standard input; nil at its end.
    private func read(_ kept: KeptValue) throws(CommandError) -> [UInt8]? {
        try kept.wait(for: [invocation.streams.input])
        return try invocation.availableInput()
    }

    private func publish(_ line: [UInt8], _ kept: KeptValue) throws(CommandError) {
        lines += 1
        if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return }
        let value: Value
        do throws(JSONError) { value = try RawJSON(validating: line).value() } catch {
            throw invocation.arguments.usage("line \(lines) is not JSON: \(error)")
        }
        let isFirst = state == nil
        let isMerge = !replaces && value.object != nil && (state?.object != nil || keeps)
        let write = isMerge ? WriteOperation(.merge, path, ["value": RawJSON(value)]) : assignment(of: value)
        state = replaces ? value : (state ?? .null).merging(value)
        try kept.send(write)
        if isFirst, invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    private func assignment(of value: Value) -> WriteOperation {
        if keeps, !replaces, value.object != nil {
            return WriteOperation(.merge, path, ["value": RawJSON(value)])
        }
        var write = WriteOperation(.set, path, ["value": RawJSON(value)])
        if invocation.arguments.has("--parents") { write.params.append("parents", RawJSON(true)) }
        if !keeps { write.params.append("lifetime", RawJSON("connection")) }
        return write
    }
}
