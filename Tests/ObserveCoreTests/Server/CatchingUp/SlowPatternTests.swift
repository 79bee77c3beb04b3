// SPDX-License-Identifier: MIT
// Clients that sleep and wake at random, and mirror the values below a path. Compares the mirrors with the tree at
// each revision.

import Testing

@testable import ObserveCore

@Suite struct SlowPatternTests {
    private static let choices: [(patterns: String, base: [String])] = [
        (#""**""#, []), (#""a.**""#, ["a"]), (#""b.m.**""#, ["b", "m"]), (#""a.r.**""#, ["a", "r"]),
        (#""a.**","a.*""#, ["a"]), (#""a.**","a.*.**""#, ["a"]), (#""a.**","a.r.*""#, ["a"]),
        (#""**","a.r.*","b.m.x""#, []), (#""a.**","a.r.*.**""#, ["a"]),
    ]

    @Test(arguments: seeds(10))
    func `mirrors stay exact while clients sleep`(seed: UInt64) {
        var run = Run(seed: seed)
        run.run(seed: seed, steps: 2500)
        #expect(run.events > 500)
        #expect(run.coalesced > 20)
    }

    @Test(arguments: FastPathSwitch.allCases)
    func `mirrors stay exact without one of the fast paths`(fastPath: FastPathSwitch) {
        var run = Run(seed: 20)
        fastPath.turnOff(in: run.hub)
        run.run(seed: 20, steps: 1200)
    }

    @Test(arguments: seeds(12))
    func `delayed mirrors are exact when it is quiet`(seed: UInt64) {
        var run = Run(seed: seed, isPaced: true)
        run.run(seed: seed, steps: 2500) { run, step in
            if step % 80 == 79 || step == 2499 { run.letItBeQuiet() }
        }
        #expect(run.events > 500)
        #expect(run.coalesced > 20)
    }

    private struct Run: SeededRun {
        let hub: Hub
        let clock = TestClock()
        let isPaced: Bool
        let writer: FakeClient
        var subscribers: [MirroringClient] = []
        var random: SeededGenerator
        let hasWeak: Bool
        /// All roots at each revision.
        var truth: [Value] = []
        private let parsed = ParsedKeyPath(maxDepth: 64)
        var fault: String?
        var log: [String] = []
        var lastToken: UInt64 = 10
        var events = 0
        var coalesced = 0
        /// The greatest number of paths.
        var largest = 0

        init(seed: UInt64, isPaced: Bool = false) {
            random = SeededGenerator(seed: seed)
            self.isPaced = isPaced
            hasWeak = seed % 2 == 0
            var limits = ServerLimits()
            limits.clients.foldAfterBytes = [0, 100, 700][Int(seed % 3)]
            hub = Hub.with([("a", "{}"), ("b", "{}")], limits: limits, clock: clock)
            writer = FakeClient(hub, token: 1)
            truth = [[:], [:]]
            record()
            for _ in 0..<3 { addSubscriber() }
        }

        mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

        mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

        mutating func addSubscriber() {
            lastToken += 1
            subscribers.append(MirroringClient(hub, lastToken))
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

        /// Wakes all clients, and lets a long time pass.
        mutating func letItBeQuiet() {
            log.append("quiet")
            for subscriber in subscribers { subscriber.client.wake() }
            clock.pass(milliseconds: 10_000, in: hub) {
                for subscriber in subscribers { subscriber.client.drain() }
            }
            hub.sessions.dirty.removeAll()
            for subscriber in subscribers where fault == nil {
                subscriber.client.wake()
                check(subscriber)
                if fault == nil { fault = subscriber.compare(truth[(truth.count - 1)...], isLast: true) }
            }
            if fault == nil, hub.timers.count > 0 { fault = "work is left in the timer queue" }
            if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(60).joined(separator: "\n") }
        }

        mutating func step() {
            if isPaced, below(4) == 0 {
                let milliseconds = UInt64(pick([1, 5, 20, 60]))
                log.append("\(milliseconds) ms")
                clock.pass(milliseconds: milliseconds, in: hub)
            }
            switch below(100) {
            case 0..<65: write()
            case 65..<85: act(on: pick(subscribers))
            default: sleepOrWake(pick(subscribers))
            }
            for subscriber in subscribers where !subscriber.client.session.delivery.isBlocked {
                subscriber.client.drain()
            }
            hub.sessions.dirty.removeAll()
            for subscriber in subscribers where fault == nil { check(subscriber) }
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

        /// A path that mostly leads along existing values.
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
            if below(20) == 0 { return awayAndBack(path(), keep: "\(pick(["a", "b"])).k") }
            if below(5) > 0 { return send(operation()) }
            let operations = (0...below(4)).map { _ in "{\(operation())}" }.joined(separator: ",")
            send(#""method":"transaction","params":{"operations":[\#(operations)]}"#)
        }

        /// The path gets another value, and then the same model again, in which something has changed.
        mutating func awayAndBack(_ path: String, keep: String) {
            send(#""method":"link","params":{"path":"\#(keep)","target":"\#(path)"}"#)
            send(#""method":"set","params":{"path":"\#(path).x","value":\#(below(9))}"#)
            send(#""method":"set","params":{"path":"\#(path)","value":null}"#)
            if below(2) == 0 { act(on: pick(subscribers)) }
            send(#""method":"link","params":{"path":"\#(path)","target":"\#(keep)"}"#)
        }

        mutating func send(_ request: String) {
            _ = writer.ask(#"{"id":1,\#(request)}"#)
            record()
            log.append("r\(hub.tree.revision) \(request)")
        }

        // MARK: Clients

        mutating func act(on subscriber: MirroringClient) {
            guard !subscriber.client.isPaused else { return }
            switch below(6) {
            case 0...1 where subscriber.subscriptions.count < 4: subscribe(subscriber)
            case 2 where !subscriber.subscriptions.isEmpty:
                let number = pick(subscriber.subscriptions)
                subscriber.subscriptions.removeAll { $0 == number }
                send(
                    #""method":"unsubscribe","params":{"subscription":\#(number)}"#,
                    to: subscriber,
                    unsubscribed: number
                )
            default: send(#""method":"ping""#, to: subscriber)
            }
        }

        mutating func subscribe(_ subscriber: MirroringClient) {
            // A wildcard also matches weak references, which no mirror has.
            let choices = SlowPatternTests.choices
            let (patterns, base) = pick(hasWeak ? Array(choices[..<4]) : choices)
            let delivery = below(4) == 0 && !isPaced ? "every" : "latest"
            let pace = isPaced ? pick(["", #","throttle":20"#, #","debounce":20"#, #","throttle":70"#]) : ""
            let options =
                #""paths":[\#(patterns)],"old":\#(below(2) == 0),"prior":\#(below(4) == 0),"distinct":\#(below(4) > 0),"delivery":"\#(delivery)"\#(pace)"#
            subscriber.lastSubscription += 1
            subscriber.subscriptions.append(subscriber.lastSubscription)
            let mirror = MirroringClient.Mirror(
                base: base,
                options: options,
                isOverlapped: patterns.contains(","),
                isPaced: !pace.isEmpty
            )
            send(#""method":"subscribe","params":{\#(options)}"#, to: subscriber, mirror: mirror)
        }

        mutating func send(
            _ request: String,
            to subscriber: MirroringClient,
            mirror: MirroringClient.Mirror? = nil,
            unsubscribed: Int64? = nil
        ) {
            subscriber.lastID += 1
            log.append("client \(subscriber.client.session.token) \(request)")
            subscriber.asked[subscriber.lastID] = (hub.tree.revision, mirror, unsubscribed)
            subscriber.client.send(#"{"id":\#(subscriber.lastID),\#(request)}"#)
        }

        mutating func sleepOrWake(_ subscriber: MirroringClient) {
            switch below(8) {
            case 0..<3:
                log.append("client \(subscriber.client.session.token) sleeps")
                subscriber.client.sleep(after: pick([0, 0, 1, 50, 1000]))
            case 3..<6:
                log.append("client \(subscriber.client.session.token) wakes")
                subscriber.client.wake(pick([1, 10, 100, 400, 2000]))
            case 6: subscriber.client.wake()
            default:
                guard below(10) == 0 else { return }
                close(subscriber)
                addSubscriber()
            }
        }

        mutating func close(_ subscriber: MirroringClient) {
            subscriber.client.close()
            events += subscriber.events
            coalesced += subscriber.coalesced
            subscribers.removeAll { $0 === subscriber }
        }

        mutating func check(_ subscriber: MirroringClient) {
            fault = subscriber.read(truth).map { "client \(subscriber.client.session.token): \($0)" }
            largest = max(largest, SlowPatternTests.countPaths(truth[truth.count - 1]))
            let alive = subscriber.client.waitingMarks
            // One mark for each path, with the value that was seen; some for paths that are gone.
            let bound = (4 * largest + 20) * (1 + subscriber.subscriptions.count)
            if alive > bound { fault = "\(alive) marks, and there were \(largest) paths at most" }
        }

        mutating func finish() {
            for subscriber in subscribers where fault == nil {
                subscriber.client.wake()
                send(#""method":"ping""#, to: subscriber)
                subscriber.client.wake()
                fault =
                    subscriber.read(truth) ?? subscriber.compare(truth[(truth.count - 1)...], isLast: true)
                if fault == nil, !subscriber.asked.isEmpty { fault = "unanswered" }
                close(subscriber)
            }
            writer.close()
            let left = hub.tree.patternLeftovers.filter {
                !["models", "properties", "names"].contains($0.key)
            }
            if fault == nil,
                hub.clientRecords != Hub.noClientRecords || !left.isEmpty
                    || hub.registry.compounds.count > 0
            {
                fault = "left behind: \(hub.clientRecords) \(left)"
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
