// SPDX-License-Identifier: MIT
// Which earlier revisions clients may name, and what it costs to go back to them. Independent of methods.

extension RequestChecks {
    /// The revision in the param `at`: a revision, or a negative number of milliseconds before now.
    func pastRevision(_ json: JSONView) throws(WireError) -> UInt64 {
        guard let number = json.int64() else {
            throw .invalidParams(
                "the param at is a revision, or a negative number of milliseconds before now"
            )
        }
        if number >= 0 {
            try requireKnown(UInt64(number), oldest: tree.reader.oldestRevision)
            return UInt64(number)
        }
        let start = clients.clockOffset + Int64(clients.metrics.startedAt.nanoseconds / 1_000_000)
        guard let past = tree.reader.revision(at: clients.writer.timeOfDay() + number, start: start)
        else { throw beyondHistory("\(number) ms are before the history", tree.reader.oldestRevision) }
        return past
    }

    func requireKnown(_ past: UInt64, oldest: UInt64) throws(WireError) {
        if past < oldest { throw beyondHistory("revision \(past) is before the history", oldest) }
        if past > clients.revision {
            let why = "revision \(past) is in the future: the present one is \(clients.revision)"
            throw beyondHistory(why, oldest)
        }
    }

    private func beyondHistory(_ sentence: String, _ oldest: UInt64) -> WireError {
        let why = "\(sentence); the oldest that can be asked for is revision \(oldest)"
        var error = WireError(.notFound, why)
        error.found = "\"oldest\":\(oldest)"
        return error
    }

    /// Counts the way back to that revision, and forward again.
    func countReplay(after past: UInt64) {
        guard let first = tree.reader.firstCommit(after: past, isDistinct: true) else { return }
        clients.count(work: (tree.reader.pastCommits.upperBound - first) * Cost.replayedCommit)
    }
}
