// SPDX-License-Identifier: MIT
// Clients that sleep and wake at random and mirror what is below a path, against what the tree was at each revision.

import Testing

@testable import ObserveCore

/// A client that keeps one mirror for each of its subscriptions.
private final class MirroringReader {
    struct Mirror {
        /// The path that is mirrored: what the subscription's first pattern is about.
        let base: [String]
        let options: String
        let isOverlapped: Bool
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

@Suite struct SlowPatternTests {
    private static let choices: [(patterns: String, base: [String])] = [
        (#""**""#, []), (#""a.**""#, ["a"]), (#""b.m.**""#, ["b", "m"]), (#""a.r.**""#, ["a", "r"]),
        (#""a.**","a.*""#, ["a"]), (#""a.**","a.*.**""#, ["a"]), (#""a.**","a.r.*""#, ["a"]),
        (#""**","a.r.*","b.m.x""#, []), (#""a.**","a.r.*.**""#, ["a"]),
    ]

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `mirrors are exact, whatever sleeps`(seed: UInt64) {
        var run = Run(seed: seed)
        for step in 0..<2500 {
            run.step()
            guard let fault = run.fault else { continue }
            Issue.record("seed \(seed), step \(step): \(fault)")
            return
        }
        run.finish()
        if let fault = run.fault { Issue.record("seed \(seed), at the end: \(fault)") }
        #expect(run.events > 500)
        #expect(run.folded > 20)
    }

    private struct Run {
        let hub: Hub
        let writer: FakeClient
        var readers: [MirroringReader] = []
        var random: SeededGenerator
        let hasWeak: Bool
        /// All roots as they were at each revision.
        var truth: [Value] = []
        private let parsed = ParsedKeyPath(maxDepth: 64)
        var fault: String?
        var log: [String] = []
        var lastToken: UInt64 = 10
        var events = 0
        var folded = 0
        /// How many paths there were at most.
        var largest = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            hasWeak = seed % 2 == 0
            var limits = ServerLimits()
            limits.foldAfterBytes = [0, 100, 700][Int(seed % 3)]
            hub = Hub.with([("a", "{}"), ("b", "{}")], limits: limits)
            writer = FakeClient(hub, token: 1)
            truth = [[:], [:]]
            record()
            for _ in 0..<3 { addReader() }
        }

        mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

        mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

        mutating func addReader() {
            lastToken += 1
            readers.append(MirroringReader(hub, lastToken))
        }

        mutating func record() {
            var value: Value = [:]
            for (_, base) in SlowPatternTests.choices + [("", ["b"])] where !base.isEmpty {
                let out = ByteBuffer()
                try? parsed.parse(dotted: base.joined(separator: "."))
                _ = hub.tree.render(hub.tree.read(parsed).value, to: out)
                value = value.with(base.joined(separator: "."), (try? Value(json: out.array)) ?? "too large")
            }
            while truth.count <= Int(hub.tree.revision) { truth.append(value) }
            truth[Int(hub.tree.revision)] = value
        }

        mutating func step() {
            switch below(100) {
            case 0..<65: write()
            case 65..<85: act(on: pick(readers))
            default: sleepOrWake(pick(readers))
            }
            for reader in readers where !reader.client.session.isBlocked { reader.client.drain() }
            hub.dirty.removeAll()
            for reader in readers where fault == nil { check(reader) }
            if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(60).joined(separator: "\n") }
        }

        // MARK: Writing

        mutating func value(_ depth: Int) -> String {
            switch below(depth > 2 ? 6 : 11) {
            case 0: return "null"
            case 1..<6: return pick(["0", "1", "2", #""t""#])
            case 6, 7:
                let elements = (0..<below(4)).map { _ in value(depth + 1) }
                return "[\(elements.joined(separator: ","))]"
            default:
                let members = ["x", "m", "r", "k"].shuffled(using: &random).prefix(below(4))
                return "{\(members.map { "\"\($0)\":\(value(depth + 1))" }.joined(separator: ","))}"
            }
        }

        /// A path that mostly leads along what is there.
        mutating func path() -> String {
            var names = [pick(["a", "a", "b"])]
            var value = truth[truth.count - 1][names[0]] ?? .null
            while names.count < 5, below(5) > 0 {
                switch value {
                case .object: names.append(pick(["x", "m", "r", "k"]))
                case .array(let elements) where !elements.isEmpty: names.append(String(below(elements.count)))
                default: return names.joined(separator: ".")
                }
                value =
                    Int(names[names.count - 1]).map { value[$0] ?? .null } ?? value[names[names.count - 1]]
                    ?? .null
            }
            return names.joined(separator: ".")
        }

        mutating func operation() -> String {
            let isCrowded = hub.tree.modelCount > 20
            switch below(24) {
            case 0..<9:
                return #""method":"set","params":{"path":"\#(path())","value":\#(value(isCrowded ? 3 : 1))}"#
            case 9..<14: return #""method":"set","params":{"path":"\#(path())","value":\#(value(3))}"#
            case 14..<17: return #""method":"remove","params":{"path":"\#(path())"}"#
            case 17..<20:
                return
                    #""method":"insert","params":{"path":"\#(path())","value":\#(value(2)),"index":\#(below(3))}"#
            case 20..<22: return #""method":"link","params":{"path":"\#(path())","target":"\#(path())"}"#
            case 22 where hasWeak:
                return #""method":"link","params":{"path":"\#(path())","target":"\#(path())","weak":true}"#
            default: return #""method":"set","params":{"path":"\#(pick(["a", "b"]))","value":\#(value(0))}"#
            }
        }

        mutating func write() {
            var request = operation()
            if below(5) == 0 {
                let operations = (0...below(4)).map { _ in "{\(operation())}" }.joined(separator: ",")
                request = #""method":"transaction","params":{"operations":[\#(operations)]}"#
            }
            _ = writer.ask(#"{"id":1,\#(request)}"#)
            record()
            log.append("r\(hub.tree.revision) \(request)")
        }

        // MARK: Clients

        mutating func act(on reader: MirroringReader) {
            guard !reader.client.isPaused else { return }
            switch below(6) {
            case 0...1 where reader.subscriptions.count < 4: subscribe(reader)
            case 2 where !reader.subscriptions.isEmpty:
                let number = pick(reader.subscriptions)
                reader.subscriptions.removeAll { $0 == number }
                send(
                    #""method":"unsubscribe","params":{"subscription":\#(number)}"#,
                    to: reader,
                    unsubscribed: number
                )
            default: send(#""method":"ping""#, to: reader)
            }
        }

        mutating func subscribe(_ reader: MirroringReader) {
            // A star also tells of weak references, which no mirror has.
            let choices = SlowPatternTests.choices
            let (patterns, base) = pick(hasWeak ? Array(choices[..<4]) : choices)
            let options =
                #""paths":[\#(patterns)],"old":\#(below(2) == 0),"prior":\#(below(4) == 0),"distinct":\#(below(4) > 0),"delivery":"\#(below(4) == 0 ? "every" : "latest")""#
            reader.lastSubscription += 1
            reader.subscriptions.append(reader.lastSubscription)
            let mirror = MirroringReader.Mirror(
                base: base,
                options: options,
                isOverlapped: patterns.contains(",")
            )
            send(#""method":"subscribe","params":{\#(options)}"#, to: reader, mirror: mirror)
        }

        mutating func send(
            _ request: String,
            to reader: MirroringReader,
            mirror: MirroringReader.Mirror? = nil,
            unsubscribed: Int64? = nil
        ) {
            reader.lastID += 1
            log.append("client \(reader.client.session.token) \(request)")
            reader.asked[reader.lastID] = (hub.tree.revision, mirror, unsubscribed)
            reader.client.send(#"{"id":\#(reader.lastID),\#(request)}"#)
        }

        mutating func sleepOrWake(_ reader: MirroringReader) {
            switch below(8) {
            case 0..<3:
                log.append("client \(reader.client.session.token) sleeps")
                reader.client.sleep(after: pick([0, 0, 1, 50, 1000]))
            case 3..<6:
                log.append("client \(reader.client.session.token) wakes")
                reader.client.wake(pick([1, 10, 100, 400, 2000]))
            case 6: reader.client.wake()
            default:
                guard below(10) == 0 else { return }
                close(reader)
                addReader()
            }
        }

        mutating func close(_ reader: MirroringReader) {
            reader.client.close()
            events += reader.events
            folded += reader.folded
            readers.removeAll { $0 === reader }
        }

        mutating func check(_ reader: MirroringReader) {
            fault = reader.read(truth).map { "client \(reader.client.session.token): \($0)" }
            largest = max(largest, SlowPatternTests.countPaths(truth[truth.count - 1]))
            let (alive, _) = reader.client.waitingEntries
            // Every path may wait twice, before and behind each answer; it may have been, and be, another one.
            let bound = (4 * largest + 20) * (1 + reader.asked.count) * (1 + reader.subscriptions.count)
            if alive > bound { fault = "\(alive) entries wait, and there were \(largest) paths at most" }
        }

        mutating func finish() {
            for reader in readers where fault == nil {
                reader.client.wake()
                send(#""method":"ping""#, to: reader)
                reader.client.wake()
                fault = reader.read(truth) ?? reader.compare(truth[(truth.count - 1)...], isLast: true)
                if fault == nil, !reader.asked.isEmpty { fault = "unanswered" }
                close(reader)
            }
            writer.close()
            let left = hub.tree.patternLeftovers.filter {
                !["models", "properties", "names"].contains($0.key)
            }
            if fault == nil,
                hub.held != Hub.heldByNobody || !left.isEmpty || hub.patternSubscriptions.count > 0
            {
                fault = "left behind: \(hub.held) \(left)"
            }
        }
    }

    private static func countPaths(_ value: Value) -> Int {
        switch value {
        case .array(let elements): 1 + elements.reduce(0) { $0 + countPaths($1) }
        case .object(let members): 1 + members.reduce(0) { $0 + countPaths($1.value) }
        default: 1
        }
    }
}

extension Value {
    fileprivate func with(_ name: String, _ value: Value) -> Value {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }
}
