// SPDX-License-Identifier: MIT
// `observectl transaction` and `revert`: several writes as one commit. Independent of the writes.

import ObserveCore

extension CommandSpec {
    static let transaction = CommandSpec(
        usage: "transaction",
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
            """
    ) { (invocation) throws(CommandError) in try invocation.transact() }

    static let revert = CommandSpec(
        usage: "revert REVISION",
        summary: "give what a commit changed its former values again, as a new commit",
        options: [
            OptionSpec("--force", "although some of it has changed again: these changes are lost"), .dryRun,
        ],
        numbersAreOperands: true,
        details: """
            The commit is the one that made REVISION; 'observectl log --json' has the revisions. All that it set, removed,
            linked or inserted becomes what it was before: the same models and links, also those that were removed.
            Computed values and bindings follow. A revert can be reverted.

            Example: the first change after the start, and back.
              observectl set app.volume 20
              observectl revert 5
            """
    ) { (invocation) throws(CommandError) in
        let arguments = invocation.arguments
        guard let revision = Int64(invocation.operands[0]), revision > 0 else {
            let fault = "REVISION is a number above 0, like 41, not '\(invocation.operands[0])'"
            throw arguments.usage("\(fault); 'observectl log --json' has the revisions")
        }
        let params: RequestParams = ["revision": RawJSON(.int(revision)), "force": arguments.flag("--force")]
        try invocation.requestOrPreview("revert", params)
    }
}

private extension Invocation {
    func transact() throws(CommandError) {
        var operations: [RawJSON] = []
        /// The line number of each operation, counted from 1.
        var lines: [Int] = []
        let input = try input("writes, one a line,")
        for (index, line) in input.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            operations.append(try operation(Array(line), number: index + 1))
            lines.append(index + 1)
        }
        guard !lines.isEmpty else { throw arguments.usage("standard input has no operation") }
        do throws(CommandError) {
            try requestOrPreview("transaction", ["operations": RawJSON(array: operations)])
        } catch .client(.refused(let refusal)) {
            guard let index = refusal.operation, lines.indices.contains(index)
            else { throw .client(.refused(refusal)) }
            throw .refused(refusal, saying: "line \(lines[index]): \(refusal.message)")
        }
    }

    func operation(_ line: [UInt8], number: Int) throws(CommandError) -> RawJSON {
        let example = #"{"method": "set", "params": {"path": "app.volume", "value": 5}}"#
        let wanted = "line \(number) is not a JSON object with a method and params, like \(example)"
        let operation = try attempt(RawJSON(validating: line, maxDepth: .max)) { (error: JSONError) in
            let first = line.first { $0 != 0x20 && $0 != 0x09 }
            if first?.isWord == true { return arguments.usage(wanted) }
            let fault = JSONFault.phrase(error, in: line, isLine: true)
            return arguments.usage("line \(number) is not JSON: \(fault)")
        }
        if operation.isModel { return operation }
        throw arguments.usage(wanted)
    }
}
