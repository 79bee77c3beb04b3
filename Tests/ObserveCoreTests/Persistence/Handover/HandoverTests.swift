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

    @Test(arguments: seeds(12))
    func `a resumed subscription gets the same events after a handover`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var hub = Hub.with([("s", #"{"n":0}"#), ("a", #"{"m":{"k":1},"r":[1,[2,3],{"k":4}]}"#)])
        hub.tree.keepHistory(commits: [30, 1000][Int(seed % 2)])
        _ = FakeClient(hub).ask(#"{"id":1,"method":"bind","params":{"source":"a.m.k","target":"s.bound"}}"#)
        var resumed = 0
        for round in 0..<4 {
            let writer = FakeClient(hub)
            for _ in 0..<60 { writer.send(Self.write(&random)) }
            let next = try Self.handOver(hub)
            #expect(next.tree.faults() == [], "seed \(seed), round \(round)")
            #expect(next.epoch == hub.epoch && next.revision == hub.revision)
            for revision in stride(from: 0, through: hub.revision, by: 3) {
                for params in Self.subscriptions {
                    let request =
                        #"{"id":1,"method":"subscribe","params":{\#(params),"since":{"epoch":"\#(hub.epoch)","revision":\#(revision)}}}"#
                    let (former, present) = (FakeClient(hub), FakeClient(next))
                    let expected = Self.unordered(former.ask(request))
                    #expect(
                        Self.unordered(present.ask(request)) == expected,
                        "seed \(seed), round \(round), \(request)"
                    )
                    if expected.first?.contains(#""resumed":true"#) == true { resumed += 1 }
                    former.close()
                    present.close()
                }
            }
            #expect(next.tree.faults() == [], "seed \(seed), round \(round)")
            writer.close()
            hub = next
        }
        #expect(resumed > 100)
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
        next.tree.keepHistory(commits: hub.tree.history.commitLimit)
        next.writer.timeOfDay = hub.writer.timeOfDay
        try next.takeOver(Handover(hub.handover(socket: nil, withTree: true)))
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
        let (method, rest) =
            switch below(7) {
            case 0: ("remove", "")
            case 1: ("insert", #","value":\#(pick([scalar, model]))"#)
            case 2: ("link", #","target":"\#(pick(["a.m", "b", "a.r.1", "s"]))","weak":\#(below(2) == 0)"#)
            case 3: ("merge", #","value":{"k":\#(scalar),"n":null}"#)
            default: ("set", #","value":\#(pick([scalar, model, "[\(scalar),{\"k\":1}]"]))"#)
            }
        let target = method == "insert" ? pick(["a.r", "b.r"]) : path
        return #"{"id":1,"method":"\#(method)","params":{"path":"\#(target)"\#(rest)}}"#
    }

    @Test func `a damaged handover is refused`() throws {
        let hub = Hub.with([("a", #"{"m":{"k":1},"r":[1,2]}"#)])
        let writer = FakeClient(hub)
        writer.send(#"{"id":1,"method":"set","params":{"path":"a.m","value":{"k":2}}}"#)
        let text = hub.handover(socket: FileIdentity(device: 1, inode: .max), withTree: true)
        #expect(try Handover(text).socket == FileIdentity(device: 1, inode: .max))
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            var damaged = text
            let place = Int(random.next() % UInt64(text.count))
            if random.next() % 2 == 0 { damaged[place] ^= 1 } else { damaged.removeSubrange(place...) }
            let next = Hub(limits: ServerLimits(), now: .now)
            #expect(throws: StateError.self) { try next.takeOver(Handover(damaged)) }
        }
    }

    @Test func `a commit with several edits of an array limits the history`() throws {
        let hub = Hub.with([("a", "[1,2]")])
        let writer = FakeClient(hub)
        let before = hub.revision
        writer.send(
            #"{"id":1,"method":"transaction","params":{"operations":[{"method":"insert","params":{"path":"a","value":3}},{"method":"remove","params":{"path":"a.0"}}]}}"#,
            #"{"id":1,"method":"set","params":{"path":"b","value":1}}"#
        )
        let next = try Self.handOver(hub)
        for (revision, isResumed) in [(before, false), (before + 1, true), (before + 2, true)] {
            let answer = FakeClient(next).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"b","since":{"epoch":"\#(hub.epoch)","revision":\#(revision)}}}"#
            )
            #expect(answer.first?.contains(#""resumed":\#(isResumed)"#) == true)
        }
    }
}
