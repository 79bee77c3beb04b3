// SPDX-License-Identifier: MIT
// The option --dry-run of commands that write: prints what would change. Independent of the writes.

import ObserveCore

extension Invocation {
    /// Requests a write that changes nothing, and prints its changes, one a line.
    @discardableResult
    func preview(_ method: String, _ params: RequestParams) throws(CommandError) -> RawJSON {
        var params = params
        params.append("dryRun", RawJSON(true))
        let answer = try request(method, params)
        let changes = answer.member("changes")?.elements ?? []
        try show(rows: changes, in: .changes)
        for (name, text) in [
            ("furtherChanges", "further changes"), ("hidden", "changes that you may not read"),
        ] {
            if let count = answer.int(name) { process.report("and \(count) \(text)") }
        }
        for failure in answer.member("failing")?.elements ?? [] {
            let number = failure.int("binding") ?? 0
            process.report("binding \(number) would fail: \(failure.string("message") ?? "")")
        }
        if changes.isEmpty, presentation.isTerminal { process.report("nothing would change") }
        return answer
    }
}
