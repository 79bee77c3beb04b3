// SPDX-License-Identifier: MIT
// `since`: resuming, its refusals, and the length of the history.

import Testing

@testable import ObserveCore

@Suite struct ResumingTests {
    private let hub: Hub
    private let client: FakeClient

    init() {
        hub = Hub.with([("a", #"{"m":{"x":1},"list":[1,2,3]}"#), ("other", "0")])
        client = FakeClient(hub)
    }

    private func set(_ path: String, _ value: String) {
        client.send(#"{"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#)
    }

    /// The answer's result or error, then the events' params without the common ones.
    private func resume(_ params: String, since revision: String, epoch: String? = nil) -> [String] {
        let guest = FakeClient(hub, token: 2)
        defer { guest.close() }
        let lines = guest.ask(
            #"{"id":1,"method":"subscribe","params":{\#(params),"since":{"epoch":"\#(epoch ?? hub.journaling.epoch)","revision":\#(revision)}}}"#
        )
        return lines.map { line in
            for head in [
                #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":\#(hub.tree.revision),"epoch":"\#(hub.journaling.epoch)","#,
                #"{"jsonrpc":"2.0","id":1,"error":"#,
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"#,
            ] where line.hasPrefix(head) {
                return String(line.dropFirst(head.count).dropLast(head.contains("error") ? 1 : 2))
            }
            return line
        }
    }

    private static let matches = many(
        [(10_933, 1, true), (10_934, 1, false), (5466, 2, true), (5467, 2, false)],
        usually: [(10_934, 1, false), (5466, 2, true)]
    )

    @Test(arguments: matches)
    func `a replay has at most 10,933 matches`(count: Int, patterns: Int, resumes: Bool) {
        let members = (0..<count).map { "\"p\($0)\":0" }.joined(separator: ",")
        let client = FakeClient(Hub.with([("m", "{\(members)}")]))
        let since = #"{"epoch":"\#(client.hub.journaling.epoch)","revision":\#(client.hub.tree.revision)}"#
        client.send(#"{"method":"set","params":{"path":"m.p0","value":1}}"#)
        let paths = Array(repeating: #""m.*""#, count: patterns).joined(separator: ",")
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"paths":[\#(paths)],"since":\#(since)}}"#
        )
        #expect(lines.first?.contains(#""resumed":\#(resumes)"#) == true)
        #expect(client.hub.tree.faults() == [])
    }

    /// Before, only the number of the commits counted: a queue of such requests held up all other clients.
    @Test func `the way back counts as work, also of removed properties and models`() {
        func work(_ method: String, _ params: String) -> UInt64 {
            let revision = hub.tree.revision
            client.send(#"{"method":"\#(method)","params":{"path":"a",\#(params)}}"#)
            let before = hub.tree.reader.work
            #expect(resume(#""path":"other""#, since: "\(revision)").first == resumed(0))
            return hub.tree.reader.work - before
        }
        func members(_ value: String) -> String {
            "{" + (0..<200).map { #""p\#($0)":\#(value)"# }.joined(separator: ",") + "}"
        }
        set("a", members("0"))
        #expect(work("merge", #""value":\#(members("1"))"#) >= 2 * 200)
        #expect(work("merge", #""value":\#(members("null"))"#) >= (2 + 2) * 200)
        set("a", members(#"{"x":1,"y":2,"z":3}"#))
        #expect(work("remove", #""ifRevision":\#(hub.tree.revision)"#) >= (4 + 2 * 3) * 200 / 8)
        #expect(hub.tree.faults() == [])
    }

    private func resumed(_ count: Int) -> String { #""initial":0,"resumed":true,"replayed":\#(count)"# }
    private func refused(_ count: Int) -> String { #""initial":\#(count),"resumed":false"# }

    @Test func `with times, each missed event has the time of its commit, and no later one`() throws {
        set("a.m.x", "2")
        set("a.m.x", "3")
        let lines = resume(#""path":"a.m.x""#, since: #"2,"times":true"#)
        let time = #/"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)",/#
        #expect(
            lines.map { $0.replacing(time, with: "T ") } == [
                resumed(2),
                #"T "path":"a.m.x","reason":"valueChanged","new":2,"revision":3,"more":true"#,
                #"T "path":"a.m.x","reason":"valueChanged","new":3,"revision":4"#,
            ]
        )
        #expect(
            resume(#""path":"a.m.x""#, since: #"3,"times":false"#)
                == [resumed(1), #""path":"a.m.x","reason":"valueChanged","new":3,"revision":4"#]
        )
        #expect(
            resume(#""path":"a""#, since: #"1,"times":1"#)
                == [#"{"code":-32602,"message":"times in since is true or false"}"#]
        )
    }

    @Test func `since replays re-bound and null paths with their old values`() {
        set("a.m.x", "2")
        set("a.m", #"{"x":3,"y":{"z":0}}"#)
        set("a.m.y.z", "1")
        set("a", "null")
        set("a", #"{"m":{"x":4}}"#)
        client.send(#"{"method":"remove","params":{"path":"a"}}"#)
        #expect(
            resume(#""path":"a.m.x","old":true"#, since: "2") == [
                resumed(5),
                #""path":"a.m.x","reason":"valueChanged","new":2,"old":1,"revision":3,"more":true"#,
                #""path":"a.m.x","reason":"pathChanged","new":3,"old":2,"changedAt":"a.m","revision":4,"more":true"#,
                #""path":"a.m.x","reason":"pathChanged","new":null,"old":3,"changedAt":"a","nilAt":"a","revision":6,"more":true"#,
                #""path":"a.m.x","reason":"pathChanged","new":4,"old":null,"changedAt":"a","revision":7,"more":true"#,
                #""path":"a.m.x","reason":"sourceDeleted","new":null,"old":4,"nilAt":"a","revision":8"#,
            ]
        )
        #expect(
            resume(#""path":"a.m","old":true"#, since: "3") == [
                resumed(4),
                #""path":"a.m","reason":"valueChanged","new":{"x":3,"y":{"z":0}},"old":{"x":2},"revision":4,"more":true"#,
                #""path":"a.m","reason":"pathChanged","new":null,"old":{"x":3,"y":{"z":1}},"changedAt":"a","nilAt":"a","revision":6,"more":true"#,
                #""path":"a.m","reason":"pathChanged","new":{"x":4},"old":null,"changedAt":"a","revision":7,"more":true"#,
                #""path":"a.m","reason":"sourceDeleted","new":null,"old":{"x":4},"nilAt":"a","revision":8"#,
            ]
        )
        #expect(resume(#""path":"other""#, since: "2") == [resumed(0)])
        #expect(resume(#""path":"a.m.x""#, since: "8") == [resumed(0)])
    }

    @Test func `since replays array edits and prior events`() {
        client.send(#"{"method":"insert","params":{"path":"a.list","value":9,"index":1}}"#)
        set("a.list.0", "7")
        client.send(#"{"method":"remove","params":{"path":"a.list.2"}}"#)
        set("a.list", "[1]")
        #expect(
            resume(#""paths":["a.list","a.list.1"],"prior":true"#, since: "2") == [
                resumed(6),
                #""path":"a.list","reason":"valueChanged","old":[],"kind":"insertion","indexes":[1],"prior":true,"revision":3,"more":true"#,
                #""path":"a.list","reason":"valueChanged","new":[9],"kind":"insertion","indexes":[1],"revision":3,"more":true"#,
                #""path":"a.list.1","reason":"pathChanged","old":2,"prior":true,"changedAt":"a.list","revision":3,"more":true"#,
                #""path":"a.list.1","reason":"pathChanged","new":9,"changedAt":"a.list","revision":3,"more":true"#,
                #""path":"a.list","reason":"valueChanged","old":[1],"kind":"replacement","indexes":[0],"prior":true,"revision":4,"more":true"#,
                #""path":"a.list","reason":"valueChanged","new":[7],"kind":"replacement","indexes":[0],"revision":4,"more":true"#,
                #""path":"a.list","reason":"valueChanged","old":[2],"kind":"removal","indexes":[2],"prior":true,"revision":5,"more":true"#,
                #""path":"a.list","reason":"valueChanged","new":[],"kind":"removal","indexes":[2],"revision":5,"more":true"#,
                #""path":"a.list","reason":"valueChanged","old":[7,9,3],"prior":true,"revision":6,"more":true"#,
                #""path":"a.list","reason":"valueChanged","new":[1],"revision":6,"more":true"#,
                #""path":"a.list.1","reason":"pathChanged","old":9,"prior":true,"changedAt":"a.list","revision":6,"more":true"#,
                #""path":"a.list.1","reason":"pathChanged","new":null,"changedAt":"a.list","revision":6"#,
            ]
        )
        #expect(client.ask(#"{"id":1,"method":"get","params":{"path":"a.list"}}"#)[0].contains("[1]"))
    }

    @Test func `a path in the daemon's root starts with its initial event`() {
        set("a.m.x", "2")
        let lines = resume(#""path":"observed.models","initial":false"#, since: "2")
        #expect(lines.first == refused(1) && lines.count == 2)
    }

    @Test(arguments: [("a.m.*", "a.m.x"), ("a.**", "a.m.x"), ("a.m.@sum", "a.m.@sum")])
    func `since replays patterns and operators`(path: String, changed: String) {
        set("a.m.x", "2")
        let lines = resume(#""path":"\#(path)","initial":false"#, since: "2")
        #expect(
            lines == [resumed(1), #""path":"\#(changed)","reason":"valueChanged","new":2,"revision":3"#]
        )
    }

    @Test func `since replays a computed path`() throws {
        try hub.tree.compute("a.m", "text", "{x} and more")
        let revision = hub.tree.revision
        set("a.m.x", "2")
        #expect(
            resume(#""path":"a.m.text""#, since: "\(revision)") == [
                resumed(1),
                #""path":"a.m.text","reason":"valueChanged","new":"2 and more","revision":\#(revision + 1)"#,
            ]
        )
        #expect(resume(#""path":"a.m.x""#, since: "\(revision)").first == resumed(1))
        // The path was a computed one before.
        set("a.m", "{}")
        #expect(resume(#""path":"a.m.text""#, since: "\(revision)").first == resumed(2))
        #expect(resume(#""path":"a.m.text""#, since: "\(revision + 2)").first == resumed(0))
    }

    @Test func `since omits own changes, and shows the writers as origins`() {
        let other = FakeClient(hub, token: 3)
        set("a.m.x", "2")
        other.send(#"{"method":"set","params":{"path":"a.m.x","value":3}}"#)
        other.close()
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":2}"#
        let maker = other.session.author
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a.m.x","own":false,"origin":true,\#(since)}}"#
        )
        #expect(lines.count == 2 && lines[0].contains(resumed(1)))
        #expect(
            lines[1].contains(#""new":3"#)
                && lines[1].contains(#""origin":{"pid":\#(maker.process),"uid":\#(maker.user)}"#)
        )
    }

    @Test func `since refuses another epoch, a future revision and wrong params`() {
        set("a.m.x", "2")
        let initial = #""path":"a.m.x","reason":"initial","new":2,"revision":3"#
        #expect(resume(#""path":"a.m.x""#, since: "2", epoch: "other") == [refused(1), initial])
        #expect(resume(#""path":"a.m.x""#, since: "4") == [refused(1), initial])
        #expect(resume(#""path":"a.m.x""#, since: "9223372036854775807") == [refused(1), initial])
        for revision in ["-1", "1.0", "1.5", "\"2\"", "null", "true", "[]", "9223372036854775808", "1e3"] {
            let lines = resume(#""path":"a.m.x""#, since: revision)
            #expect(
                lines == [
                    #"{"code":-32602,"message":"the revision in since is an integer that is not negative"}"#
                ]
            )
        }
        for since in [
            "1", "null", "[]", "{}", #"{"epoch":"x"}"#, #"{"revision":1}"#, #"{"epoch":1,"revision":1}"#,
            #"{"epoch":"x","revision":1,"more":1}"#,
        ] {
            let lines = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a","since":\#(since)}}"#)
            #expect(lines.count == 1 && lines[0].contains(#""code":-32602"#), "\(since)")
        }
        #expect(hub.clients.metrics.subscriptions == 0)
    }

    @Test func `the history holds a thousand commits`() {
        for value in 1...1100 { set("other", "\(value)") }
        #expect(hub.tree.revision == 1102 && hub.tree.history.commits.count == 1000)
        #expect(
            resume(#""path":"other""#, since: "101") == [
                refused(1), #""path":"other","reason":"initial","new":1100,"revision":1102"#,
            ]
        )
        let kept = resume(#""path":"other""#, since: "102")
        #expect(kept.count == 1001 && kept[0] == resumed(1000))
        #expect(kept[1] == #""path":"other","reason":"valueChanged","new":101,"revision":103,"more":true"#)
    }

    @Test func `the history holds no more than the tree, and little text`() {
        let long = String(repeating: "x", count: 100_000)
        for value in 1...50 { set("other", "\"\(long)\(value)\"") }
        #expect(hub.tree.history.textBytes <= hub.tree.limits.maxHistoryBytes)
        #expect(hub.tree.history.commits.count == 10)
        let many = (0..<3000).map { #""p\#($0)":\#($0)"# }.joined(separator: ",")
        for _ in 1...5 { set("a.m", "{\(many)}") }
        #expect(hub.tree.modelCount == 2)
        let history = hub.tree.history.touches.count + hub.tree.history.releasedProperties
        while hub.tree.hasUnfreed { hub.tree.free(atMost: 1000) }
        #expect(history <= 3005 && hub.tree.recordCounts.properties < 3 * 3005)
        hub.tree.forgetHistory()
        #expect(hub.tree.recordCounts.properties == 3004 && hub.tree.faults().isEmpty)
    }

    @Test func `since starts with initial events if the replay is too large`() {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 4000
        let hub = Hub.with([("a", #"{"x":0}"#)], limits: limits)
        let client = FakeClient(hub)
        for value in 1...100 { client.send(#"{"method":"set","params":{"path":"a.x","value":\#(value)}}"#) }
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":1}"#
        let lines = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.x",\#(since)}}"#)
        #expect(
            lines.count == 2 && lines[0].contains(refused(1))
                && lines[1].contains(#""new":100,"revision":101"#)
        )
        set("a.x", "0")
        #expect(
            client.ask(#"{"id":1,"method":"get","params":{"path":"a"}}"#)[0].contains(#""value":{"x":100}"#)
        )
    }

    @Test func `in a batch, later changes follow the missed ones`() {
        set("a.m.x", "2")
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":2}"#
        let lines = client.ask(
            #"[{"id":1,"method":"subscribe","params":{"path":"a.m.x",\#(since)}},{"id":2,"method":"set","params":{"path":"a.m.x","value":3}},{"id":3,"method":"subscribe","params":{"path":"other",\#(since)}},{"method":"unsubscribe","params":{"subscription":2}}]"#
        )
        #expect(lines.count == 3 && lines[0].contains(resumed(1)) && lines[0].contains(resumed(0)))
        #expect(lines[1].contains(#""new":2,"revision":3"#) && lines[2].contains(#""new":3,"revision":4"#))
        set("a.m.x", "4")
        #expect(client.take().count == 1)
    }

    /// Before, the client missed that paths had vanished, and its frame had no end.
    @Test(arguments: ["a.m.*", "a.m.x"])
    func `a batch that changes more than the history holds ends with goodbye instead of its answer`(
        path: String
    ) {
        hub.tree.keepHistory(commits: 5)
        set("a.m.x", "2")
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":2}"#
        let requests =
            [
                #"{"id":1,"method":"subscribe","params":{"path":"\#(path)",\#(since)}}"#,
                #"{"id":2,"method":"remove","params":{"path":"a.m.x"}}"#,
            ]
            + (0..<5).map { #"{"id":3,"method":"set","params":{"path":"other","value":\#($0 + 7)}}"# }
        let lines = client.ask("[\(requests.joined(separator: ","))]")
        #expect(lines == [#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"overflow"}}"#])
        client.close()
        let gone = #""path":"a.m.x","reason":"initial","new":null,"revision":9"#
        #expect(resume(#""path":"\#(path)""#, since: "2").last == (path == "a.m.x" ? gone : refused(0)))
    }

    @Test func `with times, prior events have them too`() {
        set("a.m.x", "2")
        set("a.m.x", "3")
        let time = #/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",/#
        #expect(
            resume(#""path":"a.m.x","prior":true"#, since: #"3,"times":true"#).map {
                $0.replacing(time, with: "T ")
            } == [
                resumed(1),
                #"T "path":"a.m.x","reason":"valueChanged","old":2,"prior":true,"revision":4,"more":true"#,
                #"T "path":"a.m.x","reason":"valueChanged","new":3,"revision":4"#,
            ]
        )
    }

    /// Fuzzing found it: the tree took the next set for a part of the replay.
    @Test func `a set after the missed events is sent once, although two patterns match its path`() {
        set("a.m.x", "2")
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":2}"#
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"paths":["a.m.x","a.**"],\#(since)}}"#
        )
        #expect(lines.count == 2 && lines[0].contains(resumed(1)))
        let told = client.ask(#"{"id":2,"method":"set","params":{"path":"a.m.x","value":3}}"#)
        #expect(told.count == 2, "\(told)")
        #expect(told[0].hasSuffix(#""path":"a.m.x","reason":"valueChanged","new":3,"revision":4}}"#))
    }

    /// Before, the pattern resumed without the equal assignments, since it had no observer.
    @Test(arguments: [("a.m.*", 0), ("a.m.x", 1)])
    func `a path that has gone resumes only if the history holds its equal assignments`(
        path: String,
        initial: Int
    ) {
        let options = #""path":"\#(path)","distinct":false"#
        set("a.m.x", "1")
        set("other", "1")
        set("a.m.x", "1")
        client.send(#"{"method":"remove","params":{"path":"a.m.x"}}"#)
        #expect(resume(options, since: "2").first == refused(initial))
        set("a.m", #"{"x":1}"#)
        set("a.m.x", "1")
        client.send(#"{"method":"remove","params":{"path":"a.m.x"}}"#)
        let lines = resume(options, since: "4")
        #expect(lines.count == 4 && lines.first == resumed(3), "\(lines)")
        hub.tree.keepHistory(commits: 3)
        for value in 3...9 { set("other", "\(value)") }
        #expect(!hub.tree.recordCounts.notesEqualAssignments && hub.tree.faults().isEmpty)
    }

    @Test func `the history holds equal assignments while a client may resume with them`() {
        let options = #""path":"a.m.x","distinct":false"#
        set("a.m.x", "1")
        set("other", "1")
        // No client wanted that assignment, so the history lacks it.
        #expect(resume(options, since: "2").first == refused(1))
        set("a.m.x", "1")
        set("other", "2")
        set("a.m.x", "1")
        #expect(
            resume(options, since: "3") == [
                resumed(1), #""path":"a.m.x","reason":"valueChanged","new":1,"revision":4"#,
            ]
        )
        hub.tree.keepHistory(commits: 3)
        for value in 3...9 { set("other", "\(value)") }
        #expect(!hub.tree.recordCounts.notesEqualAssignments)
    }
}
