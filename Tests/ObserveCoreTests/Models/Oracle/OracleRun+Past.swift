// SPDX-License-Identifier: MIT
// The past in a run of the oracle: what `get` answers for an earlier revision is what it answered then.

@testable import ObserveCore

/// Answers of `get`, with their revisions and paths.
struct PastAnswers {
    static let most = 400

    /// The run's writes do not depend on it.
    var random: SeededGenerator

    private(set) var list: [(revision: UInt64, path: String, answer: [String])] = []
    var comparedCount = 0

    mutating func append(_ revision: UInt64, _ path: String, _ answer: [String], at place: Int) {
        if list.count < PastAnswers.most {
            list.append((revision, path, answer))
        } else {
            list[place] = (revision, path, answer)
        }
    }
}

extension OracleRun {
    /// Notes some answers, and asks again for those of earlier revisions.
    func comparePast() -> String? {
        var writes = writes
        swap(&writes.random, &past.random)
        defer { swap(&writes.random, &past.random) }
        for suffix in ["", "", ".@count", "[. != 1]", ".@latest[a == 1]"] {
            let names = writes.path(in: oracle)
            if names[0] == "observed" { continue }
            let path = dotted(names[...]) + suffix
            let answer = client.ask(#"{"id":1,"method":"get","params":{"path":\#(quoted(path))}}"#)
            past.append(hub.tree.revision, path, answer, at: writes.below(PastAnswers.most))
        }
        guard writes.chance(30) else { return nil }
        let place = writes.below(past.list.count)
        let (revision, path, expected) = past.list[place]
        let found = client.ask(
            #"{"id":1,"method":"get","params":{"path":\#(quoted(path)),"at":\#(revision)}}"#
        )
        past.comparedCount += 1
        guard revision >= hub.tree.records.horizon else {
            return found[0].contains(#""code":1,"#) ? nil : "beyond the history: \(found)"
        }
        if found == expected { return nil }
        return "\(path) at \(revision): \(found), and not \(expected)"
    }
}
