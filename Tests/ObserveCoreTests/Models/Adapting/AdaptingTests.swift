// SPDX-License-Identifier: MIT
// State under changed types: conversions, misfits, and restarts. Each test has one kind of change.

import Testing

@testable import ObserveCore

struct AdaptingTests {
    private let daemon: JournaledHub

    init() throws { daemon = try JournaledHub(.commit) }

    /// Gives the tree these types. Returns the misfits; if there are any, the tree stays as it is.
    @discardableResult
    private func adopt(
        _ types: [TypeDeclaration],
        _ roots: [(String, String)] = [("film", "Film?")],
        mayLose: Bool = false
    ) throws -> [String] {
        var misfits: [String] = []
        try daemon.hub.journaling.change { tree in
            let roots = roots.map { RootDeclaration($0.0, $0.1) }
            guard let plan = tree.plan(TypeDeclarations(types: types, roots: roots)) else { return }
            misfits = plan.misfits.first.map(\.reason)
            guard misfits.isEmpty || mayLose else { return }
            do { try tree.layOut { try tree.apply(plan) } } catch { misfits = ["\(error)"] }
        }
        #expect(daemon.tree.faults() == [])
        return misfits
    }

    private func set(_ path: String, _ json: String, _ more: String = "") {
        let answer = daemon.ask("set", #""path":"\#(path)","value":\#(json)\#(more)"#)
        #expect(answer.hasPrefix("\"result\""), "\(answer)")
    }

    @Test func `numbers become the other kind where no digit is lost`() throws {
        try adopt([TypeDeclaration("Film", "a: Int", "b: Double", "list: [Int]")])
        set("film", #"{"a":1,"b":2.0,"list":[1,2]}"#)
        #expect(try adopt([TypeDeclaration("Film", "a: Double", "b: Int", "list: [Double?]")]) == [])
        #expect(daemon.value("film") == #"{"a":1.0,"b":2,"list":[1.0,2.0]}"#)
        set("film.a", "1.5")
        set("film.list", "[0.5,1]")
        #expect(
            try adopt([TypeDeclaration("Film", "a: Int", "b: Int", "list: [Int]")]) == [
                "film.a: expected Int, was Double, found 1.5",
                "film.list.0: expected Int, was [Double?], found 0.5",
            ]
        )
        #expect(daemon.value("film") == #"{"a":1.5,"b":2,"list":[0.5,1.0]}"#)
        try adopt([TypeDeclaration("Film", "a: Int = 7", "b: Int", "list: [Int]")], mayLose: true)
        #expect(daemon.value("film") == #"{"a":7,"b":2,"list":[1]}"#)
    }

    @Test func `numbers out of a new range are misfits, and a wider range keeps all`() throws {
        try adopt([TypeDeclaration("Film", "a: Int", "b: Double(0...)", "list: [Int]")])
        set("film", #"{"a":7,"b":2.5,"list":[1,9]}"#)
        let narrow = TypeDeclaration("Film", "a: Int(0...5)", "b: Double(0...2)", "list: [Int(0...5)]")
        #expect(
            try adopt([narrow]) == [
                "film.a: expected Int(0...5), was Int, found 7",
                "film.b: expected Double(0...2), was Double(0...), found 2.5",
                "film.list.1: expected Int(0...5), was [Int], found 9",
            ]
        )
        #expect(daemon.value("film") == #"{"a":7,"b":2.5,"list":[1,9]}"#)
        #expect(
            try adopt([TypeDeclaration("Film", "a: Double(0...7)", "b: Double(0...3)", "list: [Int(0...9)]")])
                == []
        )
        #expect(daemon.value("film") == #"{"a":7.0,"b":2.5,"list":[1,9]}"#)
        try adopt(
            [TypeDeclaration("Film", "a: Int(1...5) = 3", "b: Double(-4...-3)", "list: [Int(0...5)]")],
            mayLose: true
        )
        #expect(daemon.value("film") == #"{"a":3,"b":-3.0,"list":[1]}"#)
    }

    @Test func `a renamed type takes over the models of its places`() throws {
        try adopt(
            [TypeDeclaration("Film", "title: String")],
            [("film", "Film"), ("films", "[String: Film]")]
        )
        set("film", #"{"title":"M"}"#)
        set("films", #"{"a":{"title":"N"}}"#)
        let movie = TypeDeclaration("Movie", "title: String", "year: Int?")
        #expect(try adopt([movie], [("film", "Movie"), ("films", "[String: Movie]")]) == [])
        #expect(daemon.value("films") == #"{"a":{"title":"N","year":null}}"#)
        #expect(
            daemon.ask("set", #""path":"films.b","value":{"titel":1}"#).contains(
                "Movie has no property titel"
            )
        )
    }

    @Test func `a reference becomes weak only if something else holds its model`() throws {
        let strong = TypeDeclaration("Film", "next: Film?", "title: String")
        let weak = TypeDeclaration("Film", "next: weak Film?", "title: String")
        try adopt([strong], [("film", "Film?"), ("other", "Film?")])
        set("film", #"{"title":"a","next":{"title":"b"}}"#)
        let misfits = try adopt([weak], [("film", "Film?"), ("other", "Film?")])
        #expect(
            misfits == [
                "film.next: a weak reference would not keep its model alive, and nothing else does, was Film?"
            ]
        )
        _ = daemon.ask("link", #""path":"other","target":"film.next""#)
        #expect(try adopt([weak], [("film", "Film?"), ("other", "Film?")]) == [])
        _ = daemon.ask("link", #""path":"other.next","target":"film""#)
        #expect(
            try adopt([strong], [("film", "Film?"), ("other", "Film?")]) == [
                "other.next: a strong reference would close a cycle, was weak Film?"
            ]
        )
        _ = daemon.ask("remove", #""path":"other.next""#)
        #expect(try adopt([strong], [("film", "Film?"), ("other", "Film?")]) == [])
        _ = daemon.ask("remove", #""path":"other""#)
        #expect(daemon.value("film.next.title") == "\"b\"")
    }

    @Test func `temporary values and the values they shadow are converted`() throws {
        try adopt([TypeDeclaration("Film", "year: Int")])
        set("film", #"{"year":1}"#)
        set("film.year", "2", #","lifetime":1000"#)
        #expect(try adopt([TypeDeclaration("Film", "year: Double")]) == [])
        #expect(daemon.value("film.year") == "2.0")
        daemon.clock.pass(milliseconds: 2000, in: daemon.hub)
        #expect(daemon.value("film.year") == "1.0")
    }

    @Test func `a misfit in a shadowed model is named by the property that holds it`() throws {
        let numbers = TypeDeclaration("Film", "year: Int", "next: Film?", "list: [Film]")
        let texts = TypeDeclaration("Film", "year: String", "next: Film?", "list: [Film]")
        try adopt([numbers])
        set("film", #"{"next":{"next":{"list":[{"year":1}],"year":2},"year":3},"year":4}"#)
        set("film.next", "null", #","lifetime":1000"#)
        #expect(
            try adopt([texts]).sorted() == [
                "film.next (shadowed).next.list.0.year: expected String, was Int, found 1",
                "film.next (shadowed).next.year: expected String, was Int, found 2",
                "film.next (shadowed).year: expected String, was Int, found 3",
                "film.year: expected String, was Int, found 4",
            ]
        )
        set("film", #"{"list":[{"year":5}]}"#)
        set("film.list", "[]", #","lifetime":1000"#)
        #expect(
            try adopt([texts]).sorted() == [
                "film.list (shadowed).year: expected String, was Int, found 5",
                "film.year: expected String, was Int, found 0",
            ]
        )
    }

    @Test func `a required model without a default is missed, and made under --adapt`() throws {
        try adopt([TypeDeclaration("Film", "title: String")])
        set("film", #"{"title":"M"}"#)
        let types = [
            TypeDeclaration("Film", "title: String", "studio: Studio"),
            TypeDeclaration("Studio", "name: String = \"UFA\"", "city: City"),
            TypeDeclaration("City", "zip: Int"),
        ]
        #expect(try adopt(types) == ["film.studio: expected Studio, which has no default, and found nothing"])
        try adopt(types, mayLose: true)
        #expect(daemon.value("film.studio") == #"{"name":"UFA","city":{"zip":0}}"#)
    }

    @Test func `a binding that the types forbid is a misfit, and another one follows the new values`() throws
    {
        try adopt([TypeDeclaration("Film", "a: Int", "b: Int", "c: Int?")])
        set("film", #"{"a":1}"#)
        _ = daemon.ask("bind", #""source":"film.a","target":"film.b""#)
        #expect(try adopt([TypeDeclaration("Film", "a: Double", "b: Double", "c: Int?")]) == [])
        set("film.a", "2.5")
        #expect(daemon.value("film.b") == "2.5")
        _ = daemon.ask("bind", #""source":"film.c","target":"film.b""#)
        let types = [TypeDeclaration("Film", "a: Double", "b: readonly Double", "c: Int?")]
        #expect(try adopt(types).count == 2)
        try adopt(types, mayLose: true)
        try daemon.kill()
        #expect(daemon.ask("bindings", "") == #""result":{"bindings":[]}"#)
    }

    @Test func `a computed property is removed with its type, and comes back`() throws {
        let film = TypeDeclaration("Film", "title: String", "label: computed String = <{title}>")
        try adopt([film])
        set("film", #"{"title":"M"}"#)
        let revision = daemon.tree.revision
        #expect(try adopt([], []) == [])
        #expect(daemon.value("film.label") == "null")
        #expect(try adopt([film]) == [])
        #expect(daemon.value("film.label") == "\"<M>\"")
        #expect(daemon.tree.revision == revision + 2)
        try daemon.kill()
        #expect(daemon.value("film.label") == "\"<M>\"")
    }

    @Test func `types that change during a snapshot cancel it`() throws {
        try adopt([TypeDeclaration("Film", "year: Int")])
        set("film", #"{"year":1}"#)
        let journal = try #require(daemon.openJournal)
        journal.rotation.isWanted = true
        while journal.snapshot == nil {
            if journal.popWork(isSyncDue: true) != nil { journal.finish(daemon.disk.doWork()) }
            if journal.wantsStep { journal.step { true } }
        }
        #expect(try adopt([TypeDeclaration("Film", "year: Double", "title: String")]) == [])
        journal.step { true }
        #expect(journal.snapshot == nil)
        let dump = daemon.dump
        try daemon.kill()
        #expect(daemon.dump == dump)
        try daemon.snapshot()
        set("film.year", "1.5")
        try daemon.kill()
        #expect(daemon.value("film") == #"{"year":1.5,"title":""}"#)
        #expect(daemon.ask("set", #""path":"film.year","value":"x""#).contains("expected Double"))
    }

    @Test func `state that has only the names of types gets the declarations`() throws {
        // As earlier versions kept it: the types were declared before the state was read.
        let old = Hub.with([])
        let film = TypeDeclaration("Film", "title: String", "label: computed String = <{title}>")
        #expect(old.tree.declare([film]) == [])
        try old.tree.declare(root: "film", type: "Film?")
        let disk = SimulatedDisk(seed: 1)
        let conditions = StartConditions(durability: .commit, boot: "b", clockOffset: 0, freshEpoch: "e")
        old.journaling.keep(try Recovery.open(old.tree, on: disk, conditions).journal)
        _ = FakeClient(old).ask(#"{"id":1,"method":"set","params":{"path":"film","value":{"title":"M"}}}"#)
        old.journaling.closeJournal()
        let next = try JournaledHub(.commit, on: disk)
        let declarations = TypeDeclarations(types: [film], roots: [RootDeclaration("film", "Film?")])
        try next.hub.journaling.change { tree in
            guard let plan = tree.plan(declarations) else { return }
            #expect(plan.misfits.isEmpty)
            #expect(throws: Never.self) { try tree.layOut { try tree.apply(plan) } }
        }
        #expect(next.tree.faults() == [])
        #expect(next.value("film.label") == "\"<M>\"")
        try next.kill()
        #expect(next.value("film.label") == "\"<M>\"")
        #expect(next.tree.plan(declarations) == nil)
    }

    @Test(arguments: [true, false])
    func `types that no model has any more are freed, with their names and templates`(areAdopted: Bool)
        throws
    {
        func change(_ number: Int) throws {
            let range = "Int(0...\(number + 5))"
            let film = TypeDeclaration(
                "Film",
                "a: \(areAdopted ? "Int" : "[Int]")",
                "b: [String: [\(range)]]",
                "c: computed String? = {b.m\(number)[x\(number) > 1].y\(number) ?? 1}"
            )
            try #expect(adopt([film, TypeDeclaration("Other\(number)", "f: Film?")]).isEmpty == areAdopted)
        }
        try adopt([TypeDeclaration("Film", "a: Int", "b: [String: Int]")])
        set("film", #"{"a":7,"b":{}}"#)
        set("any", #"{"a":7}"#)
        for number in 0..<3 { try change(number) }
        let (count, names) = (daemon.tree.typing.types.ids.count, daemon.tree.records.names.count)
        let refinements = daemon.tree.typing.types.refinements.count
        // The released model keeps its type for as long as a commit may restore it.
        set("film", #"{"a":7}"#)
        for number in 3..<30 { try change(number) }
        #expect(daemon.tree.typing.types.ids.count <= count + 4)
        #expect(daemon.tree.typing.types.refinements.count <= refinements + 1)
        #expect(daemon.tree.records.names.count <= names + 9)
        try daemon.kill()
        #expect(daemon.tree.faults() == [])
        #expect(daemon.value("film.a") == "7")
    }

    @Test func `a dump under way is cancelled when types change`() throws {
        try adopt([TypeDeclaration("Film", "year: Int", "text: String")])
        set("film", #"{"text":"\#(String(repeating: "x", count: 600_000))"}"#)
        set("other", #"{"text":"\#(String(repeating: "x", count: 600_000))"}"#)
        #expect(daemon.ask("dump", "").contains(#""more":true"#))
        try adopt([TypeDeclaration("Film", "year: Double", "text: String")])
        #expect(daemon.ask("dump", #""part":1"#).contains("the configuration changed the declared types"))
    }

    // A search for each reference, as long as the chain, would take minutes.
    @Test(.timeLimit(.minutes(15)))
    func `a long chain of weak references becomes strong`() throws {
        let count = 20_000
        let list = TypeDeclaration("List", "all: [Node]")
        let weak = TypeDeclaration("Node", "next: weak Node?")
        try adopt([list, weak], [("list", "List?")])
        let nodes = Array(repeating: "{}", count: count).joined(separator: ",")
        set("list", #"{"all":[\#(nodes)]}"#)
        for start in stride(from: 0, to: count - 1, by: 1000) {
            let links = (start..<min(start + 1000, count - 1)).map {
                #"{"method":"link","params":{"path":"list.all.\#($0).next","target":"list.all.\#($0 + 1)","weak":true}}"#
            }
            let answer = daemon.ask("transaction", #""operations":[\#(links.joined(separator: ","))]"#)
            #expect(answer.hasPrefix("\"result\""), "\(answer.prefix(200))")
        }
        try #expect(adopt([list, TypeDeclaration("Node", "next: Node?")], [("list", "List?")]) == [])
    }

    @Test func `a replay passes a property that types made computed, and that is null`() throws {
        set("film", #"{"year":0}"#)
        daemon.ask("link", #""path":"former","target":"film""#)
        let since = #"{"epoch":"\#(daemon.hub.journaling.epoch)","revision":\#(daemon.tree.revision)}"#
        set("film", #"{"year":0}"#)
        let film = TypeDeclaration("Film", "year: Int", "note: computed Any = {year > 0 ? year : null}")
        #expect(try adopt([film], [("film", "Film?"), ("former", "Film?")]) == [])
        // The replay's node leaves the former film, whose property is not there yet.
        let request = #"{"id":1,"method":"subscribe","params":{"path":"film.note","since":\#(since)}}"#
        let answer = daemon.client(7).ask(request).first ?? ""
        #expect(answer.contains(#""resumed":true"#), "\(answer)")
        #expect(daemon.tree.faults() == [])
        set("former.year", "2")
        #expect(daemon.value("former.note") == "2")
        #expect(daemon.tree.faults() == [])
    }

    @Test func `the advice for a property that goes can be followed`() throws {
        try adopt([TypeDeclaration("Film", "title: String", "year: Int", "note: String?", "any: Any")])
        set("film", #"{"title":"M","year":1931,"note":"x","any":1}"#)
        let next = TypeDeclaration(
            "Film",
            "title: String",
            "note: computed String = {title}",
            "any: weak Any?"
        )
        let roots = [RootDeclaration("film", "Film?")]
        let plan = try #require(daemon.tree.plan(TypeDeclarations(types: [next], roots: roots)))
        #expect(
            plan.misfits.first.map(\.description) == [
                "film.year: not declared, was Int, found a number: declare it, declare it as Int? and remove it first, "
                    + "or start with --adapt, which drops it",
                "film.note: computed, was String?, found a string: set it to null first, or start with --adapt, "
                    + "which drops it",
                "film.any: expected weak Any?, was Any, found 1: assign another value first, or start with --adapt, "
                    + "which resets it to null",
            ]
        )
    }

    @Test func `a plan names what the tree's limits refuse of the declarations`() throws {
        let path = Array(repeating: "a", count: 65).joined(separator: ".")
        let deep = TypeDeclaration("Film", "a: Any", "b: computed Any = {\(path)}")
        let plan = daemon.tree.plan(TypeDeclarations(types: [deep], roots: []))
        #expect(
            plan?.faults == [
                DeclarationFault(
                    place: ["Film", "b", "computed"],
                    message: "column 130: the key path has more than 64 components"
                )
            ]
        )
    }
}
