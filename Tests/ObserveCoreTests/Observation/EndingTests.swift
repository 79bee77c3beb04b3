// SPDX-License-Identifier: MIT
// The ends of observations, and mistakes that the library names.

import Testing

@testable import ObserveCore
@testable import ObserveModels

private protocol Named: AnyObject {
    var name: String { get }
}
private protocol Aged: AnyObject {}

@Suite struct EndingTests {
    private final class Resource {}

    private final class Actress: Named, Aged {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private final class Stage: ObservableModel {
        let observationStore = ObservationStore()
        @Published var anything: AnyObject?
        @Published var named: (any Named)?
        @Published var both: any Named & Aged = Actress("both")
        @Published var error: (any Error)?
        @Published var count = 0
        let plain = 1

        var next: Int {
            count += 1
            return count
        }

        var former: Int {
            let former = count
            count = former + 1
            return former
        }
    }

    private let heard = Heard()

    @Test func `a token holds nothing after its source has ended`() {
        var player: Player? = Player("Alien")
        var tokens: [ObservationToken] = []
        weak let watched: Resource? = {
            let resource = Resource()
            guard let player else { return nil }
            tokens = [
                player.observe(\.videoTitle) { _ in withExtendedLifetime(resource) {} },
                player.observe(\.videoTitle, options: [.new]) { _ in withExtendedLifetime(resource) {} },
                player.$position.observe { _ in withExtendedLifetime(resource) {} },
                player.objectWillChange.observe { withExtendedLifetime(resource) {} },
                player.bind(
                    { _ in
                        withExtendedLifetime(resource) {}
                        return 1
                    },
                    to: Player("target"),
                    at: \.position
                ),
                player.addObserver(heard, keyPath: \.videoTitle) { _, _ in withExtendedLifetime(resource) {}
                },
            ]
            return resource
        }()
        #expect(watched != nil)
        player = nil
        #expect(watched == nil)
        #expect(tokens.map(\.isActive) == [false, false, false, false, false, false])
        for token in tokens { token.cancel() }
    }

    @Test func `a binding whose target has ended holds nothing after the next change`() {
        let player = Player("Alien")
        var target: Player? = Player("target")
        weak let former = target
        let token = target.map { player.bind(\.videoTitle, to: $0, at: \.videoTitle) }
        target = nil
        #expect(former == nil)
        player.videoTitle = "Brazil"
        #expect(token?.isActive == false)
        #expect(player.observationStore.observations == 0)
    }

    @Test func `objects of protocols are compared by identity, and not kept alive`() {
        let stage = Stage()
        let tokens = [
            stage.observe(\.anything) { heard("anything", $0.map { $0 is Actress } as Any) },
            stage.observe(\.named) { heard("named", $0?.name as Any) },
            stage.observe({ $0.both }, options: [.old, .new, .distinct]) {
                heard("both", $0.new?.name as Any)
            },
            stage.observe(\.named, options: [.old, .distinct]) { heard("old", ($0.old ?? nil)?.name as Any) },
        ]
        #expect(heard.popAll() == ["anything: nil", "named: nil"])
        let actress = Actress("Ellen")
        for _ in 0..<3 {
            stage.anything = actress
            stage.named = actress
            stage.both = actress
        }
        #expect(heard.popAll() == ["anything: true", "named: Ellen", "old: nil", "both: Ellen"])
        stage.anything = Actress("other")
        stage.named = Actress("other")
        #expect(heard.popAll() == ["anything: true", "named: other", "old: Ellen"])
        weak let released = stage.named
        stage.named = nil
        stage.named = nil
        #expect(released == nil)
        #expect(heard.popAll() == ["named: nil", "old: other"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `an error is not an object`() {
        enum Failure: Error { case one }
        let stage = Stage()
        let token = stage.observe(\.error) { heard($0 as Any) }
        stage.error = Failure.one
        stage.error = nil
        #expect(heard.popAll() == ["nil", "one", "nil"])
        withExtendedLifetime(token) {}
    }

    @Test func `a store counts its observations, and ends them`() {
        let player = Player("Alien")
        let controller = PlaybackController(player)
        let tokens = [
            player.observe(\.videoTitle) { heard($0) },
            player.observe(\.position, options: [.new]) { heard.change($0) },
            controller.observe(\.player?.videoTitle) { heard("path", $0 as Any) },
        ]
        player.addObserver(heard, keyPath: \.videoTitle) { $0($1) }
        #expect(player.observationStore.observations == 3)
        _ = heard.popAll()
        player.observationStore.removeAll()
        #expect(player.observationStore.observations == 0)
        #expect(tokens.map(\.isActive) == [false, false, true])
        player.videoTitle = "Brazil"
        #expect(heard.popAll() == ["path: Brazil"])
    }

    @Test func `an observer may end all observations of its model`() {
        let player = Player("Alien")
        let tokens = [
            player.observe(\.videoTitle) { [unowned player] title in
                heard("first", title)
                if title == "end" { player.observationStore.removeAll() }
            },
            player.observe(\.videoTitle) { heard("second", $0) },
        ]
        player.videoTitle = "end"
        player.videoTitle = "after"
        #expect(heard.popAll() == ["first: Alien", "second: Alien", "first: end"])
        withExtendedLifetime(tokens) {}
    }

    @Test(.startsProcess) func `a getter that assigns what it reads ends the process, and is named`() async {
        let results = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Stage().observe(\.former) { _ in }
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let stage = Stage()
                let token = stage.observe(\.next) { _ in }
                stage.count = 1
                withExtendedLifetime(token) {}
            },
        ]
        for result in results {
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("Stage.count is assigned by an expression that reads it"))
        }
    }

    private final class Track: ObservableModel {
        let observationStore = ObservationStore()
        @Published var next: Track?

        deinit {
            var rest = next
            next = nil
            while isKnownUniquelyReferenced(&rest), let track = rest {
                rest = track.next
                track.next = nil
            }
        }
    }

    @Test func `a long list of linked models ends as the article on observing shows`() {
        #if DEBUG
            let count = 100_000
        #else
            let count = 1_000_000
        #endif
        weak var last: Track?
        weak let first: Track? = {
            let tail = Track()
            last = tail
            var first: Track? = tail
            for _ in 0..<count {
                let track = Track()
                track.next = first
                first = track
            }
            let token = first?.observe({ $0.next?.next?.next == nil }) { heard($0) }
            withExtendedLifetime(token) {}
            return first
        }()
        #expect(first == nil)
        #expect(last == nil)
        #expect(heard.popAll() == ["false"])
    }

    @Test func `debug builds say that an observation reads no published property`() {
        let notes = Notes()
        let stage = Stage()
        notes.whileReceiving {
            _ = stage.observe(\.plain) { heard($0) }
            _ = stage.observe(\.count) { heard($0) }
            _ = stage.objectWillChange.observe {}
        }
        #expect(
            notes.all
                == Notes.inDebugBuilds(
                    "an observation of Stage reads no published property, so it is never notified of changes"
                )
        )
        #expect(heard.popAll() == ["1", "0"])
    }
}
