// SPDX-License-Identifier: MIT
// Swift models in the tree: paths, writes and events, and how each side sees the other's changes.

import Testing

@testable import ObserveCore

@Suite struct HostingTests {
    enum Shuffle: String, ModelValue { case off, songs, albums }

    final class Film: CreatableModel {
        let observationStore = ObservationStore()
        @Published var videoTitle = "untitled"
        @Published var seconds = 0
        init() {}
        convenience init(_ videoTitle: String) {
            self.init()
            self.videoTitle = videoTitle
        }
    }

    final class Deck: CreatableModel {
        let observationStore = ObservationStore()
        @Published var film: Film?
        @Published var queue: [Film] = []
        @Published var tags: [String] = []
        @Published var shuffle = Shuffle.off
        @Published var level: Int8 = 5
        @Published var gain: Float = 0.5
        @Published var speed = 1.0
        @Published var isMuted = false
        @Published var note: String?
        @WeakPublished var favourite: Film?
        init() {}
    }

    /// Only the program can make it.
    final class Projector: ObservableModel {
        let observationStore = ObservationStore()
        @Published var deck = Deck()
        @Published var spare: Projector?
        @Published var lamp: Lamp?
    }

    final class Lamp: ObservableModel {
        let observationStore = ObservationStore()
        @Published var hours = 0
        @Published var projector: Projector?
    }

    let seen = Heard()
    let talk = Conversation([("library", #"{"films":{}}"#)])
    var hosted: HostedModels { talk.hub.hostedModels(checkThread: {}, didCommit: {}) }

    func host(_ model: any ObservableModel, at root: String) throws {
        try hosted.host(model, at: root)
    }

    func check() { #expect(talk.hub.tree.faults() == []) }

    @Test func `a client reads a Swift model and its references like any other`() throws {
        let projector = Projector()
        projector.deck.film = Film("Alien")
        projector.deck.queue = [Film("Brazil")]
        projector.lamp = Lamp()
        try host(projector, at: "projector")
        #expect(
            talk.value("projector")
                == #"{"deck":{"film":{"videoTitle":"Alien","seconds":0},"#
                + #""queue":[{"videoTitle":"Brazil","seconds":0}],"tags":[],"shuffle":"off","level":5,"gain":0.5,"#
                + #""speed":1.0,"isMuted":false,"note":null},"spare":null,"lamp":{"hours":0,"projector":null}}"#
        )
        #expect(talk.value("projector.deck.queue.0.videoTitle") == #""Brazil""#)
        #expect(talk.value("projector.deck.queue.@count") == "1")
        #expect(talk.value("library") == #"{"films":{}}"#)
        check()
    }

    @Test func `an assignment in Swift sends events`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        talk.watch("deck.film.videoTitle", "deck.level", "deck.**")
        deck.level = 7
        deck.film = Film("Alien")
        deck.film?.videoTitle = "Aliens"
        deck.film?.videoTitle = "Aliens"
        deck.film = nil
        let revision = talk.revision
        #expect(
            talk.events() == [
                #""path":"deck.level","reason":"valueChanged","new":7,"old":5,"revision":\#(revision - 3)"#,
                #""path":"deck.level","reason":"valueChanged","new":7,"old":5,"revision":\#(revision - 3)"#,
                #""path":"deck.film.videoTitle","reason":"pathChanged","new":"Alien","old":null,"changedAt":"deck.film","revision":\#(revision - 2)"#,
                #""path":"deck.film","reason":"valueChanged","new":{"videoTitle":"Alien","seconds":0},"old":null,"revision":\#(revision - 2)"#,
                #""path":"deck.film.videoTitle","reason":"valueChanged","new":"Aliens","old":"Alien","revision":\#(revision - 1)"#,
                #""path":"deck.film.videoTitle","reason":"valueChanged","new":"Aliens","old":"Alien","revision":\#(revision - 1)"#,
                #""path":"deck.film.videoTitle","reason":"pathChanged","new":null,"old":"Aliens","changedAt":"deck.film","nilAt":"deck.film","revision":\#(revision)"#,
                #""path":"deck.film","reason":"valueChanged","new":null,"old":{"videoTitle":"Aliens","seconds":0},"revision":\#(revision)"#,
            ]
        )
        check()
    }

    @Test func `a transaction in Swift is one commit on the wire`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        talk.watch("deck.level", "deck.note")
        let revision = talk.revision
        transaction {
            deck.level = 1
            deck.level = 2
            deck.note = "both"
        }
        #expect(talk.revision == revision + 1)
        #expect(
            talk.events() == [
                #""path":"deck.level","reason":"valueChanged","new":2,"old":5,"revision":\#(revision + 1)"#,
                #""path":"deck.note","reason":"valueChanged","new":"both","old":null,"revision":\#(revision + 1)"#,
            ]
        )
    }

    @Test func `a set on the wire notifies Swift observers`() throws {
        let deck = Deck()
        deck.film = Film("Alien")
        try host(deck, at: "deck")
        let token = deck.observe(\.film?.videoTitle, options: [.old, .new]) { seen.change($0) }
        talk.ask("set", #"{"path":"deck.film.videoTitle","value":"Aliens"}"#)
        talk.ask("set", #"{"path":"deck.film","value":{"videoTitle":"Brazil"}}"#)
        talk.ask("merge", #"{"path":"deck","value":{"film":{"videoTitle":"Brazil (1985)"},"level":9}}"#)
        talk.ask("set", #"{"path":"deck.film","value":null}"#)
        #expect(
            seen.popAll() == [
                "valueChanged Alien -> Aliens at Film.videoTitle",
                "pathChanged Aliens -> Brazil at Deck.film",
                "valueChanged Brazil -> Brazil (1985) at Film.videoTitle",
                "pathChanged Brazil (1985) -> nil at Deck.film",
            ]
        )
        #expect(deck.level == 9)
        withExtendedLifetime(token) {}
        check()
    }

    @Test func `a transaction on the wire notifies Swift observers once`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        let token = deck.observe({ "\($0.level) \($0.note ?? "-")" }) { seen($0) }
        talk.ask(
            "transaction",
            #"{"operations":[{"method":"set","params":{"path":"deck.level","value":1}},{"method":"set","params":{"path":"deck.note","value":"x"}}]}"#
        )
        let refused = talk.refusal(
            "transaction",
            #"{"operations":[{"method":"set","params":{"path":"deck.level","value":2}},{"method":"set","params":{"path":"deck.note","value":7}}]}"#
        )
        #expect(refused.hasPrefix("2 "))
        #expect(seen.popAll() == ["5 -", "1 x"])
        withExtendedLifetime(token) {}
        check()
    }

    @Test func `the daemon refuses wrong types, and changes nothing`() throws {
        let projector = Projector()
        try host(projector, at: "projector")
        let refusals: [(String, String, String)] = [
            (
                "deck.level", "\"loud\"",
                #"2 {"name":"typeMismatch","path":"projector.deck.level","declared":"Int8","found":"string"}"#
            ),
            (
                "deck.level", "128",
                #"2 {"name":"typeMismatch","path":"projector.deck.level","declared":"Int8","found":"int"}"#
            ),
            (
                "deck.shuffle", "\"films\"",
                #"2 {"name":"typeMismatch","path":"projector.deck.shuffle","declared":"Shuffle","found":"string"}"#
            ),
            (
                "deck.tags", "[\"a\",1]",
                #"2 {"name":"typeMismatch","path":"projector.deck.tags.1","declared":"String","found":"int"}"#
            ),
            (
                "deck.film", "{\"title\":\"x\"}",
                #"1 {"name":"notFound","path":"projector.deck.film.title"}"#
            ),
            (
                "deck.film", "{\"seconds\":1.5}",
                #"2 {"name":"typeMismatch","path":"projector.deck.film.seconds","declared":"Int","found":"double"}"#
            ),
            (
                "deck.favourite", "{}",
                #"2 {"name":"typeMismatch","path":"projector.deck.favourite","declared":"Film?","found":"model"}"#
            ),
            (
                "deck", "null",
                #"2 {"name":"typeMismatch","path":"projector.deck","declared":"Deck","found":"null"}"#
            ),
            ("spare", "{}", #"3 {"name":"readOnly","path":"projector.spare"}"#),
            ("deck.none", "1", #"1 {"name":"notFound","path":"projector.deck.none","nearest":"note"}"#),
        ]
        for (path, value, expected) in refusals {
            let found = talk.refusal("set", #"{"path":"projector.\#(path)","value":\#(value)}"#)
            #expect(found == expected)
        }
        #expect(talk.refusal("set", #"{"path":"projector","value":{}}"#).hasPrefix("3 "))
        #expect(talk.refusal("remove", #"{"path":"projector"}"#).hasPrefix("3 "))
        #expect(projector.deck.level == 5 && projector.deck.film == nil)
        check()
    }

    @Test func `an object becomes a Swift model with a new one's defaults`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        talk.ask("set", #"{"path":"deck.film","value":{"seconds":7}}"#)
        #expect(deck.film?.videoTitle == "untitled" && deck.film?.seconds == 7)
        talk.ask("insert", #"{"path":"deck.queue","value":{"videoTitle":"first"}}"#)
        talk.ask("insert", #"{"path":"deck.queue","value":{"videoTitle":"second"},"index":0}"#)
        #expect(deck.queue.map(\.videoTitle) == ["second", "first"])
        let first = deck.queue[1]
        talk.ask("set", #"{"path":"deck.queue.1.seconds","value":3}"#)
        talk.ask("remove", #"{"path":"deck.queue.0"}"#)
        #expect(deck.queue.count == 1 && deck.queue[0] === first && first.seconds == 3)
        talk.ask("link", #"{"path":"deck.favourite","target":"deck.queue.0"}"#)
        #expect(deck.favourite === first)
        talk.ask("link", #"{"path":"library.best","target":"deck.film"}"#)
        #expect(talk.value("library.best.seconds") == "7")
        check()
    }

    @Test func `a set changes a model in place if only the program can make it`() throws {
        let projector = Projector()
        try host(projector, at: "projector")
        talk.ask("set", #"{"path":"projector.deck","value":{"level":3,"film":{"videoTitle":"Alien"}}}"#)
        #expect(projector.deck.level == 3 && projector.deck.film?.videoTitle == "Alien")
        projector.deck.film?.seconds = 90
        #expect(talk.value("projector.deck.film.seconds") == "90")
        check()
    }

    @Test func `an array edit in Swift sends an insertion or a removal`() throws {
        let deck = Deck()
        deck.queue = [Film("one"), Film("two")]
        try host(deck, at: "deck")
        talk.watch("deck.queue")
        deck.queue.append(Film("three"))
        deck.queue.removeFirst()
        deck.queue[0] = Film("2")
        deck.queue.swapAt(0, 1)
        #expect(
            talk.events().map {
                $0.split(separator: ",").filter { $0.hasPrefix("\"kind") || $0.hasPrefix("\"indexes") }
                    .joined(separator: " ")
            } == [
                #""kind":"insertion" "indexes":[2]"#, #""kind":"removal" "indexes":[0]"#,
                #""kind":"replacement" "indexes":[0]"#, "",
            ]
        )
        check()
    }

    @Test func `an assigning observer makes its own commit`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        let token = deck.observe(\.level) { level in
            if level > 100 { deck.level = 100 }
        }
        talk.watch("deck.level")
        #expect(
            talk.ask("set", #"{"path":"deck.level","value":120}"#)
                == #"{"revision":\#(talk.revision),"changed":true}"#
        )
        let revision = talk.revision
        #expect(
            talk.events() == [
                #""path":"deck.level","reason":"valueChanged","new":120,"old":5,"revision":\#(revision - 1)"#,
                #""path":"deck.level","reason":"valueChanged","new":100,"old":120,"revision":\#(revision)"#,
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `observers in Swift see a commit whole, with what bindings on both sides make of it`() throws {
        let deck = Deck()
        deck.tags = [""]
        let tokens = [
            deck.bind({ "\($0.speed)" }, to: deck, at: \.note),
            deck.observe({ "\($0.level) \($0.speed) \($0.note ?? "nil") \($0.tags)" }) { seen($0) },
        ]
        try host(deck, at: "deck")
        talk.ask("bind", #"{"source":"deck.level","target":"deck.speed"}"#)
        talk.ask("bind", #"{"source":"deck.note","target":"deck.tags.0"}"#)
        _ = seen.popAll()
        let revision = talk.revision
        deck.level = 7
        #expect(seen.popAll() == [#"7 7.0 7.0 ["7.0"]"#])
        transaction {
            deck.level = 8
            deck.level = 9
        }
        #expect(seen.popAll() == [#"9 9.0 9.0 ["9.0"]"#])
        talk.ask("set", #"{"path":"deck.level","value":11}"#)
        #expect(seen.popAll() == [#"11 11.0 11.0 ["11.0"]"#])
        // Each is one commit of the tree, too.
        #expect(talk.revision == revision + 3)
        check()
        withExtendedLifetime(tokens) {}
    }

    @Test func `bindings on either side write in the same commit`() throws {
        let deck = Deck()
        let lamp = Lamp()
        try host(deck, at: "deck")
        try host(lamp, at: "lamp")
        let token = deck.bind({ Int($0.level) * 10 }, to: lamp, at: \.hours)
        talk.ask("bind", #"{"source":"lamp.hours","target":"library.hours"}"#)
        talk.ask("bind", #"{"source":"library.hours","target":"deck.speed"}"#)
        talk.watch("lamp.hours", "library.hours", "deck.speed")
        let revision = talk.revision
        talk.ask("set", #"{"path":"deck.level","value":6}"#)
        #expect(deck.speed == 60)
        deck.level = 7
        #expect(deck.speed == 70 && talk.value("library.hours") == "70")
        #expect(talk.revision == revision + 2)
        #expect(talk.events().count == 6)
        withExtendedLifetime(token) {}
        check()
    }

    @Test func `the host refuses properties that it can't show, by name`() throws {
        final class Inner: ObservableModel {
            let observationStore = ObservationStore()
            @Published var onEnd: (() -> Void)?
            @Published var settings: [String: Int] = [:]
        }
        final class Outer: ObservableModel {
            let observationStore = ObservationStore()
            @Published var inner: [Inner] = []
            @Published var anything: Any = 1
            @Published var byName: [String: Inner] = [:]
        }
        let error = #expect(throws: HostingError.self) { try host(Outer(), at: "outer") }
        #expect(
            error?.properties == ["Outer.anything", "Outer.byName", "Inner.onEnd", "Inner.settings"]
        )
        #expect(
            error?.description == """
                Outer.anything is Any, Outer.byName is Dictionary<String, Inner>, Inner.onEnd is Optional<() -> ()>, \
                Inner.settings is Dictionary<String, Int>: a tree shows numbers (integers: of up to 64 signed bits), text, \
                Bool, enumerations with raw values, models, and optionals and arrays of these; publish models that have \
                a key as an array, and other values as a model
                """
        )
        #expect(talk.value("outer") == "null")
        #expect(throws: HostingError.self) { try host(Lamp(), at: "observed") }
        check()
    }

    @Test func `the host shows the properties of superclasses`() throws {
        class Device: ObservableModel {
            let observationStore = ObservationStore()
            @Published var name = "device"
        }
        final class Speaker: Device {
            @Published var volume = 3
        }
        final class Room: ObservableModel {
            let observationStore = ObservationStore()
            @Published var device: Device?
            @Published var other: Device?
        }
        let room = Room()
        room.device = Speaker()
        try host(room, at: "room")
        #expect(talk.value("room.device") == #"{"name":"device","volume":3}"#)
        talk.ask("set", #"{"path":"room.device.volume","value":4}"#)
        #expect((room.device as? Speaker)?.volume == 4)
        talk.ask("link", #"{"path":"room.other","target":"room.device"}"#)
        #expect(room.other === room.device)
        check()
    }
}
