// SPDX-License-Identifier: MIT
// How much the tree has done, so that clients can take turns. Independent of clients.

extension TreeState {
    /// Begins a request, or the consequences of a commit: what it may look at starts anew; for a load, as for all of its parts.
    func allowElements(ofLoad bytes: Int = 0) {
        records.effort.allow(4 &* limits.maxElements &* (1 &+ bytes >> 20))
    }

    /// How many bytes of conditions the request may still parse.
    var conditionBytes: Int { records.effort.conditionBytes }

    /// Begins a path whose conditions are bounded by themselves.
    func allowConditions() { records.effort.allowConditions() }

    func countParsed(conditionBytes: Int) { records.effort.countParsed(conditionBytes: conditionBytes) }

    /// The refusal of a strong reference at the path, from whose model too many references lead to others.
    func tooManyReferences(_ path: String) -> TreeError {
        let steps = "more steps than one request may make: \(4 * limits.maxElements) (four times maxElements)"
        let fault = "whether a strong reference at \(path) would close a cycle takes \(steps)"
        return TreeError(.limitExceeded, fault, at: path)
    }

    func tooManyDefaults(_ path: String) -> TreeError {
        let limit = "\(4 * limits.maxElements) (four times maxElements)"
        let fault = "the request omits more values than \(limit), counting those in defaults"
        return TreeError(.limitExceeded, fault, at: path)
    }

    func tooManyElements(_ path: ParsedKeyPath) -> TreeError {
        let single = "one operator or binding looks at \(limits.maxElements) at most"
        let rule = "\(single), and one request at four times as many (maxElements)"
        return TreeError(.limitExceeded, path, "has too many elements or properties: \(rule)")
    }
}
