// SPDX-License-Identifier: MIT
// A client that mirrors the values below its paths, and compares the mirrors with the tree's.

@testable import ObserveCore

/// A client with one mirror for each subscription.
final class MirroringClient {
    struct Mirror {
        /// The mirrored path: the base of the subscription's first pattern.
        let base: [String]
        let options: String
        let isOverlapped: Bool
        /// The subscription has `throttle` or `debounce`: the mirror is exact once it is quiet.
        let isPaced: Bool
        var value: ValueMirror?
        /// Paths that have just got their value again, as of the time of sending. It may be later than the next
        /// answer, and even within a later commit, whose own event follows.
        var fresh: Set<String> = []
    }

    let client: SlowClient
    var mirrors: [Int64: Mirror] = [:]
    /// The requests without an answer, each with the revision of its execution.
    var asked: [Int64: (revision: UInt64, mirror: Mirror?, unsubscribed: Int64?)] = [:]
    var subscriptions: [Int64] = []
    var lastSubscription: Int64 = 0
    var lastID: Int64 = 0
    private var lastRevision: Int64 = 0
    /// The last lines.
    private var lines: [String] = []
    private(set) var events = 0
    private(set) var frames = 0
    private(set) var coalesced = 0

    init(_ hub: Hub, _ token: UInt64) { client = SlowClient(hub, token: token) }

    /// The first fault of the received lines; `truth` has all roots at each revision.
    func read(_ truth: [Value]) -> String? {
        for line in client.take() {
            guard let message = try? Value(json: line) else { return "no JSON: \(line)" }
            if message["method"] == "goodbye" { return "goodbye" }
            let fault =
                message["params"].map { readEvent($0, truth) } ?? readAnswer(message, truth)
            lines.append(line)
            if lines.count > 40 { lines.removeFirst(20) }
            if let fault { return "\(fault)\n  in " + lines.suffix(20).joined(separator: "\n     ") }
        }
        return nil
    }

    private func readEvent(_ event: Value, _ truth: [Value]) -> String? {
        events += 1
        if event["coalesced"] != nil { coalesced += 1 }
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
        // The first value includes earlier events of the subscription's other patterns.
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
        // If patterns overlap, an element's event may follow an event with a later array.
        if !mirror.isOverlapped, let fault { return fault }
        if event["more"] == true || mirror.isPaced { return nil }
        frames += 1
        return isExact(mirror, truth[Int(revision)])
            ? nil
            : "the frame of \(number) \(mirror.options) ends with \(mirror.value?.value ?? .null), at \(revision) it is \(truth[Int(revision)])"
    }

    /// Whether the mirror shows that state.
    private func isExact(_ mirror: Mirror, _ truth: Value) -> Bool {
        guard let value = mirror.value?.value else { return false }
        if mirror.base.isEmpty {
            return ["a", "b"].allSatisfy { (value[$0] ?? .null).withoutNulls == truth[$0]?.withoutNulls }
        }
        return truth[mirror.base.joined(separator: ".")]?.withoutNulls == value.withoutNulls
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

    /// Checks that each mirror equals the state at one of these revisions.
    func compare(_ truth: ArraySlice<Value>, isLast: Bool) -> String? {
        for (number, mirror) in mirrors {
            // If patterns overlap, a late event has a later state than the others.
            if mirror.isOverlapped, truth.count > 1 { continue }
            if mirror.isPaced, !isLast { continue }
            guard let value = mirror.value?.value else {
                if mirror.base.isEmpty { continue }
                return "no first value of \(number)"
            }
            // Under `**` each root has its own mirror.
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
