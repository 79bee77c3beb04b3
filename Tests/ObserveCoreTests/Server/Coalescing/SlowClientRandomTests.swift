// SPDX-License-Identifier: MIT
// Clients that sleep and wake at random, compared with a naive oracle that has every path's value at every revision.

import Testing

@testable import ObserveCore

@Suite struct SlowClientRandomTests {
    private static let paths = [
        "a", "a.x", "a.y", "a.m", "a.m.k", "a.m.n.z", "a.r", "a.r.0", "a.r.1.k", "a.w", "a.w.k", "b", "b.m.k",
        "b.l", "b.l.k", "s.n",
    ]
    private static let stepsEach = 3000

    @Test(arguments: seeds(10))
    func `mirrors stay exact while clients sleep`(seed: UInt64) {
        var run = Run(seed: seed)
        run.run(seed: seed, steps: Self.stepsEach)
        #expect(run.events > 1000)
        #expect(run.coalesced > 30)
    }

    @Test(arguments: FastPathSwitch.allCases)
    func `mirrors stay exact without one of the fast paths`(fastPath: FastPathSwitch) {
        var run = Run(seed: 20)
        fastPath.turnOff(in: run.hub)
        run.run(seed: 20, steps: Self.stepsEach / 2)
    }

    @Test(arguments: Array(seeds(12)) + [231])
    func `delayed mirrors are exact when it is quiet`(seed: UInt64) {
        var run = Run(seed: seed, isPaced: true)
        run.run(seed: seed, steps: Self.stepsEach) { run, step in
            if step % 100 == 99 { run.letItBeQuiet() }
        }
        #expect(run.events > 1000)
        #expect(run.coalesced > 30)
    }

    /// One of the clients, with its oracle.
    private final class Subscriber {
        let client: SlowClient
        let oracle: SlowClientOracle
        var lastID: Int64 = 0
        var subscriptions: [Int64] = []
        var lastSubscription: Int64 = 0
        var attachments = 0
        var hasSlept = false
        var hasEvery = false
        var answersWaiting: Int { oracle.expected.count }

        init(_ hub: Hub, _ token: UInt64, context: String) {
            client = SlowClient(hub, token: token)
            oracle = SlowClientOracle(context: context)
        }
    }

    private struct Run: SeededRun {
        let hub: Hub
        let clock = TestClock()
        let isPaced: Bool
        /// Milliseconds since the start.
        var now: UInt64 = 0
        let limits: ServerLimits
        let writer: FakeClient
        var subscribers: [Subscriber] = []
        var random: SeededGenerator
        var truth: Truth
        var fault: String?
        var lastModel = 0
        var lastToken: UInt64 = 10
        var counter = 0
        var log: [String] = []
        var events = 0
        var coalesced = 0

        init(seed: UInt64, isPaced: Bool = false) {
            random = SeededGenerator(seed: seed)
            self.isPaced = isPaced
            var limits = ServerLimits()
            limits.clients.foldAfterBytes = [0, 100, 700][Int(seed % 3)]
            limits.clients.maxOutboxBytes = 12_000
            self.limits = limits
            hub = Hub.with([("s", #"{"id":0,"n":0}"#)], limits: limits, clock: clock)
            writer = FakeClient(hub, token: 1)
            truth = Truth(SlowClientRandomTests.paths, hub.tree)
            for _ in 0..<4 { addSubscriber() }
        }

        mutating func addSubscriber() {
            lastToken += 1
            subscribers.append(Subscriber(hub, lastToken, context: "client \(lastToken)"))
        }

        mutating func pick<T>(_ choices: [T]) -> T {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }

        /// Lets time pass by the millisecond, and awake clients read.
        mutating func pass(_ milliseconds: Int) {
            for _ in 0..<milliseconds where fault == nil {
                now += 1
                truth.now = now
                clock.pass(milliseconds: 1, in: hub)
                finishTurn()
            }
        }

        /// Wakes all clients, and lets more time pass than any delay.
        mutating func letItBeQuiet() {
            log.append("quiet")
            for subscriber in subscribers { subscriber.client.wake() }
            finishTurn()
            pass(200)
            for subscriber in subscribers
            where fault == nil && subscriber.client.session.delivery.closing == nil {
                fault = subscriber.oracle.checkBarrier(hub.tree.revision, truth, isQuiet: true)
            }
            if fault == nil, hub.timers.count > 0 { fault = "work is left in the timer queue" }
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
            case 60..<85: act(on: pick(subscribers))
            default: sleepOrWake(pick(subscribers))
            }
            finishTurn()
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

        /// The method and params of a random write. The hub may refuse many of them.
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

        mutating func act(on subscriber: Subscriber) {
            guard !subscriber.client.isPaused, subscriber.client.session.delivery.closing == nil else {
                return
            }
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: subscribe(subscriber)
            case 2 where !subscriber.subscriptions.isEmpty: unsubscribe(subscriber)
            case 3..<6:
                let path = pick(SlowClientRandomTests.paths)
                send(#""method":"get","params":{"path":"\#(path)"}"#, .get(path), to: subscriber)
            case 6..<9:
                let request = randomWrite()
                send(request, .write, to: subscriber)
            default: send(#""method":"ping""#, .ping, to: subscriber)
            }
        }

        mutating func subscribe(_ subscriber: Subscriber) {
            guard subscriber.subscriptions.count < 5 else { return unsubscribe(subscriber) }
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
            subscriber.lastSubscription += 1
            subscriber.subscriptions.append(subscriber.lastSubscription)
            subscriber.attachments += count
            if options.every { subscriber.hasEvery = true }
            send(
                #""method":"subscribe","params":{"paths":[\#(list)],"initial":\#(options.initial),"old":\#(options.old),"prior":\#(options.prior),"distinct":\#(options.distinct),"delivery":"\#(options.every ? "every" : "latest")","throttle":\#(options.throttle),"debounce":\#(options.debounce)}"#,
                .subscribe(paths, options),
                to: subscriber
            )
        }

        mutating func unsubscribe(_ subscriber: Subscriber) {
            let number = pick(subscriber.subscriptions)
            subscriber.subscriptions.removeAll { $0 == number }
            send(
                #""method":"unsubscribe","params":{"subscription":\#(number)}"#,
                .unsubscribe(number),
                to: subscriber
            )
        }

        mutating func send(_ request: String, _ kind: Expected.Kind, to subscriber: Subscriber) {
            subscriber.lastID += 1
            log.append("\(subscriber.oracle.context) \(request)")
            subscriber.client.send(#"{"id":\#(subscriber.lastID),\#(request)}"#)
            truth.record(hub.tree)
            subscriber.oracle.expected[subscriber.lastID] = Expected(kind: kind, revision: hub.tree.revision)
        }

        mutating func sleepOrWake(_ subscriber: Subscriber) {
            switch Int.random(in: 0..<8, using: &random) {
            // In a paced run the first two never sleep, so that the oracle can check times.
            case 0..<3 where !isPaced || subscriber !== subscribers[0] && subscriber !== subscribers[1]:
                subscriber.client.sleep(after: pick([0, 0, 1, 50, 1000]))
                subscriber.hasSlept = true
            case 0..<3: break
            case 3..<6 where isPaced && !subscriber.hasSlept: break
            case 3..<6: subscriber.client.wake(pick([1, 10, 100, 400, 2000]))
            case 6: subscriber.client.wake()
            default:
                guard Int.random(in: 0..<10, using: &random) == 0 else { return }
                log.append("\(subscriber.oracle.context) closes")
                subscriber.client.close()
                count(subscriber)
                subscribers.removeAll { $0 === subscriber }
                addSubscriber()
            }
        }

        // MARK: Checking

        /// Finishes a turn: awake clients read their output.
        mutating func finishTurn() {
            for subscriber in subscribers where !subscriber.client.session.delivery.isBlocked {
                subscriber.client.drain()
            }
            hub.sessions.dirty.removeAll()
            for subscriber in subscribers where fault == nil {
                check(subscriber)
                if subscriber.oracle.isOver {
                    subscriber.client.close()
                    count(subscriber)
                    subscribers.removeAll { $0 === subscriber }
                    addSubscriber()
                }
            }
            if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(40).joined(separator: "\n") }
        }

        mutating func check(_ subscriber: Subscriber) {
            subscriber.oracle.now = now
            // If a client has slept, timely events may arrive late.
            subscriber.oracle.isAwake = !subscriber.hasSlept
            fault = subscriber.oracle.read(subscriber.client.take(), truth)
            let (alive, all) = subscriber.client.waitingEntries
            // A change and its root's removal for each path, each with finalized lines.
            let bound = (4 * subscriber.attachments + 2) * (1 + subscriber.answersWaiting)
            // With `every`, each event of a frame is an entry.
            if alive > bound, !subscriber.hasEvery {
                fault = "\(alive) entries wait for \(subscriber.attachments) paths"
            }
            if all > 2 * bound + 200, !subscriber.hasEvery {
                fault = "\(all) entries are kept for \(subscriber.attachments) paths"
            }
            if subscriber.client.session.waitingBytes > limits.clients.maxOutboxBytes + 4000 + 500
                * subscriber.attachments
            {
                fault = "\(subscriber.client.session.waitingBytes) bytes wait"
            }
        }

        mutating func count(_ subscriber: Subscriber) {
            events += subscriber.oracle.events
            coalesced += subscriber.oracle.coalescedEvents
        }

        mutating func finish() {
            for subscriber in subscribers where fault == nil {
                subscriber.client.wake()
                send(#""method":"ping""#, .ping, to: subscriber)
                subscriber.client.wake()
                fault = subscriber.oracle.read(subscriber.client.take(), truth)
                if fault == nil, !subscriber.oracle.isOver, !subscriber.oracle.expected.isEmpty {
                    fault = "unanswered: \(subscriber.oracle.expected.keys.sorted())"
                }
                count(subscriber)
                subscriber.client.close()
            }
            writer.close()
            if fault == nil, hub.clientRecords != Hub.noClientRecords {
                fault = "left behind: \(hub.clientRecords)"
            }
        }
    }
}
