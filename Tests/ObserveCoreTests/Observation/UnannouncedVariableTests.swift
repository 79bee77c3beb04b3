// SPDX-License-Identifier: MIT
// Debug builds say so if a path ends at a variable that announces no changes.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct UnannouncedVariableTests {
    private class Song: ObservableModel {
        let observationStore = ObservationStore()
        let length = 200
        var title = "Alien"
        var rating: Int?
        @Published var artist = "Goldsmith"
        init() {}
    }

    private final class Ballad: Song {
        var mood = "sad"
    }

    private final class Deck: ObservableModel {
        let observationStore = ObservationStore()
        @Published var song = Song()
        @Published var next: Song?
        @WeakPublished var last: Song?
        @Published var label = ""
    }

    private let notes = Notes()

    private func note(_ name: String) -> String {
        "an observation ends at \(name), which is not published, so it is never notified of its changes"
    }

    @Test func `all forms say so behind a model`() {
        let deck = Deck()
        var tokens: [ObservationToken] = []
        notes.whileReceiving {
            tokens += [
                deck.observe(\.song.title) { _ in },
                deck.observe(\.song.title, options: [.new]) { _ in },
                deck.publisher(for: \.song.title).observe { _ in },
                deck.bind(\.song.title, to: deck, at: \.label),
                deck.bindBothWays(\.song.title, to: deck, at: \.label),
                deck.observe({ $0.song.title }) { _ in },
            ]
        }
        #if DEBUG
            #expect(notes.all.count >= 6 && Set(notes.all) == [note("Song.title")])
        #endif
        withExtendedLifetime(tokens) {}
    }

    @Test func `it is said as soon as an optional leads to a model`() {
        let deck = Deck()
        var tokens: [ObservationToken] = []
        let (ballad, song) = (Ballad(), Song())
        notes.whileReceiving {
            tokens = [
                deck.observe(\.next?.title) { _ in },
                deck.observe(\.last?.rating) { _ in },
                deck.observe({ ($0.next as? Ballad)?.mood }) { _ in },
            ]
        }
        #expect(notes.all == [])
        notes.whileReceiving {
            deck.next = ballad
            deck.last = song
        }
        #expect(
            notes.all
                == Notes.inDebugBuilds(note("Ballad.title"), note("Ballad.mood"), note("Song.rating"))
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `nothing is said about constants, published properties, and questions about the model itself`()
    {
        let deck = Deck()
        let next = Song()
        deck.next = next
        var tokens: [ObservationToken] = []
        notes.whileReceiving {
            tokens = [
                deck.observe(\.song.length) { _ in },
                deck.observe(\.song.artist) { _ in },
                deck.observe(\.next?.artist) { _ in },
                deck.observe(\.song) { _ in },
                deck.observe({ $0.next != nil }) { _ in },
                deck.bind(\.song.artist, to: deck, at: \.label),
            ]
        }
        #expect(notes.all == [])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a two-way binding says so about its target`() {
        let deck = Deck()
        let song = Song()
        var tokens: [ObservationToken] = []
        notes.whileReceiving { tokens = [deck.bindBothWays(\.label, to: song, at: \.title)] }
        #expect(
            notes.all
                == Notes.inDebugBuilds(
                    "a two-way binding reads no published property of Song, so it never copies from there"
                )
        )
        withExtendedLifetime(tokens) {}
    }
}
