// SPDX-License-Identifier: MIT
// How much the tree has done, so that clients can take turns. Independent of clients.

extension TreeState {
    /// Begins a request, or the consequences of a commit: what it may look at starts anew.
    ///
    /// A single operator looks at ``TreeLimits/maxElements`` at most.
    func allowElements() { records.effort.allow(4 &* limits.maxElements) }

    /// How many bytes of conditions the request may still parse.
    var conditionBytes: Int { records.effort.conditionBytes }

    /// Begins a path whose conditions are bounded by themselves.
    func allowConditions() { records.effort.allowConditions() }

    func countParsed(conditionBytes: Int) { records.effort.countParsed(conditionBytes: conditionBytes) }

    /// The refusal of a request that would look at too many elements or properties.
    func tooManyElements(_ path: ParsedKeyPath) -> TreeError {
        TreeError(
            .limitExceeded,
            "\(path.escaped) has too many elements or properties: one operator or binding looks at \(limits.maxElements) at most, and one request at four times as many (maxElements)",
            at: path
        )
    }
}
