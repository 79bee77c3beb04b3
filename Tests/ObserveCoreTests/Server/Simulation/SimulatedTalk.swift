// SPDX-License-Identifier: MIT
// One connection as its client sees it: each answer must be the next one, and each mirror exact.

@testable import ObserveCore

/// A request under way.
struct ExpectedAnswer {
    enum Kind {
        case any
        case get([String])
        case write
        /// A write of the connection's own lane.
        case lane(Int64)
        case subscribe(SimulatedSubscription, after: SimulatedMirror?)
        case unsubscribe(Int64)
        case batch([ExpectedAnswer])
        /// Refused as a whole, with the id null.
        case refused
    }

    let id: Int64
    let kind: Kind
}

/// The requests, answers and mirrors of one connection.
final class SimulatedTalk {
    let history: SimulatedHistory
    let lane: SimulatedLane
    var expected: [ExpectedAnswer] = []
    private(set) var mirrors: [Int64: SimulatedMirror] = [:]
    private(set) var goodbye: String?
    private(set) var answers = 0
    private(set) var resumed = 0
    /// Whether the disk may refuse writes.
    var mayFail: () -> Bool = { false }
    private var lastRevision: UInt64 = 0
    private var lastID: Int64 = 0
    private var ending: Set<Int64> = []

    init(_ history: SimulatedHistory, _ lane: SimulatedLane) {
        self.history = history
        self.lane = lane
        lane.begin()
    }

    /// A subscription to end, which no other request ends.
    func popSubscription(_ index: Int) -> Int64? {
        let open = mirrors.keys.filter { !ending.contains($0) }.sorted()
        guard open.indices.contains(index) else { return nil }
        ending.insert(open[index])
        return open[index]
    }

    /// The subscription does not end after all.
    func keepSubscription(_ number: Int64) { ending.remove(number) }

    func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    /// Reads a line.
    ///
    /// - Returns: a fault.
    func read(_ line: [UInt8]) -> String? {
        if goodbye != nil { return "a line after goodbye" }
        guard let message = try? Value(json: line) else {
            // After `overflow`, a long line may be cut off.
            return "no JSON"
        }
        switch message["method"]?.string {
        case "goodbye":
            goodbye = message["params"]?["reason"]?.string ?? "none"
            for case .batch(let parts) in expected.map(\.kind) { noteInPart(parts) }
            return SimulatedTalk.reasons.contains(goodbye ?? "") ? nil : "goodbye for \(goodbye ?? "")"
        case "change": return message["params"].map(readEvent) ?? "no params"
        default: break
        }
        guard !expected.isEmpty else { return "an answer to nothing" }
        answers += 1
        return readAnswer(message, to: expected.removeFirst())
    }

    private static let reasons: Set = [
        "shutdown", "overflow", "idle", "tooManyConnections", "journalFailed", "tooManyMatches",
    ]

    /// The server may have executed the first requests of a batch without an answer.
    private func noteInPart(_ parts: [ExpectedAnswer]) {
        for case .lane(let value) in parts.map(\.kind) { lane.refuse(value, mayStay: true) }
    }

    // MARK: Events

    private func readEvent(_ event: Value) -> String? {
        guard let number = event["subscription"]?.int, let mirror = mirrors[number] else {
            return "an event of no subscription"
        }
        guard let raw = event["revision"]?.int, let path = event["path"]?.string else { return "members" }
        let revision = UInt64(raw)
        if !mirror.isReplaying {
            if revision < lastRevision { return "revision \(revision) after \(lastRevision)" }
            lastRevision = revision
        }
        guard let image = history.image(revision) else { return "revision \(revision) never was" }
        history.noteSeen(revision)
        return mirror.apply(event, path: path, at: revision, image)
    }

    // MARK: Answers

    private func readAnswer(_ message: Value, to expected: ExpectedAnswer, isBarrier: Bool = true) -> String?
    {
        if case .refused = expected.kind {
            return message["id"]?.isNull == true && message["error"] != nil ? nil : "a refusal without an id"
        }
        if case .batch(let parts) = expected.kind {
            guard let answers = message.array, answers.count == parts.count else { return "a batch" }
            // The events of all its commits have come before.
            for (index, part) in parts.enumerated() {
                let isLast = index == parts.count - 1
                if let fault = readAnswer(answers[index], to: part, isBarrier: isLast) { return fault }
            }
            return nil
        }
        guard message["id"]?.int == expected.id else { return "an answer, but not to \(expected.id)" }
        if let error = message["error"] { return readError(error, to: expected.kind) }
        guard let result = message["result"] else { return "no result" }
        var image: TreeImage?
        if let raw = result["revision"]?.int {
            let revision = UInt64(raw)
            guard let present = history.image(revision) else { return "revision \(revision) never was" }
            image = present
            history.noteSeen(revision)
            for (_, mirror) in mirrors.sorted(by: { $0.key < $1.key }) where isBarrier {
                if let fault = mirror.noteAnswer(revision, present) { return fault }
            }
        }
        return readResult(result, image, to: expected.kind)
    }

    private func readResult(_ result: Value, _ image: TreeImage?, to kind: ExpectedAnswer.Kind) -> String? {
        switch kind {
        case .any, .write, .batch, .refused: return nil
        case .get(let path):
            guard let image, let value = result["value"] else { return "members of get" }
            let expected = image.whole(image.cell(path)).withoutNulls
            return value.withoutNulls == expected ? nil : "the value is \(expected)"
        case .lane(let value):
            lane.acknowledge(value)
            guard let image, case .scalar(.int(value)) = image.cell(["s", lane.name]) else {
                return "the acknowledged write of \(value) to \(lane.name) has no effect"
            }
            return nil
        case .subscribe(let subscription, let last):
            guard let number = result["subscription"]?.int, let image else { return "members of subscribe" }
            if result["epoch"]?.string != history.epoch { return "the epoch is \(history.epoch)" }
            if result["resumed"] == true { resumed += 1 }
            let mirror = SimulatedMirror(subscription)
            mirrors[number] = mirror
            return mirror.begin(result, after: last, image)
        case .unsubscribe(let number):
            mirrors[number] = nil
            return nil
        }
    }

    private func readError(_ error: Value, to kind: ExpectedAnswer.Kind) -> String? {
        guard let code = error["code"]?.int else { return "no code" }
        if case .lane(let value) = kind { lane.refuse(value, mayStay: false) }
        switch code {
        case 1, 2, 4, 6, 7, -32602: break
        case 8: if !mayFail() { return "refused, though the disk is well" }
        default: return "code \(code)"
        }
        switch kind {
        case .get: return "get is refused"
        case .lane where code != 8 && code != 1: return "a write of a lane is refused"
        case .unsubscribe: return "unsubscribe is refused"
        default: return nil
        }
    }
}
