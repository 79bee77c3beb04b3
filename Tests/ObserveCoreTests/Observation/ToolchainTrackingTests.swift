// SPDX-License-Identifier: MIT
// The toolchain's tracking of models with a tracked store, alone and beside objects with `@Observable`.

import ObserveCore
import Observation
import Synchronization
import Testing

struct ToolchainTrackingTests {
    final class Film: ObservableModel {
        let observationStore = ObservationStore.tracked()
        @Published var title: String
        @Published var year = 0
        @Published var next: Film?
        @WeakPublished var sequel: Film?
        var plain = 0 { didSet { didChangeValue(for: \.plain) } }
        var readPlain: Int {
            willRead(\.plain)
            return plain
        }

        init(_ title: String) { self.title = title }

        var label: String { "\(title) \(next?.title ?? "-")" }
    }

    @Observable final class Shelf {
        var film: Film?
        var name = "shelf"

        var label: String { "\(name): \(film?.label ?? "nothing")" }
    }

    private func changes<Value>(_ read: () -> Value, while body: () -> Void) -> Int {
        let count = Count()
        _ = withObservationTracking(read, onChange: { count.add() })
        body()
        return count.value
    }

    private final class Count: Sendable {
        private let count = Atomic(0)
        func add() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }

    @Test func `withObservationTracking sees what it reads, through paths and computed properties`() {
        let film = Film("Alien")
        let next = Film("Aliens")
        #expect(changes({ film.title }, while: { film.title = "Brazil" }) == 1)
        #expect(changes({ film.title }, while: { film.year = 1985 }) == 0)
        #expect(changes({ film.label }, while: { film.next = next }) == 1)
        #expect(changes({ film.label }, while: { next.title = "Metropolis" }) == 1)
        #expect(changes({ film.year }, while: { film.year += 1 }) == 1)
        #expect(changes({ film.title }, while: { film.title.append("!") }) == 1)
        #expect(changes({ film.readPlain }, while: { film.plain = 5 }) == 1)
        // It is told once, and of nothing after that.
        #expect(
            changes(
                { film.title },
                while: {
                    film.title = "a"
                    film.title = "b"
                }
            ) == 1
        )
    }

    @Test func `an equal value is not a change, as with @Observable`() {
        let film = Film("Alien")
        let shelf = Shelf()
        #expect(changes({ film.title }, while: { film.title = "Alien" }) == 0)
        #expect(changes({ shelf.name }, while: { shelf.name = "shelf" }) == 0)
        #expect(changes({ film.year }, while: { film.year += 0 }) == 1)
        #expect(
            changes(
                { film.title },
                while: {
                    film.title = "Alien"
                    film.title = "Aliens"
                }
            ) == 1
        )
    }

    @Test func `the end of a weak property's target is a change`() {
        let film = Film("Alien")
        var sequel: Film? = Film("Aliens")
        #expect(changes({ film.sequel?.year }, while: { film.sequel = sequel }) == 1)
        #expect(changes({ film.sequel == nil }, while: { sequel = nil }) == 1)
        #expect(film.sequel == nil)
    }

    @Test func `properties that announce themselves are told apart`() {
        final class List: ObservableModel {
            let observationStore = ObservationStore.tracked()
            private var kept = [1, 2, 3]
            subscript(index: Int) -> Int {
                get {
                    willRead(\.[index])
                    return kept[index]
                }
                set {
                    kept[index] = newValue
                    didChangeValue(for: \.[index])
                }
            }
        }
        let list = List()
        #expect(changes({ list[1] }, while: { list[0] = 5 }) == 0)
        #expect(changes({ list[1] }, while: { list[1] = 5 }) == 1)
    }

    @Test func `a path may lead through objects with @Observable`() {
        let shelf = Shelf()
        let film = Film("Alien")
        #expect(changes({ shelf.label }, while: { shelf.film = film }) == 1)
        #expect(changes({ shelf.label }, while: { film.title = "Brazil" }) == 1)
        #expect(changes({ shelf.label }, while: { shelf.name = "box" }) == 1)
    }

    @Test func `bindings, transactions and observers work as before`() {
        let film = Film("Alien")
        let target = Film("")
        let heard = Heard()
        let tokens = [
            film.bind(\.title, to: target, at: \.title),
            target.observe(\.label) { heard($0) },
        ]
        #expect(changes({ target.title }, while: { film.title = "Brazil" }) == 1)
        transaction {
            film.title = "a"
            film.title = "b"
        }
        #expect(heard.popAll() == ["Alien -", "Brazil -", "b -"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a tracked model is released, and an untracked one is not seen`() {
        var film: Film? = Film("Alien")
        weak let weakFilm = film
        _ = film.map { film in changes({ film.title }, while: {}) }
        film = nil
        #expect(weakFilm == nil)
        let player = Player("Alien")
        #expect(changes({ player.videoTitle }, while: { player.videoTitle = "Brazil" }) == 0)
    }
}
