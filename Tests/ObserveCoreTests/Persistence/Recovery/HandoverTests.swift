// SPDX-License-Identifier: MIT
// A tree in a handover: the next hub answers as the former one, for the past too. Independent of processes.

import Testing

@testable import ObserveCore

@Suite struct HandoverTests {
    private static let subscriptions = [
        #""path":"**","old":true"#, #""path":"a.**","origin":true"#, #""path":"*.*","prior":true,"old":true"#,
        #""paths":["a","a.m","a.m.k","a.r","a.r.0","a.r.1.k","a.w","b","b.m.k","b.l.k","a.r.@count"],"old":true"#,
        #""paths":["a.m[k > 1].k","a.@latest.k","a.@latest[k > 1].k","a.@first[k != 4]","a.r.@count[. != 2]"],"old":true"#,
        #""path":"a.*[k > 1].k","old":true"#,
    ]

    @Test(arguments: seeds(12, usually: 1))
    func `after a handover, the same writes make the same state, events and past`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var hub = Hub.with([("s", #"{"n":0}"#), ("a", #"{"m":{"k":1},"r":[1,[2,3],{"k":4}]}"#)])
        _ = FakeClient(hub).ask(#"{"id":1,"method":"bind","params":{"source":"a.m.k","target":"s.bound"}}"#)
        var resumed = 0
        for round in 0..<many(4, usually: 2) {
            let former = FakeClient(hub)
            for _ in 0..<60 { former.send(Self.write(&random)) }
            let context = "seed \(seed), round \(round)"
            // The check of an upgrade restores the values of connections too, and ends them.
            #expect(try Self.handOver(hub).tree.faults() == [], "\(context)")
            hub.journaling.finishCommits()
            let next = try Self.handOver(hub)
            #expect(next.tree.faults() == [], "\(context)")
            #expect(
                next.journaling.epoch == hub.journaling.epoch && Self.state(next) == Self.state(hub),
                "\(context)"
            )
            let (first, present) = (hub.clients.revision, FakeClient(next))
            _ = (former.take(), present.take())
            for _ in 0..<60 {
                let line = Self.write(&random)
                #expect(former.ask(line) == present.ask(line), "\(context), \(line)")
            }
            #expect(Self.state(next) == Self.state(hub), "\(context)")
            for revision in first...hub.clients.revision {
                for params in Self.subscriptions {
                    let request = Self.resume(params, hub.journaling.epoch, revision)
                    let (old, new) = (FakeClient(hub), FakeClient(next))
                    let expected = Self.unordered(old.ask(request))
                    #expect(Self.unordered(new.ask(request)) == expected, "\(context), \(request)")
                    if expected.first?.contains(#""resumed":true"#) == true { resumed += 1 }
                    old.close()
                    new.close()
                }
            }
            // The history begins at the handover.
            let early = FakeClient(next).ask(
                Self.resume(Self.subscriptions[0], hub.journaling.epoch, first - 1)
            )
            #expect(early.first?.contains(#""resumed":false"#) == true, "\(context)")
            #expect(next.tree.faults() == [], "\(context)")
            former.close()
            present.close()
            hub = next
        }
        #expect(resumed > many(100, usually: 50))
    }

    /// The state, without the times and connections at which temporary values end: both hubs have clocks of their own.
    private static func state(_ hub: Hub) -> String {
        hub.tree.stateDump(hasTimes: false, hasOwners: false)
    }

    private static func resume(_ params: String, _ epoch: String, _ revision: UInt64) -> String {
        let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
        return #"{"id":1,"method":"subscribe","params":{\#(params),\#(since)}}"#
    }

    /// The answer, then the events. The holders of a shared model, and so the events of one commit, may have another
    /// order after a recovery.
    private static func unordered(_ lines: [String]) -> [String] {
        let events = lines.dropFirst().map { line in
            line.hasSuffix(#","more":true}}"#) ? line.dropLast(14) + "}}" : line
        }
        return lines.prefix(1) + events.sorted()
    }

    private static func handOver(_ hub: Hub) throws -> Hub {
        let next = Hub(limits: ServerLimits(), now: .now)
        next.clients.writer.timeOfDay = hub.clients.writer.timeOfDay
        try next.journaling.restore(from: Handover(hub.journaling.handover(socket: nil, withTree: true)))
        return next
    }

    private static func write(_ random: inout SeededGenerator) -> String {
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        func pick(_ choices: [String]) -> String { choices[below(choices.count)] }
        let scalar = pick(["0", "1", "2.5", "null", "true", #""t""#, #""a longer text with \"quotes\"""#])
        let model = #"{"k":\#(scalar),"m":{"k":\#(below(9))},"r":[\#(scalar),{"k":\#(below(9))}]}"#
        let path = pick([
            "a", "b", "a.m", "a.m.k", "b.m", "b.l", "a.w", "a.r", "a.r.0", "a.r.1", "a.r.2.k", "b.m.k",
        ])
        // A value may lie over another, whose models nothing else keeps.
        let lifetime = pick(["", "", #","lifetime":60000"#, #","lifetime":"connection""#])
        let (method, rest) =
            switch below(7) {
            case 0: ("remove", "")
            case 1: ("insert", #","value":\#(pick([scalar, model]))"#)
            case 2: ("link", #","target":"\#(pick(["a.m", "b", "a.r.1", "s"]))","weak":\#(below(2) == 0)"#)
            case 3: ("merge", #","value":{"k":\#(scalar),"n":null}"#)
            default: ("set", #","value":\#(pick([scalar, model, "[\(scalar),{\"k\":1}]"]))\#(lifetime)"#)
            }
        let target = method == "insert" ? pick(["a.r", "b.r"]) : path
        return #"{"id":1,"method":"\#(method)","params":{"path":"\#(target)"\#(rest)}}"#
    }

    @Test func `a damaged handover is refused`() throws {
        let hub = Hub.with([("a", #"{"m":{"k":1},"r":[1,2]}"#)])
        let writer = FakeClient(hub)
        writer.send(#"{"id":1,"method":"set","params":{"path":"a.m","value":{"k":2}}}"#)
        let text = hub.journaling.handover(socket: FileIdentity(device: 1, inode: .max), withTree: true)
        #expect(try Handover(text).socket == FileIdentity(device: 1, inode: .max))
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            var damaged = text
            let place = Int(random.next() % UInt64(text.count))
            if random.next() % 2 == 0 { damaged[place] ^= 1 } else { damaged.removeSubrange(place...) }
            let next = Hub(limits: ServerLimits(), now: .now)
            #expect(throws: StateError.self) { try next.journaling.restore(from: Handover(damaged)) }
        }
    }
}
