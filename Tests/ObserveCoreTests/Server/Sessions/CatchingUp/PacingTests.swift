// SPDX-License-Identifier: MIT
// throttle and debounce: the rate of events, the last value, and mirrors.

import Testing

@testable import ObserveCore

/// A hub with a test clock, a client that subscribes, and one that writes.
final class PacedStage {
    let clock = TestClock()
    let hub: Hub
    let reader: FakeClient
    let writer: FakeClient
    private let start: MonotonicTime
    private var heard: [String] = []

    init(_ roots: [(String, String)], _ params: String, limits: ServerLimits = ServerLimits()) {
        hub = .with(roots, limits: limits, clock: clock)
        start = clock.now
        reader = FakeClient(hub, token: 1)
        writer = FakeClient(hub, token: 2)
        reader.send(#"{"method":"subscribe","params":{\#(params)}}"#)
        hear()
    }

    deinit {
        reader.close()
        writer.close()
    }

    private func hear() {
        let milliseconds = start.nanoseconds(until: clock.now) / 1_000_000
        for line in reader.take() {
            let event = line.replacing(
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"#,
                with: ""
            )
            heard.append("\(milliseconds): \(event.replacing("}}", with: ""))")
        }
    }

    func pass(_ milliseconds: UInt64) {
        let end = clock.now.adding(milliseconds: milliseconds)
        while let next = hub.clients.timers.next, next <= end {
            clock.now = max(clock.now, next)
            hub.runTimers(at: clock.now)
            hear()
        }
        clock.now = end
        hear()
    }

    func set(_ path: String, _ json: String, by client: FakeClient? = nil) {
        (client ?? writer).send(#"{"method":"set","params":{"path":"\#(path)","value":\#(json)}}"#)
        hear()
    }

    func write(_ method: String, _ params: String) {
        writer.send(#"{"method":"\#(method)","params":{\#(params)}}"#)
        hear()
    }

    /// The client's new events, each with the milliseconds since the start.
    func events() -> [String] {
        defer { heard = [] }
        return heard
    }
}

struct PacingTests {
    private static let a = ("a", #"{"x":0,"y":0}"#)

    @Test func `throttle sends the first event at once, then one per interval, and always the last`() {
        let stage = PacedStage([Self.a], #""path":"a.x","throttle":100,"initial":false"#)
        for value in 1...25 {
            stage.set("a.x", "\(value)")
            stage.pass(10)
        }
        stage.pass(1000)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"valueChanged","new":1,"revision":2"#,
                #"100: "a.x","reason":"valueChanged","new":10,"revision":11,"coalesced":9"#,
                #"200: "a.x","reason":"valueChanged","new":20,"revision":21,"coalesced":10"#,
                #"300: "a.x","reason":"valueChanged","new":25,"revision":26,"coalesced":5"#,
            ]
        )
        stage.set("a.x", "26")
        #expect(stage.events() == [#"1250: "a.x","reason":"valueChanged","new":26,"revision":27"#])
        #expect(stage.hub.clients.timers.count == 0)
    }

    @Test func `debounce sends an event once the path is quiet`() {
        let stage = PacedStage([Self.a], #""path":"a.x","debounce":100,"old":true"#)
        #expect(stage.events() == [#"0: "a.x","reason":"initial","new":0,"revision":1"#])
        for value in 1...25 {
            stage.set("a.x", "\(value)")
            stage.pass(99)
        }
        #expect(stage.events() == [])
        stage.pass(1)
        #expect(
            stage.events() == [
                #"2476: "a.x","reason":"valueChanged","new":25,"old":0,"revision":26,"coalesced":25"#
            ]
        )
    }

    @Test func `the initial event starts the interval`() {
        let stage = PacedStage([Self.a], #""path":"a.x","throttle":100"#)
        stage.pass(40)
        stage.set("a.x", "1")
        stage.pass(200)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"initial","new":0,"revision":1"#,
                #"100: "a.x","reason":"valueChanged","new":1,"revision":2"#,
            ]
        )
    }

    @Test func `each path has its own interval, and revisions stay in order`() {
        let stage = PacedStage([Self.a], #""paths":["a.x","a.y"],"throttle":100,"initial":false"#)
        stage.set("a.x", "1")
        stage.pass(50)
        stage.set("a.x", "2")
        stage.set("a.y", "3")
        stage.pass(200)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"valueChanged","new":1,"revision":2"#,
                #"50: "a.y","reason":"valueChanged","new":3,"revision":4"#,
                #"100: "a.x","reason":"valueChanged","new":2,"revision":4"#,
            ]
        )
    }

    @Test func `the hub sends nothing for a path with its last sent value`() {
        let stage = PacedStage([Self.a], #""path":"a.x","debounce":100,"initial":false"#)
        stage.set("a.x", "1")
        stage.set("a.x", "0")
        stage.pass(100)
        #expect(stage.events() == [])
        stage.set("a.x", "2")
        stage.pass(100)
        #expect(stage.events() == [#"200: "a.x","reason":"valueChanged","new":2,"revision":4"#])
    }

    @Test func `throttle delays equal assignments for indistinct subscriptions`() {
        let stage = PacedStage([Self.a], #""path":"a.x","debounce":100,"initial":false,"distinct":false"#)
        stage.set("a.x", "0")
        stage.set("a.x", "0.0")
        stage.pass(100)
        #expect(stage.events() == [#"100: "a.x","reason":"valueChanged","new":0,"revision":1,"coalesced":2"#])
    }

    @Test func `unsubscribe drops delayed events`() {
        let stage = PacedStage([Self.a], #""path":"a.x","debounce":100,"initial":false"#)
        stage.set("a.x", "1")
        stage.reader.send(#"{"method":"unsubscribe","params":{"subscription":1}}"#)
        stage.pass(1000)
        #expect(stage.events() == [])
    }

    @Test func `a closed connection drops its delayed events`() {
        let stage = PacedStage([Self.a], #""path":"a.x","initial":false"#)
        for _ in 0..<500 {
            let client = FakeClient(stage.hub, token: 9)
            client.send(#"{"method":"subscribe","params":{"path":"a.**","debounce":1000000}}"#)
            stage.set("a.x", "1")
            stage.set("a.x", "2")
            client.close()
        }
        #expect(stage.hub.clients.timers.count <= 64)
    }

    @Test func `delayed edits of an array become its new value, a single edit sent at once stays`() {
        let stage = PacedStage([("a", "[1]")], #""path":"a","throttle":100,"initial":false,"prior":true"#)
        stage.write("insert", #""path":"a","value":2"#)
        stage.write("insert", #""path":"a","value":3"#)
        stage.pass(100)
        #expect(
            stage.events() == [
                #"0: "a","reason":"valueChanged","old":[],"kind":"insertion","indexes":[1],"prior":true,"revision":2,"more":true"#,
                #"0: "a","reason":"valueChanged","new":[2],"kind":"insertion","indexes":[1],"revision":2"#,
                #"100: "a","reason":"valueChanged","new":[1,2,3],"revision":3"#,
            ]
        )
    }

    @Test func `a delayed removal of a root is sent, and a restored root has changed`() {
        let stage = PacedStage([Self.a], #""path":"a.x","throttle":100"#)
        stage.write("remove", #""path":"a""#)
        stage.pass(100)
        stage.set("a", #"{"x":5}"#)
        stage.write("remove", #""path":"a""#)
        stage.set("a", #"{"x":6}"#)
        stage.pass(100)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"initial","new":0,"revision":1"#,
                #"100: "a.x","reason":"sourceDeleted","new":null,"nilAt":"a","revision":2"#,
                #"200: "a.x","reason":"pathChanged","new":6,"changedAt":"a","revision":5,"coalesced":3"#,
            ]
        )
    }

    @Test func `own changes coalesce uncounted, or are omitted`() {
        let stage = PacedStage([Self.a], #""path":"a.x","throttle":100,"own":false,"initial":false"#)
        stage.set("a.x", "1", by: stage.reader)
        #expect(stage.events() == [])
        stage.set("a.x", "2")
        stage.set("a.x", "3")
        stage.set("a.x", "4", by: stage.reader)
        stage.pass(100)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"valueChanged","new":2,"revision":3"#,
                #"100: "a.x","reason":"valueChanged","new":4,"revision":5"#,
            ]
        )
    }

    // MARK: One commit, one time

    /// Each look at the clock takes time, as with 1,000 paths it does.
    @Test(
        arguments: [#""debounce":100"#, #""throttle":100"#],
        [#""path":"a.*""#, #""path":"a.**""#, #""paths":["a.p0","a.*"]"#]
    )
    func `the paths of one commit have one time`(pace: String, paths: String) {
        let members = { (value: Int) in (0..<50).map { "\"p\($0)\":\(value)" }.joined(separator: ",") }
        let stage = PacedStage([("a", "{\(members(0))}")], "\(paths),\(pace)")
        stage.clock.nanosecondsPerReading = 1000
        for value in 1...3 {
            stage.write("merge", #""path":"a","value":{\#(members(value))}"#)
            stage.pass(50)
        }
        stage.pass(500)
        let frames = stage.events().filter { !$0.hasSuffix(#","more":true"#) }
        // The initial frame; for throttle one each 100 milliseconds. Below `a.**`, the first change is the first event of its path.
        let isDebounced = pace.contains("debounce")
        #expect(frames.count == (isDebounced ? 2 : paths.contains("**") ? 4 : 3), "\(frames)")
    }

    @Test(arguments: [#""path":"a.*""#, #""path":"a.**""#, #""paths":["a.p0","a.p1","a.p2","a.p3","a.p4"]"#])
    func `the paths of one time are one frame, however little a round may do`(paths: String) {
        let members = { (value: Int) in (0..<5).map { "\"p\($0)\":\(value)" }.joined(separator: ",") }
        let stage = PacedStage([("a", "{\(members(0))}")], "\(paths),\"debounce\":100,\"initial\":false")
        stage.hub.clients.sessions.turns.round = 20
        stage.write("merge", #""path":"a","value":{\#(members(1))}"#)
        stage.hub.clients.beginRound()
        stage.pass(100)
        let events = stage.events()
        #expect(events.count == 5)
        #expect(events.count { !$0.contains(#""more":true"#) } == 1, "\(events)")
        // The timer is late: the paths that changed once more are due in the same round.
        stage.set("a.p0", "2")
        stage.set("a.p1", "2")
        stage.clock.now = stage.clock.now.adding(milliseconds: 50)
        stage.write("merge", #""path":"a","value":{\#(members(3))}"#)
        stage.clock.now = stage.clock.now.adding(milliseconds: 110)
        stage.hub.clients.beginRound()
        stage.hub.runTimers(at: stage.clock.now)
        stage.pass(0)
        let later = stage.events()
        #expect(later.count == 5)
        #expect(later.count { !$0.contains(#""more":true"#) } == 1, "\(later)")
    }

    @Test func `initial events of one subscription begin one interval`() {
        let members = { (value: Int) in (0..<3000).map { "\"p\($0)\":\(value)" }.joined(separator: ",") }
        let stage = PacedStage([("a", "{\(members(0))}")], #""path":"b","throttle":100"#)
        stage.clock.nanosecondsPerReading = 1000
        let reader = FakeClient(stage.hub, token: 5)
        // They take several turns.
        stage.hub.clients.sessions.turns.turn = 1000
        stage.hub.clients.beginTurn()
        reader.send(#"{"method":"subscribe","params":{"path":"a.*","throttle":100}}"#)
        #expect(reader.session.suspended != nil)
        while reader.session.suspended != nil {
            stage.hub.clients.beginTurn()
            reader.send(bytes: [])
        }
        stage.hub.clients.sessions.turns.endTurn()
        #expect(reader.take().count == 3000)
        stage.write("merge", #""path":"a","value":{\#(members(1))}"#)
        stage.pass(500)
        let lines = reader.take()
        #expect(lines.count == 3000)
        #expect(lines.count { !$0.contains(#""more":true"#) } == 1)
    }

    @Test func `lifetimes of one transaction end at one time`() {
        let stage = PacedStage([Self.a], #""path":"a.*","initial":false"#)
        stage.clock.nanosecondsPerReading = 1000
        let set = { (name: String) in
            #"{"method":"set","params":{"path":"a.\#(name)","value":1,"lifetime":100}}"#
        }
        stage.write("transaction", #""operations":[\#(set("x")),\#(set("y")),\#(set("z"))]"#)
        let ends = stage.hub.tree.reader.timedValues.map { stage.hub.tree.end(ofTimed: $0)?.nanoseconds }
        #expect(ends.count == 3 && Set(ends).count == 1)
    }

    @Test func `at the daemon's end, of equal times the oldest comes first`() {
        let paths = (0..<20).map { "a.p\($0)" }
        let stage = PacedStage([("a", "{}")], #""path":"a.*","debounce":100,"initial":false"#)
        stage.set(paths[0], "1")
        stage.pass(50)
        for path in paths.dropFirst() { stage.set(path, "1") }
        stage.pass(50)
        stage.hub.clients.releaseAll()
        stage.pass(0)
        #expect(stage.events().map { String($0.split(separator: "\"")[1]) } == paths)
    }

    // MARK: Patterns

    @Test func `a name that comes and goes keeps its interval`() {
        let stage = PacedStage([("a", "{}")], #""path":"a.*","throttle":100,"initial":false"#)
        for value in 0..<20 {
            stage.set("a.x", "\(value)")
            stage.write("remove", #""path":"a.x""#)
            stage.pass(10)
        }
        stage.pass(300)
        #expect(
            stage.events() == [
                #"0: "a.x","reason":"valueChanged","new":0,"revision":2"#,
                #"100: "a.x","reason":"valueChanged","new":null,"revision":21,"coalesced":19"#,
            ]
        )
        #expect(stage.hub.clients.timers.count == 0)
        stage.set("a.x", "1")
        #expect(stage.events().count == 1)
    }

    @Test func `a throttled pattern forgets its paths when their intervals are over, however many`() {
        let members = (0..<10_100).map { "\"p\($0)\":0" }.joined(separator: ",")
        let stage = PacedStage([("a", "{\(members)}")], #""path":"a.*","throttle":100"#)
        let session = stage.reader.session
        #expect(session.delivery.further.markedBytes > 10_000 * MarkedPath.bytes)
        stage.pass(300)
        #expect(session.delivery.further.markedBytes == 0)
        #expect(stage.hub.clients.timers.count == 0)
    }

    @Test func `a delayed event shows later changes below its path`() {
        let stage = PacedStage([("a", #"{"m":{"x":0}}"#)], #""path":"a.**","throttle":100,"initial":false"#)
        stage.set("a.m", #"{"x":1}"#)
        stage.set("a.m", #"{"x":2}"#)
        stage.set("a.m.x", "3")
        stage.set("a.m.z", "4")
        stage.pass(100)
        #expect(
            stage.events() == [
                #"0: "a.m","reason":"valueChanged","new":{"x":1},"revision":2"#,
                #"100: "a.m","reason":"valueChanged","new":{"x":3,"z":4},"revision":5"#,
            ]
        )
    }

    @Test func `an event replaces the delayed events below its path`() {
        let stage = PacedStage([("a", #"{"r":[{"x":0}]}"#)], #""path":"a.**","throttle":100,"initial":false"#)
        stage.set("a.r.0.x", "1")
        stage.set("a.r.0.x", "2")
        stage.write("insert", #""path":"a.r","value":9,"index":0"#)
        stage.pass(500)
        #expect(
            stage.events() == [
                #"0: "a.r.0.x","reason":"valueChanged","new":1,"revision":2"#,
                #"0: "a.r","reason":"valueChanged","new":[9,{"x":2}],"revision":4"#,
            ]
        )
    }

    // MARK: Requests

    @Test func `the hub refuses wrong intervals`() {
        let talk = Conversation([("a", "1")])
        for options in [
            #""throttle":-1"#, #""debounce":1.5"#, #""throttle":"1""#, #""debounce":null"#,
            #""throttle":1,"debounce":1"#, #""throttle":1,"delivery":"every""#,
            #""debounce":1,"delivery":"every""#,
        ] {
            #expect(talk.refusal("subscribe", #"{"path":"a",\#(options)}"#) == "-32602", "\(options)")
        }
        for options in [
            #""throttle":0,"debounce":5"#, #""throttle":0,"delivery":"every""#,
            #""throttle":9223372036854775807,"delivery":"latest""#,
        ] {
            #expect(
                talk.client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a",\#(options)}}"#).count
                    == 2
            )
        }
    }
}
