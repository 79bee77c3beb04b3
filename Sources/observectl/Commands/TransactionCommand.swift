// SPDX-License-Identifier: MIT
// `observectl transaction`: several writes as one. Independent of the writes.

import ObserveCore

extension CommandSpec {
    static let transaction = CommandSpec(
        name: "transaction",
        summary: "apply the writes on standard input as one: all of them, or none",
        options: [.dryRun],
        details: """
            Each line of standard input is a write, as the protocol has it: a JSON object with the members
            method (set, merge, remove, insert, increment or link) and params. Blank lines are ignored.
            Observers see all writes at once.

            If the daemon refuses one of them, it changes nothing, and the error names the line.

            Example:
              printf '%s\\n' \\
                '{"method": "increment", "params": {"path": "app.volume", "by": 5}}' \\
                '{"method": "set", "params": {"path": "app.muted", "value": false}}' |
                observectl transaction
            """,
        run: { (invocation) throws(CommandError) in try Transaction(invocation).run() }
    )
}

/// One run of `transaction`.
private struct Transaction {
    private let invocation: Invocation
    private let operations: RawJSON
    /// The line number of each operation, counted from 1.
    private let lines: [Int]

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        var (operations, lines): ([RawJSON], [Int]) = ([], [])
        let input = try invocation.input()
        for (index, line) in input.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            operations.append(try Transaction.operation(line, number: index + 1, of: invocation.arguments))
            lines.append(index + 1)
        }
        guard !lines.isEmpty else {
            throw invocation.arguments.usage("standard input has no operation")
        }
        self.lines = lines
        self.operations = RawJSON(array: operations)
    }

    private static func operation(
        _ line: ArraySlice<UInt8>,
        number: Int,
        of arguments: ParsedArguments
    ) throws(CommandError) -> RawJSON {
        let operation: RawJSON
        do throws(JSONError) { operation = try RawJSON(validating: Array(line), maxDepth: .max) } catch {
            let fault = JSONFault.phrase(error, in: Array(line))
            throw arguments.usage("line \(number) is not JSON: \(fault)")
        }
        guard operation.bytes.first == 0x7B else {
            throw arguments.usage("line \(number) is not a JSON object with a method and params")
        }
        return operation
    }

    func run() throws(CommandError) {
        do throws(CommandError) {
            let params: RequestParams = ["operations": operations]
            if invocation.arguments.has("--dry-run") {
                try invocation.preview("transaction", params)
            } else {
                try invocation.request("transaction", params)
            }
        } catch {
            throw located(error)
        }
    }

    /// The daemon's refusal, with the number of the line that it refuses.
    private func located(_ error: CommandError) -> CommandError {
        guard case .client(.refused(let refusal)) = error,
            let index = refusal.data?.int("operation").map({ Int($0) }), lines.indices.contains(index)
        else { return error }
        let message = "line \(lines[index]): \(refusal.message)"
        return .client(.refused(DaemonError(code: refusal.code, message: message, data: refusal.data)))
    }
}
