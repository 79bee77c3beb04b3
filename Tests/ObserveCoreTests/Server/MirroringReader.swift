// SPDX-License-Identifier: MIT
// A client that mirrors what is below paths by the events about it. Knows the truth only to compare it.

@testable import ObserveCore

/// A client that keeps one mirror for each of its subscriptions.
final class MirroringReader {
    struct Mirror {
        /// The path that is mirrored: what the subscription's first pattern is about.
        let base: [String]
        let options: String
        let isOverlapped: Bool
        /// It has `throttle` or `debounce`: it is exact once it is quiet.
        let isPaced: Bool
        var value: ValueMirror?
        /// Paths that were told anew just now, as they are when they are told: that may be a later state than that at the
        /// next answer, and even one in the midst of a later commit, which has an event for them itself.
        var fresh: Set<String> = []
    }

    let client: SlowClient
    var mirrors: [Int64: Mirror] = [:]
    /// What was asked and not answered yet, with the revision that it was carried out at.
    var asked: [Int64: (revision: UInt64, mirror: Mirror?, unsubscribed: Int64?)] = [:]
    var subscriptions: [Int64] = []
    var lastSubscription: Int64 = 0
    var lastID: Int64 = 0
    private var lastRevision: Int64 = 0
    /// What was read last.
    private var lines: [String] = []
    private(set) var events = 0
    private(set) var folded = 0

    init(_ hub: Hub, _ token: UInt64) { client = SlowClient(hub, token: token) }

    /// What is wrong with what has arrived; `truth` says what all roots were at each revision.
    func read(_ truth: [Value]) -> String? {
        for line in client.take() {
            guard let message = try? Value(json: line) else { return "no JSON: \(line)" }
            if message["method"] == "goodbye" { return "goodbye" }
            let fault =
                message["params"].map(readEvent) ?? readAnswer(message, truth)
            lines.append(line)
            if lines.count > 40 { lines.removeFirst(20) }
            if let fault { return "\(fault)\n  in " + lines.suffix(20).joined(separator: "\n     ") }
        }
        return nil
    }

    private func readEvent(_ event: Value) -> String? {
        events += 1
        if event["coalesced"] != nil { folded += 1 }
        guard let number = event["subscription"]?.int, let revision = event["revision"]?.int,
            let path = event["path"]?.string, var mirror = mirrors[number],
            let names = try? DottedKeyPath.literalNames(of: path, maxDepth: 64)
        else { return "an event of no subscription" }
        if revision < lastRevision { return "the revision went back from \(lastRevision)" }
        lastRevision = revision
        if event["prior"] == true { return event["new"] == nil ? nil : "new on a prior line" }
        guard names.starts(with: mirror.base), let new = event["new"] else { return "elsewhere" }
        let below = names[mirror.base.count...]
        if below.isEmpty, mirror.value == nil { mirror.value = ValueMirror(new) }
        if mirror.base.isEmpty, mirror.value == nil { mirror.value = ValueMirror([:]) }
        // What another pattern of the subscription tells before the first value is in that.
        if event["reason"] == "initial" {
            mirror.fresh.insert(path)
        } else if below.count == (mirror.base.isEmpty ? 1 : 0) {
            mirror.fresh.remove(path)
        }
        let fault = mirror.value?.apply(
            below,
            kind: event["kind"]?.string,
            index: event["indexes"]?[0]?.int.map(Int.init),
            new: new
        )
        mirrors[number] = mirror
        // Where patterns overlap, events about an element may come when an earlier one has shown a later array.
        return mirror.isOverlapped ? nil : fault ?? nil
    }

    private func readAnswer(_ message: Value, _ truth: [Value]) -> String? {
        guard let id = message["id"]?.int,
            let (revision, mirror, unsubscribed) = asked.removeValue(forKey: id)
        else { return "an answer to nothing" }
        if message["error"] != nil { return "an error" }
        if let fault = compare(truth[Int(revision)...], isLast: false) { return "\(fault), at \(revision)" }
        if let mirror, let number = message["result"]?["subscription"]?.int { mirrors[number] = mirror }
        if let unsubscribed { mirrors[unsubscribed] = nil }
        return nil
    }

    /// Each mirror is what was at one of these revisions.
    func compare(_ truth: ArraySlice<Value>, isLast: Bool) -> String? {
        for (number, mirror) in mirrors {
            // Where patterns overlap, what is told late is as it is then, beside what is told as it was.
            if mirror.isOverlapped, truth.count > 1 { continue }
            if mirror.isPaced, !isLast { continue }
            guard let value = mirror.value?.value else {
                if mirror.base.isEmpty { continue }
                return "no first value of \(number)"
            }
            // Under `**` each root is a mirror of its own.
            let roots = mirror.base.isEmpty ? ["a", "b"] : [""]
            let isRight = roots.allSatisfy { root in
                let base = mirror.base.isEmpty ? root : mirror.base.joined(separator: ".")
                if !isLast, mirror.fresh.contains(mirror.base.isEmpty ? root : base) { return true }
                let mirrored = (mirror.base.isEmpty ? value[root] ?? .null : value).withoutNulls
                return truth.contains { roots in
                    roots[base]?.withoutNulls == mirrored
                }
            }
            if !isRight {
                return
                    "subscription \(number) \(mirror.options) mirrors \(value), the truth is \(truth.first ?? nil)"
            }
        }
        return nil
    }
}
