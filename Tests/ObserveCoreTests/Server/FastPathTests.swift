// SPDX-License-Identifier: MIT
// A `set` of a scalar, and a link, take fast paths through the hub and the tree, with the general path's result.

import Testing

@testable import ObserveCore

@Suite struct FastPathTests {
    /// A hub with clients that subscribe with all options, and one that writes.
    private struct Side {
        let hub: Hub
        let writer: FakeClient
        var listeners: [FakeClient] = []
        /// An option that keeps a set off the fast path.
        let more: String
        /// An option that keeps a link off the fast path.
        var moreOfLinks: String { more.isEmpty ? "" : #","weak":false"# }
        let clock = TestClock()
        /// The journal's disk, if there is a journal.
        let disk = SimulatedDisk(seed: 1)

        private static let roots = [
            ("a", #"{"x":1,"y":"one","m":{"x":2,"z":null},"l":[1,{"x":3}],"w":null}"#), ("b", "0"),
            ("t", #"{"d":0.5,"n":{"k":"one"},"any":1}"#),
        ]

        init(_ more: String) {
            self.more = more
            hub = Hub.with([], clock: clock)
            Side.declareType(in: hub.tree)
            Side.define(in: hub.tree)
            hub.journaling.epoch = "e"
            writer = FakeClient(hub, token: 1)
            listen()
        }

        init(_ more: String, keptWith durability: Durability) throws {
            self.more = more
            hub = Hub.with([], clock: clock)
            var conditions = StartConditions(
                durability: durability,
                boot: "b",
                clockOffset: 1_000_000,
                freshEpoch: "e"
            )
            Side.declareType(in: hub.tree)
            conditions.reservedBytes = 300
            hub.journaling.keep(try Recovery.open(hub.tree, on: disk, conditions).journal)
            Side.define(in: hub.tree)
            hub.journaling.flushBatch()
            writer = FakeClient(hub, token: 1)
            listen()
        }

        private mutating func listen() {
            listen(#""path":"a.x""#)
            listen(#""paths":["a.x","a.y","b","a.m.x"],"old":true,"origin":true"#)
            listen(#""path":"a.m","own":false,"delivery":"every""#)
        }

        private static func declareType(in tree: ModelTree) {
            var computed = PropertyDeclaration("c", "Any")
            computed.computed = "{i}"
            var fixed = PropertyDeclaration("r", "Int")
            fixed.isReadonly = true
            let type = TypeDeclaration(
                "T",
                [
                    PropertyDeclaration("s", "String"), PropertyDeclaration("i", "Int"),
                    PropertyDeclaration("j", "Int"), PropertyDeclaration("d", "Double?"),
                    PropertyDeclaration("b", "Bool"), PropertyDeclaration("n", "[String: String]"),
                    PropertyDeclaration("any", "Any"), fixed, computed,
                ]
            )
            #expect(tree.declare([type]) == [])
            do { try tree.declare(root: "t", type: "T") } catch { fatalError("\(error)") }
        }

        private static func define(in tree: ModelTree) {
            for (name, json) in roots {
                do { try tree.define(root: name, json: json) } catch { fatalError("\(error)") }
            }
        }

        /// The contents of the disk.
        func kept() throws -> [String] {
            try disk.names().map { "\($0): \(String(decoding: try disk.read($0) ?? [], as: UTF8.self))" }
        }

        mutating func listen(_ params: String) {
            let client = FakeClient(hub, token: UInt64(listeners.count + 2))
            client.send(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#)
            listeners.append(client)
        }

        /// The lines of all clients.
        func take() -> [[String]] { ([writer] + listeners).map { $0.take() } }

        func resumed(since revision: Int) -> [String] {
            let guest = FakeClient(hub, token: 99)
            defer { guest.close() }
            return guest.ask(
                #"{"id":1,"method":"subscribe","params":{"paths":["a","a.x","a.y","a.m.x","b"],"old":true,"since":{"epoch":"e","revision":\#(revision)}}}"#
            )
        }
    }

    private static let paths = [
        "a.x", "a.x", "a.y", "a.m.x", "a.m.x", "a.m.z", "b", "a.l.0", "a.w", "a.w.x", "a.new", "a", "a.m.x.y",
        "observed.x", "a..x", "*", "a.*", "t.s", "t.i", "t.j", "t.d", "t.b", "t.n.k", "t.any", "t.r", "t.c",
        "t.x", "a.l.1.x",
        "a.m.n.x",
    ]
    private static let values = [
        "1", "2", "1.0", "-3", "-0", "1e2", "0.50", "1e999", "123456789012345678901", "\"one\"", "\"two\"",
        "\"\"",
        "\"a longer text than those before it, which does not fit in their place\"", "\"\\u0061\"",
        "\"ü\"", "null", "true", "false", #"{"x":1}"#, "[1]",
    ]
    private static let targets = [
        "a.m", "a.m.n", "a", "t", "t.n", "a.w", "a.l", "a.l.1", "b", "a.x", "a.c", "t.c",
    ]
    private static let others = [
        #"{"id":7,"method":"link","params":{"path":"a.w","target":"a.m"}}"#,
        #"{"id":7,"method":"link","params":{"path":"a.w","target":"a.m","weak":true}}"#,
        #"{"id":7,"method":"remove","params":{"path":"a.m"}}"#,
        #"{"id":7,"method":"set","params":{"path":"a.m","value":{"x":5}}}"#,
        #"{"id":7,"method":"set","params":{"path":"a","value":{"x":1,"y":"one","m":{"x":2},"w":{"x":1}}}}"#,
        #"{"id":7,"method":"remove","params":{"path":"a.x"}}"#,
        #"{"id":7,"method":"set","params":{"path":"a.x","value":3,"lifetime":"connection"}}"#,
        #"{"id":7,"method":"transaction","params":{"operations":[{"method":"remove","params":{"path":"a.m"}},{"method":"set","params":{"path":"observed","value":1}}]}}"#,
        #"{"id":7,"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a.m","value":{"x":0}}},{"method":"set","params":{"path":"a.m.x","value":4}}]}}"#,
        #"{"id":7,"method":"bind","params":{"source":"a.x","target":"b"}}"#,
        #"{"id":7,"method":"unbind","params":{"binding":1}}"#,
        #"{"id":7,"method":"set","params":{"path":"a.m.n","value":{"x":1,"y":2}}}"#,
        #"{"id":7,"method":"link","params":{"path":"b","target":"a.m"}}"#,
    ]
    private static let listeners = [
        #""path":"a.*""#, #""path":"a.m.*""#, #""paths":["*.x","b"]"#, #""path":"a.**""#, #""path":"**""#,
        #""path":"a.m.**","old":true"#, #""paths":["a.**","a.x"]"#, #""paths":["*.**","b"],"distinct":false"#,
        #""path":"t.**","origin":true"#, #""path":"a.m.x.**""#, #""path":"a.m.n.**","own":false"#,
        #""path":"a.l.@count""#, #""path":"a.@count","distinct":false"#,
        #""paths":["a.@sum","a.m.@max"],"old":true"#,
        #""path":"a.m.@avg""#, #""path":"a.l.@sum.x""#, #""path":"a.@unionOfObjects.x""#,
        #""path":"t.n.@count""#,
        #""path":"a.x","distinct":false"#, #""path":"a.m.x.y","distinct":false"#,
        #""path":"a.m.x","prior":true,"old":true"#,
        #""path":"a.y","throttle":100000"#, #""paths":["t.i","t.n.k"],"old":true"#,
    ]

    /// Sends the same requests to two hubs. One of them gets explicit defaults, and so takes the general path.
    @Test(arguments: seeds(12, usually: 1))
    func `the fast path does the same as the general path`(seed: UInt64) throws {
        try compare(Side(""), Side(#","parents":false"#), seed)
    }

    /// The journals are equal, and refused commits are undone on both paths.
    @Test(arguments: seeds(12, usually: 1))
    func `the fast path writes the same journal as the general path`(seed: UInt64) throws {
        let durability = [Durability.commit, .interval, .none][Int(seed % 3)]
        try compare(
            Side("", keptWith: durability),
            Side(#","parents":false"#, keptWith: durability),
            seed
        )
    }

    /// The same requests to two hubs, one of them with a fast path switched off.
    @Test(arguments: seeds(3, usually: 1), FastPathSwitch.allCases)
    func `without one of the fast paths answers and events are the same`(
        seed: UInt64,
        fastPath: FastPathSwitch
    ) throws {
        let general = Side("")
        fastPath.turnOff(in: general.hub)
        try compare(Side(""), general, seed)
        let kept = try Side("", keptWith: .commit)
        fastPath.turnOff(in: kept.hub)
        try compare(Side("", keptWith: .commit), kept, seed &+ 100)
    }

    @Test(arguments: seeds(4, usually: 1))
    func `without any fast path answers and events are the same`(seed: UInt64) throws {
        let general = Side("")
        for fastPath in FastPathSwitch.allCases { fastPath.turnOff(in: general.hub) }
        try compare(Side(""), general, seed)
    }

    private func compare(_ first: Side, _ second: Side, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (short, long) = (first, second)
        func pick(_ choices: [String]) -> String {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }
        if seed % 2 == 1 {
            for params in [#""paths":["a.m.x","a.**","a.x"]"#, #""paths":["*.x","a.m.x","**"]"#] {
                short.listen(params)
                long.listen(params)
            }
        }
        for step in 1...many(300, usually: 150) {
            let (path, value, chance) = (
                pick(FastPathTests.paths), pick(FastPathTests.values), Int.random(in: 0..<100, using: &random)
            )
            let other = chance < 12 ? pick(FastPathTests.others) : nil
            let target = (12..<20).contains(chance) ? pick(FastPathTests.targets) : nil
            for side in [short, long] {
                if let other {
                    side.writer.push(other)
                } else if let target {
                    side.writer.push(
                        #"{"id":\#(step),"method":"link","params":{"path":"\#(path)","target":"\#(target)"\#(side.moreOfLinks)}}"#
                    )
                } else {
                    side.writer.push(
                        #"{"id":\#(step),"method":"set","params":{"path":"\#(path)","value":\#(value)\#(side.more)}}"#
                    )
                }
            }
            if chance >= 97 {
                let params = pick(FastPathTests.listeners)
                short.listen(params)
                long.listen(params)
            }
            if chance >= 95, chance < 97, let last = short.listeners.indices.last, last > 2 {
                short.listeners.remove(at: last).close()
                long.listeners.remove(at: last).close()
            }
            if chance > 80, chance < 90 {
                let revision = max(0, Int(short.hub.tree.revision) - 3)
                #expect(short.resumed(since: revision) == long.resumed(since: revision))
            }
            if chance > 90 {
                for side in [short, long] { side.listeners[step % 3].isAsleep.toggle() }
            }
            #expect(short.hub.tree.revision == long.hub.tree.revision)
            if chance > 92 {
                for side in [short, long] {
                    side.disk.isFull.toggle()
                    if chance == 93 { side.clock.pass(milliseconds: 200, in: side.hub) }
                }
            }
            if step % 4 == 0 || chance > 90 {
                let (found, expected) = (short.take(), long.take())
                #expect(found == expected, "seed \(seed), step \(step)")
                #expect(try short.kept() == long.kept())
                if found != expected { return }
            }
        }
        for side in [short, long] {
            for listener in side.listeners { listener.isAsleep = false }
            side.disk.isFull = false
        }
        #expect(short.take() == long.take())
        let last = Int(short.hub.tree.revision)
        for revision in stride(from: max(1, last - 150), to: last, by: 13) {
            #expect(short.resumed(since: revision) == long.resumed(since: revision))
        }
        #expect(short.hub.tree.faults() == [])
        for side in [short, long] { side.hub.journaling.closeJournal() }
        #expect(try short.kept() == long.kept())
    }

    /// Sends many requests in one piece to two hubs: one prefetches in any tree, the other never.
    @Test(arguments: seeds(8, usually: 1))
    func `prefetching does not change the result`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (near, far) = (Side(""), Side(""))
        near.hub.tree.paths.sparseNodes = .max
        far.hub.tree.paths.sparseNodes = 0
        for step in 1...40 {
            var text = ""
            // After many requests for one path, the hub stops prefetching in this piece.
            let alike = Int.random(in: 0..<40, using: &random)
            var path = ""
            for number in 0..<Int.random(in: 1...60, using: &random) {
                let isOther = number >= alike && Int.random(in: 0..<25, using: &random) == 0
                if number == 0 || number >= alike {
                    path = FastPathTests.paths.randomElement(using: &random)!
                }
                let value = FastPathTests.values.randomElement(using: &random)!
                let line =
                    isOther
                    ? FastPathTests.others.randomElement(using: &random)!
                    : #"{"id":\#(number),"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#
                text += line + "\n"
            }
            let bytes = Array(text.utf8)
            let cut = Int.random(in: 0...bytes.count, using: &random)
            for side in [near, far] {
                side.writer.send(bytes: Array(bytes[..<cut]))
                side.writer.send(bytes: Array(bytes[cut...]))
            }
            let (found, expected) = (far.take(), near.take())
            #expect(found == expected, "seed \(seed), step \(step)")
            if found != expected { return }
        }
        #expect(far.hub.tree.faults() == [])
    }

    /// The pool reuses a replaced text's place only after the history has dropped it.
    @Test func `a text in the history keeps its bytes`() {
        let side = Side("")
        for number in 1...3000 {
            side.writer.push(
                #"{"id":1,"method":"set","params":{"path":"a.y","value":"text \#(number)"}}"#
            )
        }
        _ = side.take()
        let events = side.resumed(since: 2100).dropFirst()
        // The roots take three commits, so each text has the revision three above its number.
        let texts = events.compactMap { event in
            event.split(separator: #""old":""#).last?.split(separator: "\"").first.map(String.init)
        }
        #expect(texts == (2097..<3000).map { "text \($0)" })
    }

    @Test func `a read view shows the old values after fast-path writes`() {
        let side = Side("")
        let readView = ReadView(of: side.hub.tree, .init(epoch: "e", clock: WallClock(offset: 0)))
        side.writer.push(#"{"id":1,"method":"set","params":{"path":"a.y","value":"two"}}"#)
        side.writer.push(#"{"id":2,"method":"set","params":{"path":"a.y","value":"three"}}"#)
        let out = ByteBuffer()
        while !readView.isDone { readView.write(to: out, bytes: 1) }
        #expect(out.string.contains(#""one""#))
        #expect(!out.string.contains(#""two""#) && !out.string.contains(#""three""#))
    }

    @Test func `a path through an array leads to the present element`() {
        let hub = Hub.with([("a", #"{"l":[{"x":1},[{"x":2}],3]}"#)])
        let client = FakeClient(hub)
        func set(_ path: String, _ value: Int) {
            client.send(#"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#)
        }
        func change(_ method: String, _ params: String) {
            client.send(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
        }
        func list() -> String { client.ask(#"{"id":1,"method":"get","params":{"path":"a.l"}}"#).last ?? "" }
        for value in 10...11 {
            set("a.l.0.x", value)
            set("a.l.1.0.x", value + 10)
        }
        set("a.l.2", 4)
        #expect(list().contains(#"[{"x":11},[{"x":21}],4]"#))
        change("insert", #""path":"a.l","index":0,"value":{"x":0}"#)
        set("a.l.0.x", 12)
        #expect(list().contains(#"[{"x":12},{"x":11},[{"x":21}],4]"#))
        change("remove", #""path":"a.l.1""#)
        set("a.l.1.0.x", 22)
        change("set", #""path":"a.l.1.0","value":{"x":0}"#)
        set("a.l.1.0.x", 23)
        #expect(list().contains(#"[{"x":12},[{"x":23}],4]"#))
        change("set", #""path":"a.l.1","value":5"#)
        #expect(client.take().allSatisfy { $0.contains("result") })
        set("a.l.1.0.x", 24)
        #expect(client.take().allSatisfy { $0.contains("error") })
        #expect(hub.tree.faults() == [])
    }

    @Test func `a path leads to the present model`() {
        let hub = Hub.with([("a", #"{"m":{"x":1},"n":{"x":1}}"#)])
        let client = FakeClient(hub)
        func set(_ value: Int) {
            client.send(#"{"id":1,"method":"set","params":{"path":"a.m.x","value":\#(value)}}"#)
        }
        func model() -> String { client.ask(#"{"id":1,"method":"get","params":{"path":"a"}}"#).last ?? "" }
        set(2)
        set(3)
        client.send(#"{"id":1,"method":"link","params":{"path":"a.m","target":"a.n"}}"#)
        set(4)
        #expect(model().contains(#"{"m":{"x":4},"n":{"x":4}}"#))
        client.send(#"{"id":1,"method":"set","params":{"path":"a.m","value":{"x":0}}}"#)
        set(5)
        #expect(model().contains(#"{"m":{"x":5},"n":{"x":4}}"#))
        client.send(#"{"id":1,"method":"remove","params":{"path":"a.m.x"}}"#)
        set(6)
        #expect(model().contains(#"{"m":{"x":6},"n":{"x":4}}"#))
        client.send(#"{"id":1,"method":"link","params":{"path":"a.w","target":"a.n","weak":true}}"#)
        client.send(#"{"id":1,"method":"set","params":{"path":"a.w.x","value":7}}"#)
        client.send(#"{"id":1,"method":"set","params":{"path":"a.w.x","value":8}}"#)
        client.send(#"{"id":1,"method":"set","params":{"path":"a.n","value":null}}"#)
        client.send(#"{"id":1,"method":"set","params":{"path":"a.w.x","value":9}}"#)
        #expect(client.take().last?.contains("a.w is null") == true)
    }
}
