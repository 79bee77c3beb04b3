// SPDX-License-Identifier: MIT
// Clients that sleep and wake at random, against a naive oracle that knows what every path was at every revision.

import Testing

@testable import ObserveCore

@Suite struct SlowClientRandomTests {
    private static let paths = [
        "a", "a.x", "a.y", "a.m", "a.m.k", "a.m.n.z", "a.r", "a.r.0", "a.r.1.k", "a.w", "a.w.k", "b", "b.m.k",
        "b.l", "b.l.k", "s.n",
    ]
    private static let stepsEach = 3000

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `mirrors are exact, whatever sleeps`(seed: UInt64) {
        var run = Run(seed: seed)
        for step in 0..<Self.stepsEach {
            run.step()
            if let fault = run.fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        run.finish()
        if let fault = run.fault { Issue.record("seed \(seed), at the end: \(fault)") }
        #expect(run.events > 1000)
        #expect(run.folded > 30)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `mirrors are exact without the fast paths`(seed: UInt64) {
        var run = Run(seed: seed, hasFastPaths: false)
        for step in 0..<Self.stepsEach {
            run.step()
            if let fault = run.fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `paced mirrors are exact whenever it is quiet`(seed: UInt64) {
        var run = Run(seed: seed, isPaced: true)
        for step in 0..<Self.stepsEach {
            run.step()
            if step % 100 == 99 { run.letItBeQuiet() }
            if let fault = run.fault {
                Issue.record("seed \(seed), step \(step): \(fault)")
                return
            }
        }
        run.letItBeQuiet()
        run.finish()
        if let fault = run.fault { Issue.record("seed \(seed), at the end: \(fault)") }
        #expect(run.events > 1000)
        #expect(run.folded > 30)
    }

    /// One of the clients, with what is expected of it.
    private final class Reader {
        let client: SlowClient
        let oracle: SlowClientOracle
        var lastID: Int64 = 0
        var subscriptions: [Int64] = []
        var lastSubscription: Int64 = 0
        var attachments = 0
        var hasSlept = false
        var answersWaiting: Int { oracle.expected.count }

        init(_ hub: Hub, _ token: UInt64, context: String) {
            client = SlowClient(hub, token: token)
            oracle = SlowClientOracle(context: context)
        }
    }

    private struct Run {
        let hub: Hub
        let clock = TestClock()
        let isPaced: Bool
        /// Milliseconds since the start.
        var now: UInt64 = 0
        let limits: ServerLimits
        let writer: FakeClient
        var dependents: [Reader] = []
        var random: SeededGenerator
        var truth: Truth
        var fault: String?
        var lastModel = 0
        var lastToken: UInt64 = 10
        var counter = 0
        var log: [String] = []
        var events = 0
        var folded = 0

        init(seed: UInt64, isPaced: Bool = false, hasFastPaths: Bool = true) {
            random = SeededGenerator(seed: seed)
            self.isPaced = isPaced
            var limits = ServerLimits()
            limits.clients.foldAfterBytes = [0, 100, 700][Int(seed % 3)]
            limits.clients.maxOutboxBytes = 12_000
            self.limits = limits
            hub = Hub.with([("s", #"{"id":0,"n":0}"#)], limits: limits, clock: clock)
            if !hasFastPaths {
                hub.fastPaths.scalarSets = false
                hub.fastPaths.sharedDelivery = false
                hub.fastPaths.broadcast = false
            }
            writer = FakeClient(hub, token: 1)
            truth = Truth(SlowClientRandomTests.paths, hub.tree)
            for _ in 0..<4 { addReader() }
        }

        mutating func addReader() {
            lastToken += 1
            dependents.append(Reader(hub, lastToken, context: "client \(lastToken)"))
        }

        mutating func pick<T>(_ choices: [T]) -> T {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }

        /// Lets time pass by the millisecond, and everybody read who is awake.
        mutating func pass(_ milliseconds: Int) {
            for _ in 0..<milliseconds where fault == nil {
                now += 1
                truth.now = now
                clock.pass(milliseconds: 1, in: hub)
                settle()
            }
        }

        /// Everybody wakes, and nothing happens for longer than anything is held back.
        mutating func letItBeQuiet() {
            log.append("quiet")
            for reader in dependents { reader.client.wake() }
            settle()
            pass(200)
            for reader in dependents where fault == nil && reader.client.session.delivery.closing == nil {
                fault = reader.oracle.checkBarrier(hub.tree.revision, truth, isQuiet: true)
            }
            if fault == nil, hub.timers.count > 0 { fault = "something is left on the agenda" }
            if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(40).joined(separator: "\n") }
        }

        mutating func step() {
            if isPaced, Int.random(in: 0..<3, using: &random) == 0 {
                let milliseconds = pick([1, 2, 5, 15, 40])
                log.append("\(milliseconds) ms")
                pass(milliseconds)
            }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60: write()
            case 60..<85: act(on: pick(dependents))
            default: sleepOrWake(pick(dependents))
            }
            settle()
        }

        // MARK: Writing

        mutating func model(_ depth: Int = 0) -> String {
            lastModel += 1
            var members = #""id":\#(lastModel)"#
            if Bool.random(using: &random) { members += #","k":\#(scalar())"# }
            if depth < 2, Bool.random(using: &random) { members += #","m":\#(model(depth + 1))"# }
            if depth < 2, Bool.random(using: &random) { members += #","n":\#(model(depth + 1))"# }
            if Bool.random(using: &random) { members += #","z":\#(scalar())"# }
            if depth == 0, Bool.random(using: &random) { members += #","x":1,"r":\#(array())"# }
            return "{\(members)}"
        }

        mutating func array() -> String {
            let count = Int.random(in: 0...3, using: &random)
            var elements: [String] = []
            for _ in 0..<count {
                elements.append(Int.random(in: 0..<4, using: &random) == 0 ? model(2) : scalar())
            }
            return "[\(elements.joined(separator: ","))]"
        }

        mutating func scalar() -> String { pick(["0", "1", "1.0", "2", "null", "true", #""t""#]) }

        /// The method and params of a random write; many are refused, which is as good.
        mutating func randomWrite() -> String {
            func call(_ method: String, _ path: String, _ rest: String = "") -> String {
                #""method":"\#(method)","params":{"path":"\#(path)"\#(rest)}"#
            }
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<6:
                let path = pick(["a.x", "a.y", "a.m.k", "a.m.n.z", "b.m.k", "a.w.k", "b.l.k"])
                return call("set", path, #","value":\#(scalar())"#)
            case 6..<9: return call("set", pick(["a.m", "a.m.n", "b.m", "a.r.1"]), #","value":\#(model())"#)
            case 9: return call("set", pick(["a", "b"]), #","value":\#(model())"#)
            case 10: return call("set", pick(["a.m", "a.m.n", "b", "b.l", "a.w"]), #","value":null"#)
            case 11..<13: return call("set", "a.r", #","value":\#(array())"#)
            case 13..<15: return call("set", pick(["a.r.0", "a.r.1", "a.r.2"]), #","value":\#(scalar())"#)
            case 15: return call("remove", pick(["a.r.0", "a.r.1", "a.r", "a.x", "b.l"]))
            case 16: return call("remove", pick(["a", "b", "a.m", "b.m"]))
            case 17..<19:
                return call(
                    "link",
                    pick(["b.l", "a.m", "a.r.0"]),
                    #","target":"\#(pick(["a.m", "b.m", "a.m.n"]))""#
                )
            case 19..<21: return call("link", "a.w", #","target":"\#(pick(["a.m", "b.m"]))","weak":true"#)
            default:
                counter += 1
                return call("set", "s.n", #","value":\#(counter)"#)
            }
        }

        mutating func write() {
            let request = randomWrite()
            log.append(request)
            _ = writer.ask(#"{"id":1,\#(request)}"#)
            truth.record(hub.tree)
        }

        // MARK: Clients

        mutating func act(on reader: Reader) {
            guard !reader.client.isPaused, reader.client.session.delivery.closing == nil else { return }
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: subscribe(reader)
            case 2 where !reader.subscriptions.isEmpty: unsubscribe(reader)
            case 3..<6:
                let path = pick(SlowClientRandomTests.paths)
                send(#""method":"get","params":{"path":"\#(path)"}"#, .get(path), to: reader)
            case 6..<9:
                let request = randomWrite()
                send(request, .write, to: reader)
            default: send(#""method":"ping""#, .ping, to: reader)
            }
        }

        mutating func subscribe(_ reader: Reader) {
            guard reader.subscriptions.count < 5 else { return unsubscribe(reader) }
            var options = Expected.Options()
            options.initial = Int.random(in: 0..<4, using: &random) > 0
            options.old = Bool.random(using: &random)
            options.prior = Int.random(in: 0..<4, using: &random) == 0
            options.distinct = Int.random(in: 0..<4, using: &random) > 0
            options.every = Int.random(in: 0..<4, using: &random) == 0
            if isPaced {
                options.every = false
                (options.throttle, options.debounce) = pick([(0, 0), (20, 0), (0, 20), (90, 0), (0, 7)])
            }
            let count = Int.random(in: 1...6, using: &random)
            let paths = Array(SlowClientRandomTests.paths.shuffled(using: &random).prefix(count))
            let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
            reader.lastSubscription += 1
            reader.subscriptions.append(reader.lastSubscription)
            reader.attachments += count
            send(
                #""method":"subscribe","params":{"paths":[\#(list)],"initial":\#(options.initial),"old":\#(options.old),"prior":\#(options.prior),"distinct":\#(options.distinct),"delivery":"\#(options.every ? "every" : "latest")","throttle":\#(options.throttle),"debounce":\#(options.debounce)}"#,
                .subscribe(paths, options),
                to: reader
            )
        }

        mutating func unsubscribe(_ reader: Reader) {
            let number = pick(reader.subscriptions)
            reader.subscriptions.removeAll { $0 == number }
            send(
                #""method":"unsubscribe","params":{"subscription":\#(number)}"#,
                .unsubscribe(number),
                to: reader
            )
        }

        mutating func send(_ request: String, _ kind: Expected.Kind, to reader: Reader) {
            reader.lastID += 1
            log.append("\(reader.oracle.context) \(request)")
            reader.client.send(#"{"id":\#(reader.lastID),\#(request)}"#)
            truth.record(hub.tree)
            reader.oracle.expected[reader.lastID] = Expected(kind: kind, revision: hub.tree.revision)
        }

        mutating func sleepOrWake(_ reader: Reader) {
            switch Int.random(in: 0..<8, using: &random) {
            // In a paced run the first two never sleep, so that times can be told.
            case 0..<3 where !isPaced || reader !== dependents[0] && reader !== dependents[1]:
                reader.client.sleep(after: pick([0, 0, 1, 50, 1000]))
                reader.hasSlept = true
            case 0..<3: break
            case 3..<6 where isPaced && !reader.hasSlept: break
            case 3..<6: reader.client.wake(pick([1, 10, 100, 400, 2000]))
            case 6: reader.client.wake()
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { return }
                log.append("\(reader.oracle.context) closes")
                reader.client.close()
                count(reader)
                dependents.removeAll { $0 === reader }
                addReader()
            }
        }

        // MARK: Checking

        /// The end of a turn: everybody who is awake takes what there is.
        mutating func settle() {
            for reader in dependents where !reader.client.session.delivery.isBlocked { reader.client.drain() }
            hub.sessions.dirty.removeAll()
            for reader in dependents where fault == nil {
                check(reader)
                if reader.oracle.isOver {
                    reader.client.close()
                    count(reader)
                    dependents.removeAll { $0 === reader }
                    addReader()
                }
            }
            if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(40).joined(separator: "\n") }
        }

        mutating func check(_ reader: Reader) {
            reader.oracle.now = now
            // Where a client has slept, what it was offered in time may come late.
            reader.oracle.isAwake = !reader.hasSlept
            fault = reader.oracle.read(reader.client.take(), truth)
            let (alive, all) = reader.client.waitingEntries
            // A change and its root's removal for each path, and final lines behind each of them.
            let bound = (4 * reader.attachments + 2) * (1 + reader.answersWaiting)
            if alive > bound { fault = "\(alive) entries wait for \(reader.attachments) paths" }
            if all > 2 * bound + 200 { fault = "\(all) entries are kept for \(reader.attachments) paths" }
            if reader.client.session.waitingBytes > limits.clients.maxOutboxBytes + 4000 + 500
                * reader.attachments
            {
                fault = "\(reader.client.session.waitingBytes) bytes wait"
            }
        }

        mutating func count(_ reader: Reader) {
            events += reader.oracle.events
            folded += reader.oracle.folded
        }

        mutating func finish() {
            for reader in dependents where fault == nil {
                reader.client.wake()
                send(#""method":"ping""#, .ping, to: reader)
                reader.client.wake()
                fault = reader.oracle.read(reader.client.take(), truth)
                if fault == nil, !reader.oracle.isOver, !reader.oracle.expected.isEmpty {
                    fault = "unanswered: \(reader.oracle.expected.keys.sorted())"
                }
                count(reader)
                reader.client.close()
            }
            writer.close()
            if fault == nil, hub.held != Hub.heldByNobody { fault = "left behind: \(hub.held)" }
        }
    }
}
