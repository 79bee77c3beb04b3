// SPDX-License-Identifier: MIT
// Computed properties over starts: under the limits of then and of now, and more of them than one request may compute.

import Testing

@testable import ObserveCore

@Suite struct ComputedStateTests {
    private static let types = TypeDeclarations(
        types: [
            TypeDeclaration("Sum", "list: [Int]", "all: computed Int? = {list.@sum}"),
            TypeDeclaration("Text", "text: String", "length: computed Int? = {len(text + text)}"),
        ],
        roots: [RootDeclaration("sums", "[String: Sum]"), RootDeclaration("text", "Text?")]
    )

    private let limits: TestLimits
    private let daemon: JournaledHub

    /// The limits of the next start.
    private final class TestLimits {
        var most = 2
        var mostBytes = 1 << 20

        var tree: TreeLimits {
            var limits = TreeLimits()
            limits.maxElements = most
            limits.maxRenderedBytes = mostBytes
            return limits
        }
    }

    init() throws {
        let limits = TestLimits()
        self.limits = limits
        daemon = try JournaledHub(.commit) { $0.adopt(limits.tree) }
        try adapt()
    }

    private func adapt() throws {
        try daemon.hub.journaling.change { Self.adapt($0, Self.types) }
        #expect(daemon.tree.faults() == [])
    }

    private static func adapt(_ tree: ModelTree, _ types: TypeDeclarations) {
        do {
            try tree.layOut { () throws(TreeError) in
                if let plan = tree.plan(types) { try tree.apply(plan) }
                if tree.needsRecomputing { tree.recompute() }
                if !tree.hasRoot("sums") { try tree.define(root: "sums", json: "{}") }
            }
        } catch {
            Issue.record(error)
        }
    }

    private func reload(_ most: Int) throws {
        limits.most = most
        daemon.tree.adopt(limits.tree)
        try adapt()
    }

    private func restart(_ most: Int, isKilled: Bool = false) throws {
        limits.most = most
        if isKilled { try daemon.kill() } else { try daemon.restart() }
        try adapt()
    }

    private func missed(since revision: UInt64) -> [String] {
        let since = #""since":{"epoch":"\#(daemon.hub.journaling.epoch)","revision":\#(revision)}"#
        let request = #"{"id":1,"method":"subscribe","params":{"path":"sums.a.all",\#(since)}}"#
        return daemon.client(7).ask(request).filter { $0.contains(#""method":"change""#) }
    }

    @Test(arguments: [false, true])
    func `a start under other limits computes again in a commit, over which clients can resume`(
        withSnapshot: Bool
    ) throws {
        daemon.ask("set", #""path":"sums.a","value":{"list":[1,2,3]}"#)
        daemon.ask("bind", #""source":"sums.a.all","target":"copy""#)
        #expect(daemon.value("sums.a.all") == "null")
        for (most, value) in [(3, "6"), (2, "null"), (300, "6")] {
            if withSnapshot { try daemon.snapshot() }
            let before = daemon.hub.clients.revision
            try restart(most)
            #expect(daemon.hub.clients.revision == before + 1)
            #expect(daemon.value("sums.a.all") == value && daemon.value("copy") == value)
            let events = missed(since: before)
            #expect(events.count == 1 && events[0].contains(#""new":\#(value),"#), "\(events)")
            let dump = daemon.dump
            try restart(most, isKilled: true)
            #expect(daemon.dump == dump)
        }
    }

    @Test(arguments: [false, true])
    func `a start repeats what a reload under other limits has computed`(withSnapshot: Bool) throws {
        daemon.ask("set", #""path":"sums.a","value":{"list":[1,2,3]}"#)
        try reload(3)
        let (raised, dump) = (daemon.hub.clients.revision, daemon.dump)
        if withSnapshot { try daemon.snapshot() }
        try restart(3, isKilled: true)
        #expect(daemon.dump == dump)
        if !withSnapshot { #expect(missed(since: raised - 1).count == 1) }
        try reload(2)
        #expect(daemon.value("sums.a.all") == "null")
        #expect(daemon.hub.clients.revision == raised + 1)
        let lowered = daemon.dump
        try restart(2)
        #expect(daemon.dump == lowered)
    }

    @Test
    func `a reload that changes no value makes no commit, and later ones are repeated under its limits`()
        throws
    {
        let before = daemon.hub.clients.revision
        try reload(3)
        #expect(daemon.hub.clients.revision == before)
        daemon.ask("set", #""path":"sums.a","value":{"list":[1,2,3]}"#)
        #expect(daemon.value("sums.a.all") == "6")
        let dump = daemon.dump
        try restart(3, isKilled: true)
        #expect(daemon.dump == dump)
    }

    @Test func `a joined text has the length of the present limits, and after a start that of then`() throws {
        limits.mostBytes = 1000
        try reload(2)
        let text = String(repeating: "x", count: 600)
        daemon.ask("set", #""path":"text","value":{"text":"\#(text)"}"#)
        #expect(daemon.value("text.length") == "null")
        let before = daemon.hub.clients.revision
        limits.mostBytes = 2000
        try reload(2)
        #expect(daemon.value("text.length") == "1200")
        #expect(daemon.hub.clients.revision == before + 1)
        try restart(2, isKilled: true)
        #expect(daemon.value("text.length") == "1200")
        #expect(daemon.hub.clients.revision == before + 1)
        limits.mostBytes = 1000
        try reload(2)
        #expect(daemon.value("text.length") == "null")
        try restart(2)
        #expect(daemon.value("text.length") == "null")
        #expect(daemon.hub.clients.revision == before + 2)
    }

    @Test(arguments: [false, true])
    func `a binding that failed for a limit carries its source once the limit is higher`(byStart: Bool) throws
    {
        daemon.ask("set", #""path":"sums.a","value":{"list":[1,2,3]}"#)
        daemon.ask("bind", #""source":"sums.a.list","target":"copy""#)
        #expect(daemon.value("copy") == "null")
        if byStart { try restart(3) } else { try reload(3) }
        #expect(daemon.value("copy") == "[1,2,3]")
    }

    @Test(arguments: [false, true])
    func `a binding that failed for a limit is tried again without declared types, too`(withSnapshot: Bool)
        throws
    {
        let limits = TestLimits()
        let daemon = try JournaledHub(.commit) { tree in
            tree.adopt(limits.tree)
            // As if it were made with them.
            tree.records.computedUnder = tree.limits.computing
        }
        daemon.ask("set", #""path":"list","value":[1,2,3]"#)
        daemon.ask("bind", #""source":"list","target":"copy""#)
        #expect(daemon.value("copy") == "null")
        if withSnapshot { try daemon.snapshot() }
        limits.most = 8
        try daemon.restart()
        try daemon.hub.journaling.change { Self.adapt($0, TypeDeclarations()) }
        #expect(daemon.value("copy") == "[1,2,3]")
    }

    /// The path of an operation computes a property before the commit's end, with the request's looks.
    @Test func `a start computes all that a commit computed in parts`() throws {
        let pick = "pick: computed Any = {list.@sum > 0 ? kid : null}"
        let sum = TypeDeclaration("Sum", "list: [Int]", "kid: Kid", pick)
        let roots = [RootDeclaration("sums", "[String: Sum]")]
        let types = TypeDeclarations(types: [TypeDeclaration("Kid", "n: Int"), sum], roots: roots)
        limits.most = 4
        daemon.tree.adopt(limits.tree)
        try daemon.hub.journaling.change { Self.adapt($0, types) }
        for key in 0..<6 {
            daemon.ask("set", #""path":"sums.k\#(key)","value":{"list":[1,2,3,4],"kid":{"n":0}}"#)
        }
        func set(_ path: String, _ value: String) -> String {
            #"{"method":"set","params":{"path":"sums.\#(path)","value":\#(value)}}"#
        }
        // Together more than four times as many.
        let writes = (0..<6).map { set("k\($0).list", "[4,3,2,1]") }
        let parts = (0..<3).map { set("k\($0).pick.n", "1") }
        let operations = (writes + parts).joined(separator: ",")
        #expect(daemon.ask("transaction", #""operations":[\#(operations)]"#).contains(#""changed":true"#))
        func picks() -> [String] { (0..<6).map { daemon.value("sums.k\($0).pick") } }
        let before = picks()
        #expect(before == Array(repeating: #"{"n":1}"#, count: 3) + Array(repeating: #"{"n":0}"#, count: 3))
        try daemon.restart()
        #expect(picks() == before)
    }

    private var sums: [String] { (0..<6).map { daemon.value("sums.k\($0).all") } }

    /// Makes a commit that may not look at the elements of all six sums.
    private func runShort(isDry: Bool = false) throws {
        try reload(4)
        for key in 0..<6 { daemon.ask("set", #""path":"sums.k\#(key)","value":{"list":[1]}"#) }
        let operations = (0..<6).map {
            #"{"method":"set","params":{"path":"sums.k\#($0).list","value":[1,2,3,4]}}"#
        }
        daemon.ask("transaction", #""dryRun":\#(isDry),"operations":[\#(operations.joined(separator: ","))]"#)
        let values = ["10", "10", "10", "10", "null", "null"]
        #expect(sums.sorted() == (isDry ? Array(repeating: "1", count: 6) : values))
    }

    /// A hub that has continued from a handover.
    private func successor() throws -> Hub {
        var server = ServerLimits()
        server.tree = limits.tree
        let next = Hub(limits: server, now: .now)
        let handover = daemon.hub.journaling.handover(socket: nil, withTree: true)
        try next.journaling.restore(from: Handover(handover))
        return next
    }

    /// What a commit could not compute, a start repeats within the same bounds: others could make it take hours.
    @Test func `a start looks at no more than a commit that had too few looks`() throws {
        try runShort()
        let before = sums
        try daemon.restart()
        #expect(sums == before)
    }

    /// It may give the looks to other properties, in particular if bindings decided the order.
    @Test(arguments: [false, true], [false, true])
    func `after a commit with too few looks, a start computes all in a new epoch`(
        withSnapshot: Bool,
        isKilled: Bool
    ) throws {
        try runShort()
        if withSnapshot { try daemon.snapshot() }
        let (epoch, revision) = (daemon.hub.journaling.epoch, daemon.hub.clients.revision)
        try restart(4, isKilled: isKilled)
        #expect(daemon.hub.journaling.epoch != epoch)
        // A snapshot has no computed values: what reads it computes all.
        #expect(daemon.hub.clients.revision == revision + (withSnapshot ? 0 : 1))
        #expect(sums == Array(repeating: "10", count: 6))
        let (next, dump) = (daemon.hub.journaling.epoch, daemon.dump)
        try restart(4, isKilled: isKilled)
        #expect(daemon.hub.journaling.epoch == next && daemon.dump == dump)
    }

    @Test func `a handover continues the epoch after a dry run with too few looks, and not after a commit`()
        throws
    {
        let epoch = daemon.hub.journaling.epoch
        try runShort(isDry: true)
        #expect(try successor().journaling.epoch == epoch)
        try runShort()
        let next = try successor()
        #expect(next.journaling.epoch != epoch && next.tree.needsRecomputing)
    }

    @Test func `a start, other limits and other types compute more than a request may look at`() throws {
        try reload(4)
        // Together more than four times as many.
        for key in 0..<10 { daemon.ask("set", #""path":"sums.k\#(key)","value":{"list":[1,2,3,4]}"#) }
        func values(_ hub: Hub) -> Int {
            let paths = (0..<10).map { "\"sums.k\($0).all\"" }.joined(separator: ",")
            let answer = FakeClient(hub).ask(#"{"id":1,"method":"get","params":{"paths":[\#(paths)]}}"#)
            return answer[0].split(separator: "[")[1].split(separator: "]")[0].split(separator: ",")
                .count { $0 == #"{"value":10}"# }
        }
        #expect(values(daemon.hub) == 10)
        try daemon.snapshot()
        try restart(4)
        #expect(values(daemon.hub) == 10)
        try reload(5)
        #expect(values(daemon.hub) == 10)
        let next = try successor()
        #expect(values(next) == 10)
        #expect(next.tree.faults() == [])
    }
}
