// SPDX-License-Identifier: MIT
// Bindings whose source is computed, under declared types that go and return: neither end loses its value.

import Testing

@testable import ObserveCore

struct RestingBindingTests {
    private let daemon: JournaledHub

    init() throws { daemon = try JournaledHub(.commit, reserving: 0) }

    /// A kind of source, and what the target has while it is computed.
    struct Source: CustomTestStringConvertible {
        let path: String
        var isTwoWay = false
        let before: String
        let after: String

        var testDescription: String { path }
    }

    private static let sources = [
        Source(path: "shelf.films.0.label", before: #""Alien!""#, after: #""Brazil!""#),
        // Below a reference that is computed.
        Source(path: "shelf.best.title", isTwoWay: true, before: #""Alien""#, after: #""Brazil""#),
        Source(path: "shelf.best.label", before: #""Alien!""#, after: #""Brazil!""#),
        // Over elements with a computed property.
        Source(path: "shelf.films.@unionOfObjects.label", before: #"["Alien!"]"#, after: #"["Brazil!"]"#),
        // Computed of computed properties.
        Source(path: "shelf.headline", before: #""*Alien!*""#, after: #""*Brazil!*""#),
    ]

    private static var types: [TypeDeclaration] {
        func computed(_ name: String, _ type: String, _ template: String) -> PropertyDeclaration {
            var property = PropertyDeclaration(name, type)
            property.computed = template
            return property
        }
        return [
            TypeDeclaration(
                "Shelf",
                [
                    PropertyDeclaration("films", "[Film]"), computed("best", "Film?", "{films.0}"),
                    computed("headline", "String", "*{best.label}*"),
                ]
            ),
            TypeDeclaration(
                "Film",
                [PropertyDeclaration("title", "String"), computed("label", "String", "{title}!")]
            ),
        ]
    }

    private struct Stop: Error {}

    private func adopt(_ types: [TypeDeclaration], isRolledBack: Bool = false) throws {
        try daemon.hub.journaling.change { tree in
            let roots = types.isEmpty ? [] : [RootDeclaration("shelf", "Shelf?")]
            guard let plan = tree.plan(TypeDeclarations(types: types, roots: roots)) else { return }
            #expect(plan.misfits.isEmpty)
            try? tree.layOut {
                try tree.apply(plan)
                if isRolledBack { throw Stop() }
            }
        }
        #expect(daemon.tree.faults() == [])
    }

    private func set(_ path: String, _ json: String) {
        let answer = daemon.ask("set", #""path":"\#(path)","value":\#(json)"#)
        #expect(answer.hasPrefix("\"result\""), "\(answer)")
    }

    /// Binds the source to `out.a`, and that to `out.b`.
    private func begin(_ source: Source) throws {
        try adopt(Self.types)
        set("shelf", #"{"films":[{"title":"Alien"}]}"#)
        set("out", #"{"a":null,"b":null}"#)
        for (from, to) in [(source.path, "out.a"), ("out.a", "out.b")] {
            let isTwoWay = from != "out.a" && source.isTwoWay
            #expect(
                daemon.ask("bind", #""source":"\#(from)","target":"\#(to)","twoWay":\#(isTwoWay)"#)
                    .hasPrefix("\"result\"")
            )
        }
        expect(source.before)
    }

    private func expect(_ value: String, _ when: Comment? = nil) {
        #expect(daemon.value("out") == #"{"a":\#(value),"b":\#(value)}"#, when)
    }

    enum Between: CaseIterable { case nothing, kill, restart, snapshot }

    @Test(arguments: sources, Between.allCases)
    func `a binding rests while the types of its source are gone, and then propagates again`(
        source: Source,
        between: Between
    ) throws {
        try begin(source)
        try adopt([])
        expect(source.before, "without types")
        switch between {
        case .nothing: break
        case .kill: try daemon.kill()
        case .restart: try daemon.restart()
        case .snapshot:
            try daemon.snapshot()
            try daemon.kill()
        }
        expect(source.before, "after a start")
        // Models on the way may be replaced.
        set("out", #"{"a":"x","b":"y"}"#)
        // The state does not say which bindings rest. After a start, those without a source do.
        if between == .nothing || !source.path.contains("@") && !source.isTwoWay {
            #expect(daemon.value("out.a") == #""x""#)
            #expect(daemon.ask("bindings", "").ranges(of: #""failing":false"#).count == 2)
        }
        try adopt(Self.types)
        expect(source.before, "with the types again")
        set("shelf.films.0.title", #""Brazil""#)
        expect(source.after)
        if source.isTwoWay {
            set("out.a", #""Metropolis""#)
            #expect(daemon.value("shelf.films.0.title") == #""Metropolis""#)
        }
    }

    @Test(arguments: sources)
    func `types that are not adopted end no binding's work`(source: Source) throws {
        try begin(source)
        try adopt([], isRolledBack: true)
        daemon.disk.isFull = true
        try? adopt([])
        daemon.disk.isFull = false
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        expect(source.before)
        set("shelf.films.0.title", #""Brazil""#)
        expect(source.after)
    }

    @Test func `a source that a client removes is propagated`() throws {
        try begin(Self.sources[0])
        try adopt([])
        try adopt(Self.types)
        set("shelf.films", "[]")
        expect("null")
    }

    @Test func `a source that comes to be null again with its type is propagated`() throws {
        try begin(Self.sources[1])
        set("shelf.films", "[]")
        expect("null")
        set("shelf.films", #"[{"title":"Alien"}]"#)
        try adopt([])
        set("shelf.films", "[]")
        expect(#""Alien""#)
        try adopt(Self.types)
        expect("null")
    }

    @Test func `a dry run ends no rest`() throws {
        set("out", #"{"a":1}"#)
        set("from", #"{"x":1}"#)
        #expect(daemon.ask("bind", #""source":"from.none","target":"out.a""#).hasPrefix("\"result\""))
        set("out.a", "7")
        try daemon.restart()
        let answer = daemon.ask("set", #""path":"from.none","value":5,"dryRun":true"#)
        #expect(answer.contains(#""path":"out.a","old":7,"new":5,"binding":1"#), "\(answer)")
        set("out", #"{"a":8}"#)
        #expect(daemon.value("out.a") == "8")
        set("from.none", "5")
        #expect(daemon.value("out.a") == "5")
    }
}
