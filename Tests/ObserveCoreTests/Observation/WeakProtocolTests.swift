// SPDX-License-Identifier: MIT
// Weak properties whose type is a protocol's.

import ObserveCore
import Observation
import Synchronization
import Testing

private protocol Playing: ObservableModel {
    var title: String { get set }
}

/// Doesn't require a model; its conforming classes are models or not.
private protocol Named: AnyObject {
    var name: String { get }
}

@Suite struct WeakProtocolTests {
    private final class Film: Playing, Named {
        let observationStore = ObservationStore.tracked()
        @Published var title: String
        var name: String { title }
        init(_ title: String) { self.title = title }
    }

    private final class Record: Playing {
        let observationStore = ObservationStore()
        @Published var title: String
        init(_ title: String) { self.title = title }
    }

    private final class Shelf: Named { let name = "shelf" }

    private final class Deck: ObservableModel {
        let observationStore: ObservationStore
        @WeakPublished var current: (any Playing)?
        @WeakPublished var named: (any Named)?
        @WeakPublished var film: Film?
        init(isTracked: Bool = false) { observationStore = isTracked ? .tracked() : ObservationStore() }
    }

    private final class Holder<Target>: ObservableModel {
        let observationStore = ObservationStore()
        @WeakPublished var target: Target?
    }

    private let heard = Heard()

    @Test func `a path leads through targets of different classes, and hears the end of each`() {
        let deck = Deck()
        let token = deck.observe(\.current?.title, options: [.old, .new]) { heard.change($0) }
        do {
            let film = Film("Alien")
            deck.current = film
            film.title = "Aliens"
        }
        #expect(deck.current == nil)
        do {
            let record = Record("Brazil")
            deck.current = record
            deck.current = Film("gone at once")
            record.title = "unheard"
        }
        #expect(
            heard.popAll() == [
                "pathChanged nil -> Alien at Deck.current", "valueChanged Alien -> Aliens at Film.title",
                "pathChanged Aliens -> nil at Deck.current", "pathChanged nil -> Brazil at Deck.current",
                "pathChanged Brazil -> gone at once at Deck.current",
                "pathChanged gone at once -> nil at Deck.current",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `the property holds what was assigned, and keeps it not alive`() {
        let deck = Deck()
        weak var film: Film?
        do {
            let alien = Film("Alien")
            film = alien
            deck.current = alien
            deck.named = alien
            deck.film = alien
            deck.current?.title.append("s")
            #expect(deck.current === alien && deck.named === alien && deck.film === alien)
            #expect(deck.named?.name == "Aliens" && deck.film?.title == "Aliens")
            deck.named = nil
            #expect(deck.named == nil && deck.current === alien)
        }
        #expect(film == nil && deck.current == nil && deck.film == nil)
    }

    @Test func `a generic model's parameter may be a class of models`() {
        let holder = Holder<Film>()
        let alien = Film("Alien")
        holder.target = alien
        #expect(holder.target === alien)
    }

    @Test func `the toolchain's tracking hears an assignment and the end`() {
        let deck = Deck(isTracked: true)
        var film: Film? = Film("Alien")
        let changes = Atomic(0)
        func track() {
            withObservationTracking {
                _ = deck.current?.title
            } onChange: {
                changes.add(1, ordering: .relaxed)
            }
        }
        track()
        deck.current = film
        #expect(changes.load(ordering: .relaxed) == 1)
        track()
        deck.current = film
        #expect(changes.load(ordering: .relaxed) == 1)
        film = nil
        #expect(changes.load(ordering: .relaxed) == 2)
    }

    @Test(.startsProcess) func `other objects and values are refused with their type`() async throws {
        func message(_ result: ExitTest.Result?) throws -> String {
            String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        }
        let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder<Int>()
        }
        #expect(try message(number).contains("@WeakPublished refers to models: Int isn't an ObservableModel"))
        let shelfType = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder<Shelf>()
        }
        #expect(try message(shelfType).contains("Shelf isn't an ObservableModel"))
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Holder<String>().target = "text"
        }
        #expect(try message(text).contains("String isn't an ObservableModel"))
        let shelf = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Deck().named = Shelf()
        }
        #expect(try message(shelf).contains("Shelf isn't an ObservableModel"))
    }
}
