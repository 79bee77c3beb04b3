// SPDX-License-Identifier: MIT
// Publishers along key paths, their operators and their ends.

import ObserveCore
import Testing

@Suite struct PublisherTests {
    private let heard = Heard()

    @Test func `a publisher follows a key path, and ends with its model`() {
        var theater: Theater? = Theater(PlaybackController(Player("Alien")))
        let token = theater?.publisher(for: \.playbackController?.player?.videoTitle)
            .observe({ heard($0 as Any) }, onEnd: { heard("end") })
        theater?.playbackController?.player?.videoTitle = "Alien"
        theater?.playbackController?.player = Player("Brazil")
        theater?.playbackController = nil
        theater = nil
        #expect(heard.popAll() == ["Alien", "Brazil", "nil", "end"])
        #expect(token?.isActive == false)
    }

    @Test func `an operator passes the end on, and a token that ends first does not`() {
        var player: Player? = Player("Alien")
        let tokens = [
            player?.$position.map { $0 * 2 }.filter { $0 > 0 }.dropFirst(0).removeDuplicates()
                .scan(100, +).compactMap(\.self)
                .observe({ heard($0) }, onEnd: { heard("end") }),
            player?.$videoTitle.observe({ heard($0) }, onEnd: { heard("never") }),
        ]
        player?.position = 1
        player?.position = 1
        player?.position = 2
        tokens[1]?.cancel()
        player = nil
        #expect(heard.popAll() == ["Alien", "102", "106", "end"])
    }

    @Test func `combineLatest has one pair for each commit`() {
        var first: Player? = Player("a")
        var second: Player? = Player("1")
        let target = Player("")
        // A publisher retains its models; an observation does not.
        let tokens = observePairs(first, second, target)
        #expect(heard.popAll() == ["a1", "target: a1"])
        first?.videoTitle = "b"
        transaction {
            second?.videoTitle = "2"
            first?.videoTitle = "c"
        }
        #expect(heard.popAll() == ["b1", "target: b1", "c2", "target: c2"])
        first = nil
        second?.videoTitle = "3"
        #expect(heard.popAll() == ["c3", "target: c3"])
        second = nil
        #expect(heard.popAll() == ["end"])
        #expect(tokens.map(\.isActive) == [false, false, true])
    }

    @Test func `merge has the values of both, in order`() {
        let first = Player("a")
        let second = Player("1")
        let token = first.$videoTitle.merge(with: second.$videoTitle).observe { heard($0) }
        first.videoTitle = "b"
        second.videoTitle = "2"
        token.cancel()
        first.videoTitle = "c"
        second.videoTitle = "3"
        #expect(heard.popAll() == ["a", "1", "b", "2"])
        #expect((first.observationStore.observations, second.observationStore.observations) == (0, 0))
    }

    @Test func `a merge is released by an earlier observer, after an operator ended one of its publishers`() {
        let first = Player("a")
        let second = Player("1")
        var token: ObservationToken?
        let earlier = second.observe(\.videoTitle) { if $0 == "2" { token = nil } }
        let ended = first.$videoTitle.map { title in
            first.observationStore.removeAll()
            return title
        }
        token = ended.merge(with: second.$videoTitle).observe { heard($0) }
        second.videoTitle = "2"
        #expect(heard.popAll() == ["a", "1"])
        #expect(token == nil)
        #expect(second.observationStore.observations == 1)
        let over = ended.combineLatest(ended).observe { heard("\($0)\($1)") }
        #expect(heard.popAll() == ["aa"])
        #expect(!over.isActive)
        withExtendedLifetime(earlier) {}
    }

    @Test func `zip pairs the values by their places, in one commit or several`() {
        var first: Player? = Player("a")
        var second: Player? = Player("1")
        let token = first.flatMap { first in second.map { first.$videoTitle.zip($0.$videoTitle) } }?
            .observe({ heard("\($0)\($1)") }, onEnd: { heard("end") })
        first?.videoTitle = "b"
        first?.videoTitle = "c"
        #expect(heard.popAll() == ["a1"])
        second?.videoTitle = "2"
        transaction {
            second?.videoTitle = "3"
            first?.videoTitle = "d"
        }
        #expect(heard.popAll() == ["b2", "c3"])
        (first, second) = (nil, nil)
        #expect(heard.popAll() == ["end"])
        withExtendedLifetime(token) {}
    }

    @Test func `zip ends once a publisher has ended and none of its values waits`() {
        var first: Player? = Player("a")
        let second = Player("1")
        let token = first?.$videoTitle.zip(second.$videoTitle)
            .observe({ heard("\($0)\($1)") }, onEnd: { heard("end") })
        first?.videoTitle = "b"
        first = nil
        #expect(heard.popAll() == ["a1"])
        second.videoTitle = "2"
        #expect(heard.popAll() == ["b2", "end"])
        #expect(second.observationStore.observations == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `a subject publishes the values that it sends from now on, and ends with itself`() {
        var subject: ValueSubject<Int>? = ValueSubject()
        subject?.send(1)
        let tokens = [
            subject?.publisher.observe({ heard("first", $0) }, onEnd: { heard("end") }),
            subject?.publisher.filter { $0 > 2 }.observe { heard("second", $0) },
        ]
        #expect(heard.popAll() == [])
        subject?.send(2)
        subject?.send(2)
        subject?.send(3)
        #expect(heard.popAll() == ["first: 2", "first: 2", "first: 3", "second: 3"])
        transaction { for value in 4...6 { subject?.send(value) } }
        #expect(heard.popAll() == ["first: 6", "second: 6"])
        subject = nil
        #expect(heard.popAll() == ["end"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a subject of optionals sends nil, and one of nothing sends events`() {
        let (optionals, events) = (ValueSubject<Int?>(), ValueSubject<Void>())
        let tokens = [
            optionals.publisher.observe { heard($0 as Any) }, events.publisher.observe { heard("event") },
        ]
        optionals.send(nil)
        events.send()
        events.send()
        #expect(heard.popAll() == ["nil", "event", "event"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `key paths that are not literals`() async {
        let player = Player("Alien")
        let target = Player("")
        let path: KeyPath<Player, String> = \.videoTitle
        let label = Person("", "")
        let tokens = [
            player.bind(path, to: target, at: \.videoTitle),
            player.publisher(for: path).observe { heard($0) },
            player.bind(path, to: label, at: \.firstName),
        ]
        player.videoTitle = "Brazil"
        #expect((target.videoTitle, label.firstName) == ("Brazil", "Brazil"))
        #expect(heard.popAll() == ["Alien", "Brazil"])
        for await title in player.values(of: path) {
            heard(title)
            break
        }
        for await change in player.changes(of: path, options: [.initial, .new]) {
            heard.change(change)
            break
        }
        #expect(heard.popAll() == ["Brazil", "initial Brazil"])
        withExtendedLifetime(tokens) {}
    }

    private func observePairs(_ first: Player?, _ second: Player?, _ target: Player) -> [ObservationToken] {
        guard let left = first?.$videoTitle, let right = second?.publisher(for: \.videoTitle) else {
            return []
        }
        return [
            left.combineLatest(right).observe({ heard("\($0)\($1)") }, onEnd: { heard("end") }),
            left.combineLatest(right).map { $0 + $1 }.assign(to: \.videoTitle, on: target),
            target.observe(\.videoTitle) { heard("target", $0) },
        ]
    }
}
