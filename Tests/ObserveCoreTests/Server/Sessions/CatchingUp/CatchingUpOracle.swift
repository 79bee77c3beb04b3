// SPDX-License-Identifier: MIT
// The oracle of clients that catch up: reads the lines of one connection, and checks each against the protocol.

@testable import ObserveCore

/// A request, and what its answer is about.
struct CatchingUpRequest {
    enum Kind {
        case ping
        case write
        case get([String])
        case subscribe(Int64, CatchingUpOptions, CatchingUpResumption?)
        case unsubscribe(Int64)
    }

    /// Nil for a notification.
    let id: Int64?
    let kind: Kind
    /// The hub's revision as the client sent it.
    let sentAt: UInt64
}

/// What a client keeps of a subscription whose connection ended.
struct CatchingUpResumption {
    let options: CatchingUpOptions
    let values: [String: Value]
    let revision: UInt64
    let epoch: String
}

/// Reads one connection's lines.
final class CatchingUpOracle {
    let context: String
    private let truth: CatchingUpTruth
    /// The lines of requests that have no answer yet; a batch is one.
    private(set) var expected: [(isBatch: Bool, requests: [CatchingUpRequest])] = []
    private(set) var mirrors: [Int64: CatchingUpMirror] = [:]
    /// Subscriptions that the client ended without an `id`: their events may follow, or not.
    private var ending: Set<Int64> = []
    private var lastRevision: UInt64 = 0
    private var epoch = ""
    /// The connection got `goodbye`: no line may follow.
    private(set) var isOver = false
    var conditions = CatchingUpConditions()
    var mayOverflow = false
    /// The last lines.
    private(set) var lines: [String] = []
    private(set) var figures = CatchingUpFigures()
    /// Of each paced subscription, the frames since the last look.
    var pacedFrames: [Int64: Int] = [:]

    init(_ context: String, _ truth: CatchingUpTruth) {
        self.context = context
        self.truth = truth
    }

    func expect(_ requests: [CatchingUpRequest], isBatch: Bool) {
        for request in requests {
            if request.id == nil, case .unsubscribe(let number) = request.kind { ending.insert(number) }
        }
        let answered = requests.filter { $0.id != nil }
        if !answered.isEmpty { expected.append((isBatch, answered)) }
    }

    /// The first fault of the lines.
    func read(_ received: [String]) -> String? {
        for line in received {
            lines.append("r\(truth.revision) \(line)")
            if lines.count > 80 { lines.removeFirst(40) }
            if let fault = read(line) { return "\(fault)\nin \(line)" }
        }
        return nil
    }

    private func read(_ line: String) -> String? {
        guard let message = try? Value(json: line) else { return "not JSON" }
        if isOver { return "a line after goodbye" }
        if message["method"] == "goodbye" {
            isOver = true
            return mayOverflow && message["params"]?["reason"] == "overflow" ? nil : "an unexpected goodbye"
        }
        if message["method"] == "change", let event = message["params"] { return readEvent(event) }
        figures.answers += 1
        if let answers = message.array { return readBatch(answers) }
        guard let first = expected.first, !first.isBatch else { return "an answer to nothing" }
        expected.removeFirst()
        return readAnswer(message, first.requests[0])
    }

    // MARK: Events

    private func readEvent(_ raw: Value) -> String? {
        guard let number = raw["subscription"]?.int, let mirror = mirrors[number] else {
            return "an event of no subscription"
        }
        guard let event = CatchingUpEvent(raw) else { return "members of an event" }
        if event.revision < lastRevision, !mirror.isReplaying {
            return "the revision went back from \(lastRevision)"
        }
        if event.revision > truth.revision { return "a revision of the future" }
        lastRevision = max(lastRevision, event.revision)
        figures.events += 1
        if event.count > 1 { figures.coalesced += 1 }
        if mirror.options.isPaced, !event.hasMore { pacedFrames[number, default: 0] += 1 }
        return mirror.read(event, conditions, truth).map {
            "subscription \(number): \($0)\nwith \(mirror.options.params), from r\(mirror.beganAt)"
        }
    }

    // MARK: Answers

    private func readAnswer(_ answer: Value, _ request: CatchingUpRequest) -> String? {
        if answer["id"]?.int != request.id { return "the answer to \(request.id ?? -1) should come first" }
        let named = answer["result"]?["revision"]?.int.map(UInt64.init)
        if let named, named < lastRevision { return "the answer goes back from \(lastRevision)" }
        lastRevision = max(lastRevision, named ?? 0)
        let first = max(request.sentAt, lastRevision)
        if let fault = barrier(named.map { $0...$0 } ?? first...max(first, truth.revision)) { return fault }
        if let named {
            for mirror in mirrors.values where !mirror.isInFrame && !mirror.isWaiting {
                mirror.resume(from: named)
            }
        }
        return readResult(answer, request)
    }

    private func readBatch(_ answers: [Value]) -> String? {
        guard let first = expected.first, first.isBatch else { return "an answer to no batch" }
        expected.removeFirst()
        if answers.count != first.requests.count { return "\(answers.count) answers in a batch" }
        var named: UInt64 = 0
        for (answer, request) in zip(answers, first.requests) {
            if answer["id"]?.int != request.id { return "the answer to \(request.id ?? -1) is missing" }
            guard let revision = answer["result"]?["revision"]?.int.map(UInt64.init) else { continue }
            if revision < named { return "a batch goes back from \(named)" }
            named = revision
        }
        // Subscriptions that the batch ends had their last events at some time in it.
        var ended: Set<Int64> = []
        for request in first.requests {
            if case .unsubscribe(let number) = request.kind { ended.insert(number) }
        }
        lastRevision = max(lastRevision, named)
        let lower = max(first.requests[0].sentAt, lastRevision)
        if let fault = barrier(lower...max(lower, truth.revision), but: ended) { return fault }
        for (answer, request) in zip(answers, first.requests) {
            if let fault = readResult(answer, request) { return fault }
        }
        return nil
    }

    private func readResult(_ answer: Value, _ request: CatchingUpRequest) -> String? {
        guard let result = answer["result"] else {
            if case .write = request.kind { return nil }
            return "an error"
        }
        switch request.kind {
        case .ping, .write: return nil
        case .get(let paths): return readGet(result, paths)
        case .unsubscribe(let number):
            if mirrors.removeValue(forKey: number) == nil { return "no subscription \(number)" }
            return nil
        case .subscribe(let number, let options, let resumption):
            return readSubscribe(result, number, options, resumption)
        }
    }

    private func readGet(_ result: Value, _ paths: [String]) -> String? {
        guard let revision = result["revision"]?.int else { return "get without a revision" }
        let values = paths.count == 1 ? [result] : result["values"]?.array ?? []
        guard values.count == paths.count else { return "\(values.count) values" }
        guard let image = truth.image(UInt64(revision)) else { return nil }
        for (value, path) in zip(values, paths) {
            let state = image.state(of: CatchingUpPattern.split(path).map(CatchingUpComponent.init))
            let expected = image.whole(state.cell).withoutNulls
            if value["value"]?.withoutNulls != expected || value["nilAt"]?.string != state.nilAt {
                return "\(path) is \(expected), nilAt \(state.nilAt ?? "missing")"
            }
        }
        return nil
    }

    private func readSubscribe(
        _ result: Value,
        _ number: Int64,
        _ options: CatchingUpOptions,
        _ resumption: CatchingUpResumption?
    ) -> String? {
        guard result["subscription"]?.int == number, mirrors[number] == nil else { return "not \(number)" }
        guard let initial = result["initial"]?.int.map(Int.init), let text = result["epoch"]?.string,
            let isResumed = result["resumed"]?.bool, let revision = result["revision"]?.int.map(UInt64.init)
        else { return "members of the answer" }
        epoch = text
        if result["tag"] != options.tag { return "tag" }
        if isResumed {
            guard let resumption, initial == 0, let replayed = result["replayed"]?.int.map(Int.init) else {
                return "resumed"
            }
            if options.isPaced {
                return "a paced subscription is resumed"
            }
            figures.resumed += 1
            figures.replayed += replayed
            mirrors[number] = CatchingUpMirror(
                options,
                at: resumption.revision,
                initial: nil,
                replayed: replayed,
                kept: resumption.values,
                truth
            )
            guard replayed == 0, let mirror = mirrors[number], mirror.isChecked else { return nil }
            return mirror.difference(revision, truth).map { "resumed without an event, and \($0)" }
        }
        let hasInitial = options.hasInitial || resumption != nil
        if !hasInitial, initial != 0 { return "\(initial) initial events are not wanted" }
        if hasInitial, let image = truth.image(revision) {
            let fewest = options.isLiteral ? options.patterns.count : options.expected(image).count
            if initial < fewest || options.isLiteral && initial > fewest {
                return "initial should be \(fewest)"
            }
        }
        let mirror = CatchingUpMirror(options, at: revision, initial: hasInitial ? initial : nil, truth)
        mirrors[number] = mirror
        return nil
    }

    // MARK: Barriers

    /// Checks that the mirrors are complete, and equal the state at one of these revisions.
    func barrier(_ revisions: ClosedRange<UInt64>, but ended: Set<Int64> = [], isQuiet: Bool = false)
        -> String?
    {
        var checked: [(Int64, CatchingUpMirror)] = []
        for (number, mirror) in mirrors.sorted(by: { $0.key < $1.key }) where !ending.contains(number) {
            if mirror.isInFrame { return "before an answer, a frame of \(number) is not complete" }
            if mirror.isWaiting, !mirror.options.isPaced || isQuiet {
                return "first events of \(number) are missing"
            }
            let isExact = mirror.isChecked || isQuiet && mirror.options.own && !mirror.isLost
            if isExact, !ended.contains(number) { checked.append((number, mirror)) }
        }
        var first: String?
        for revision in revisions {
            var fault: String?
            for (number, mirror) in checked where fault == nil {
                fault = mirror.difference(revision, truth).map {
                    "before an answer, \($0), subscription \(number) with \(mirror.options.params)"
                }
            }
            if fault == nil {
                first = nil
                break
            }
            first = first ?? fault
        }
        if let first { return "\(first), in \(revisions)" }
        return revisions.count == 1 ? checkCounts(revisions.lowerBound, checked.map(\.1)) : nil
    }

    /// Under `every`, each change has an event. And `s.n` never returns to a value, so all its changes are sent.
    private func checkCounts(_ revision: UInt64, _ mirrors: [CatchingUpMirror]) -> String? {
        if conditions.hasShortTurns { return nil }
        for mirror in mirrors where mirror.options.isLiteral && mirror.options.distinct {
            for path in mirror.options.patterns.map(\.text) where mirror.options.every || path == "s.n" {
                let record = mirror.paths[path] ?? CatchingUpPathRecord(path, at: mirror.beganAt, truth)
                var cursor = record.cursor
                cursor.advance(to: revision, truth)
                guard cursor.isComplete else { continue }
                let isRight = path == "s.n" ? record.count == cursor.changes : record.count >= cursor.changes
                if !isRight { return "\(record.count) of \(cursor.changes) changes of \(path) are sent" }
            }
        }
        return nil
    }

    /// The subscriptions as the client may continue them on another connection.
    var resumptions: [CatchingUpResumption] {
        mirrors.sorted { $0.key < $1.key }.filter { number, mirror in
            mirror.canResume && mirror.options.own && !mirror.isLost && !ending.contains(number)
        }.map {
            CatchingUpResumption(
                options: $1.options,
                values: $1.kept,
                revision: $1.keptRevision,
                epoch: epoch
            )
        }
    }

    /// The number of frames, for the figures of the run.
    var frames: Int { mirrors.values.reduce(0) { $0 + $1.frames } }
}

/// What a run has seen.
struct CatchingUpFigures {
    var events = 0
    var coalesced = 0
    var answers = 0
    var resumed = 0
    var replayed = 0
    var overflows = 0

    mutating func add(_ other: CatchingUpFigures) {
        events += other.events
        coalesced += other.coalesced
        answers += other.answers
        resumed += other.resumed
        replayed += other.replayed
        overflows += other.overflows
    }
}
