// SPDX-License-Identifier: MIT
// Swift models in dumps: dumped like others, and loaded where a client could set them.

import Testing

@testable import ObserveCore

extension HostingTests {
    @Test func `load makes Swift models where a client could set them`() throws {
        let deck = Deck()
        let film = Film("Alien")
        deck.film = film
        deck.queue = [film, Film("Brazil")]
        deck.favourite = film
        try host(deck, at: "deck")
        let (whole, queue) = (try talk.client.dump(), try talk.client.dump("deck.queue"))
        deck.queue = []
        deck.film = nil
        #expect(talk.value("deck.favourite") == "null")
        try talk.client.load(queue)
        #expect(deck.queue.map(\.videoTitle) == ["Alien", "Brazil"])
        #expect(deck.queue[0] !== film)
        deck.queue[0].seconds = 7
        #expect(talk.value("deck.queue.0.seconds") == "7")
        check()
        // The root belongs to the program.
        let before = talk.hub.tree.stateDump
        #expect(talk.client.refusal(ofLoading: whole)?.code == 3)
        #expect(talk.hub.tree.stateDump == before)
        check()
    }

    @Test func `load refuses models that only the program makes`() throws {
        let projector = Projector()
        projector.lamp = Lamp()
        try host(projector, at: "projector")
        let lamp = try talk.client.dump("projector.lamp")
        let before = talk.hub.tree.stateDump
        let refusal = talk.client.refusal(ofLoading: lamp)
        #expect(refusal?.code == 3)
        #expect(refusal?.message.hasPrefix("projector.lamp: a Lamp is made by the program alone") == true)
        #expect(talk.hub.tree.stateDump == before)
        check()
        let deck = try talk.client.dump("projector.deck")
        let old = projector.deck
        old.level = 9
        try talk.client.load(deck)
        #expect(projector.deck !== old)
        #expect(projector.deck.level == 5)
        check()
    }
}
