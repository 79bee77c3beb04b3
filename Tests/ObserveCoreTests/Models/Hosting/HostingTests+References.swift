// SPDX-License-Identifier: MIT
// References between Swift models: cycles, weak references, lifetimes of objects.

import Testing

@testable import ObserveCore

extension HostingTests {
    @Test func `the tree shows null where a reference closes a cycle, until it closes none`() throws {
        let projector = Projector()
        projector.lamp = Lamp()
        projector.lamp?.projector = projector
        try host(projector, at: "projector")
        #expect(talk.value("projector.lamp") == #"{"hours":0,"projector":null}"#)
        projector.spare = projector
        #expect(talk.value("projector.spare") == "null")
        let other = Projector()
        projector.spare = other
        projector.lamp?.projector = other
        #expect(talk.value("projector.lamp.projector.deck.level") == "5")
        other.spare = projector
        #expect(talk.value("projector.spare.spare") == "null")
        projector.spare = nil
        projector.lamp?.projector = nil
        try host(other, at: "other")
        #expect(talk.value("other.spare.deck.level") == "5")
        other.spare = nil
        check()
    }

    @Test func `a new model's reference back to its holder reads as null`() throws {
        let projector = Projector()
        try host(projector, at: "projector")
        let lamp = Lamp()
        lamp.projector = projector
        projector.lamp = lamp
        #expect(talk.value("projector.lamp") == #"{"hours":0,"projector":null}"#)
        projector.lamp = nil
        lamp.projector = nil
        #expect(talk.value("projector.lamp") == "null")
        check()
    }

    @Test func `a weak reference shows a reachable model, and zeroes on both sides`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        var film: Film? = Film("Alien")
        deck.favourite = film
        #expect(talk.value("deck.favourite") == "null")
        deck.film = film
        #expect(talk.value("deck.favourite.videoTitle") == #""Alien""#)
        talk.watch("deck.favourite.videoTitle")
        deck.film = nil
        #expect(talk.value("deck.favourite") == "null" && deck.favourite === film)
        #expect(talk.events().count == 1)
        deck.film = film
        film = nil
        #expect(talk.events().count == 1)
        talk.ask("set", #"{"path":"deck.film","value":null}"#)
        #expect(deck.favourite == nil)
        #expect(talk.events().count == 1)
        check()
    }

    @Test func `a model lives while either side refers to it`() throws {
        let deck = Deck()
        try host(deck, at: "deck")
        weak var film: Film?
        do {
            let alien = Film("Alien")
            film = alien
            deck.film = alien
        }
        talk.ask("link", #"{"path":"library.alien","target":"deck.film"}"#)
        deck.film = nil
        #expect(film != nil)
        talk.ask("set", #"{"path":"library.alien.videoTitle","value":"Aliens"}"#)
        #expect(film?.videoTitle == "Aliens")
        talk.ask("remove", #"{"path":"library.alien"}"#)
        #expect(film == nil)
        check()
    }

    @Test func `an expired value uncovers the shadowed one`() throws {
        let deck = Deck()
        deck.film = Film("Alien")
        try host(deck, at: "deck")
        let token = deck.observe(\.film?.videoTitle) { seen($0 as Any) }
        talk.ask("set", #"{"path":"deck.film","value":{"videoTitle":"Trailer"},"lifetime":50}"#)
        talk.ask("set", #"{"path":"deck.level","value":1,"lifetime":50}"#)
        talk.pass(milliseconds: 60)
        #expect(seen.popAll() == ["Alien", "Trailer", "Alien"])
        #expect(deck.level == 5)
        withExtendedLifetime(token) {}
        check()
    }

    @Test func `removing a root releases its models`() throws {
        weak var gone: Deck?
        do {
            let deck = Deck()
            gone = deck
            try host(deck, at: "deck")
        }
        #expect(gone != nil)
        talk.watch("deck.level")
        hosted.unhost("deck")
        #expect(gone == nil)
        #expect(
            talk.events() == [
                #""path":"deck.level","reason":"sourceDeleted","new":null,"old":5,"nilAt":"deck","revision":\#(talk.revision)"#
            ]
        )
        talk.ask("set", #"{"path":"deck","value":{"any":1}}"#)
        #expect(talk.value("deck.any") == "1")
        check()
    }

    @Test func `the tree shows one model under two roots, and a deep list`() throws {
        final class Node: ObservableModel {
            let observationStore = ObservationStore()
            @Published var next: Node?
            @Published var number = 0
        }
        let first = Node()
        var last = first
        for number in 1...5000 {
            let node = Node()
            node.number = number
            last.next = node
            last = node
        }
        try host(first, at: "first")
        try host(last, at: "last")
        last.number = -1
        #expect(talk.value("last.number") == "-1")
        first.next = nil
        #expect(talk.value("last.number") == "-1")
        check()
        // Freeing nested nodes would recurse.
        var node: Node? = first
        while let next = node?.next {
            node?.next = nil
            node = next
        }
    }

    @Test func `a binding that failed for a cycle writes once a Swift model opens it`() throws {
        let (holder, first, second) = (Projector(), Projector(), Projector())
        holder.spare = first
        first.lamp = Lamp()
        first.lamp?.projector = second
        try host(second, at: "second")
        try host(holder, at: "holder")
        talk.ask("bind", #"{"source":"holder.spare","target":"second.spare"}"#)
        #expect(talk.ask("bindings", "{}").contains(#""failing":true"#))
        #expect(second.spare == nil)
        first.lamp?.projector = nil
        #expect(second.spare === first)
        #expect(!talk.ask("bindings", "{}").contains(#""failing":true"#))
        check()
    }
}
