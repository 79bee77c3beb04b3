// SPDX-License-Identifier: MIT
// Changes as asynchronous sequences: every one or the latest, and how they end.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite(.timeLimit(.minutes(15)))
@MainActor
struct ObservedSequenceTests {
    private let heard = Heard()

    private func isObserved(_ model: some ObservableModel) -> Bool { model.observationStore.core.isObserved }

    @Test func `a sequence has every value, in order, until the model is deinitialised`() async {
        var player: Player? = Player("Alien")
        guard var titles = player?.values(of: \.videoTitle).makeAsyncIterator() else { return }
        for title in ["Aliens", "Aliens", "Alien 3"] { player?.videoTitle = title }
        player = nil
        while let title = await titles.next() { heard(title) }
        #expect(await titles.next() == nil)
        #expect(heard.popAll() == ["Alien", "Aliens", "Alien 3"])
    }

    @Test(.startsProcess) func `two tasks that wait at one iterator end the program`() async {
        await #expect(processExitsWith: .failure) { @MainActor in
            let player = Player("Alien")
            var titles = player.values(of: \.videoTitle).makeAsyncIterator()
            _ = await titles.next()
            let copy = titles
            let tasks = (0..<2).map { _ in
                Task { @MainActor in
                    var titles = copy
                    _ = await titles.next()
                }
            }
            for task in tasks { await task.value }
        }
    }

    @Test func `a loop over a publisher has each assignment, and does not keep the model`() async {
        var player: Player? = Player("Alien")
        guard var titles = player?.$videoTitle.map({ $0 + "!" }).values().makeAsyncIterator() else { return }
        for title in ["Aliens", "Aliens"] { player?.videoTitle = title }
        weak let model = player
        player = nil
        #expect(model == nil)
        while let title = await titles.next() { heard(title) }
        #expect(heard.popAll() == ["Alien!", "Aliens!", "Aliens!"])
    }

    @Test func `a loop over a publisher may read only the latest value, and ends its observation`() async {
        let player = Player("Alien")
        for await title in player.$videoTitle.values(buffering: .latest) {
            heard(title)
            if title == "Brazil" { break }
            player.videoTitle = "Aliens"
            player.videoTitle = "Brazil"
        }
        #expect(heard.popAll() == ["Alien", "Brazil"])
        #expect(!isObserved(player))
    }

    @Test func `the latest value replaces the earlier ones`() async {
        let player = Player("Alien")
        var titles = player.values(of: \.videoTitle, buffering: .latest).makeAsyncIterator()
        player.videoTitle = "Aliens"
        player.videoTitle = "Alien 3"
        #expect(await titles.next() == "Alien 3")
        player.videoTitle = "Alien 4"
        #expect(await titles.next() == "Alien 4")
    }

    @Test(arguments: [ChangeBuffering.every, .latest])
    func `an element whose deinitializer changes the model ends no loop`(buffering: ChangeBuffering) async {
        final class Counter: ObservableModel {
            let observationStore = ObservationStore()
            @Published var child: Child?
            @Published var ended = 0
        }
        final class Child {
            unowned let counter: Counter
            init(_ counter: Counter) { self.counter = counter }
            deinit { counter.ended += 1 }
        }
        struct Both {
            let child: Child?
            let ended: Int
        }
        let counter = Counter()
        var both = counter.values(of: { Both(child: $0.child, ended: $0.ended) }, buffering: buffering)
            .makeAsyncIterator()
        #expect(await both.next()?.ended == 0)
        counter.child = Child(counter)
        counter.child = Child(counter)
        counter.child = nil
        var last = 0
        while last < 2 { last = await both.next()?.ended ?? 2 }
        #expect(counter.ended == 2)
        counter.child = Child(counter)
        counter.child = nil
        let task = Task { for await _ in counter.values(of: { Both(child: $0.child, ended: $0.ended) }) {} }
        counter.child = Child(counter)
        task.cancel()
        await task.value
        counter.child = nil
    }

    @Test func `changes have a reason, and the last one is sourceDeleted`() async {
        var theater: Theater? = Theater(PlaybackController(Player("Alien")))
        guard let every = theater?.changes(of: \.playbackController?.player?.videoTitle),
            let latest = theater?.changes(of: \.playbackController?.player?.videoTitle, buffering: .latest)
        else { return }
        var each = every.makeAsyncIterator()
        var last = latest.makeAsyncIterator()
        #expect(await last.next()?.reason == .initial)
        theater?.playbackController?.player?.videoTitle = "Aliens"
        theater?.playbackController?.player = Player("Brazil")
        if let change = await last.next() { heard.change("last", change) }
        theater = nil
        while let change = await each.next() { heard.change(change) }
        while let change = await last.next() { heard.change("last", change) }
        #expect(
            heard.popAll() == [
                "last: pathChanged Alien -> Brazil at PlaybackController.player", "initial Alien",
                "valueChanged Alien -> Aliens at Player.videoTitle",
                "pathChanged Aliens -> Brazil at PlaybackController.player", "sourceDeleted Brazil ->",
                "last: sourceDeleted Brazil ->",
            ]
        )
    }

    @Test func `a change wakes a waiting loop`() async {
        let player = Player("Alien")
        let task = Task {
            for await title in player.values(of: \.videoTitle) {
                heard(title)
                if title == "Alien 3" { break }
            }
        }
        for title in ["Aliens", "Alien 3"] {
            // Both run on this actor, one after the other: the loop has read all and waits when this continues.
            for _ in 0..<10 { await Task.yield() }
            player.videoTitle = title
        }
        await task.value
        #expect(heard.popAll() == ["Alien", "Aliens", "Alien 3"])
        #expect(!isObserved(player))
    }

    @Test(arguments: [false, true])
    func `cancelling the task ends the observation`(waits: Bool) async {
        let player = Player("Alien")
        let task = Task {
            for await title in player.values(of: \.videoTitle) { heard(title) }
            return isObserved(player)
        }
        if waits { for _ in 0..<10 { await Task.yield() } }
        task.cancel()
        #expect(await task.value == false)
        player.videoTitle = "Aliens"
        #expect(heard.popAll() == (waits ? ["Alien"] : []))
    }

    @Test func `a task can be cancelled from another thread`() async {
        let player = Player("Alien")
        for number in 0..<200 {
            let task = Task {
                var count = 0
                for await _ in player.values(of: \.videoTitle) { count += 1 }
                return count
            }
            let canceller = Task.detached { task.cancel() }
            player.videoTitle = "\(number)"
            await canceller.value
            _ = await task.value
            #expect(!isObserved(player))
        }
    }

    @Test func `each iteration has its own observation`() async {
        let player = Player("Alien")
        let titles = player.values(of: \.videoTitle)
        #expect(!isObserved(player))
        var first = titles.makeAsyncIterator()
        player.videoTitle = "Aliens"
        var second = titles.makeAsyncIterator()
        #expect(await first.next() == "Alien")
        #expect(await second.next() == "Aliens")
    }

    @Test func `a sequence keeps no model alive`() async {
        weak var gone: Player?
        let titles: ObservedSequence<String>
        do {
            let player = Player("Alien")
            gone = player
            titles = player.values(of: \.videoTitle)
        }
        #expect(gone == nil)
        var iterator = titles.makeAsyncIterator()
        #expect(await iterator.next() == nil)
    }

    @Test func `a long queue is read to its end`() async {
        let player = Player("0")
        var titles = player.values(of: \.position).makeAsyncIterator()
        var read: [Int] = []
        for round in 0..<10 {
            for number in 1...100 { player.position = round * 100 + number }
            for _ in 0..<60 { if let next = await titles.next() { read.append(next) } }
        }
        for _ in 0..<401 { if let next = await titles.next() { read.append(next) } }
        #expect(read == Array(0...1000))
    }

    @Test func `a loop on the main actor observes the main actor's models`() async {
        @MainActor final class Screen: @MainActor ObservableModel {
            let observationStore = ObservationStore()
            @Published var title = "one"
            @Published var next: Screen?
        }
        let screen = Screen()
        let token = screen.observe(\.next?.title) { heard($0 as Any) }
        screen.next = Screen()
        screen.next?.title = "two"
        screen.$title.observe { heard("$", $0) }.cancel()
        #expect(heard.popAll() == ["nil", "one", "two", "$: one"])
        withExtendedLifetime(token) {}
    }
}

/// As algorithms of sequences do: another task iterates, on no actor.
private func collect<Elements: AsyncSequence & Sendable>(_ elements: Elements, _ count: Int) async
    -> [Elements.Element]
where Elements.Element: Sendable, Elements.Failure == Never {
    await Task.detached {
        var found: [Elements.Element] = []
        for await element in elements {
            found.append(element)
            if found.count == count { break }
        }
        return found
    }.value
}

@Suite(.timeLimit(.minutes(15)))
struct SequenceIsolationTests {
    actor Projector {
        private var player: Player? = Player("0")

        func titles() -> ObservedSequence<String> {
            (player ?? Player("")).values(of: \.videoTitle)
        }
        var isObserved: Bool { player?.observationStore.core.isObserved ?? false }
        func show(_ title: String) { player?.videoTitle = title }
        func end() { player = nil }
    }

    @Test func `a task without the actor gets every value, in order`() async {
        let projector = Projector()
        let titles = await projector.titles()
        let all = Task { await collect(titles, .max) }
        while await !projector.isObserved { await Task.yield() }
        let few = Task { await collect(titles, 3) }
        for number in 1...10_000 { await projector.show("\(number)") }
        await projector.end()
        #expect(await all.value == (0...10_000).map { "\($0)" })
        #expect(await few.value.count <= 3)
    }

    @Test func `the actor ends an observation whose loop ended elsewhere`() async {
        let projector = Projector()
        let titles = await projector.titles()
        #expect(await collect(titles, 1) == ["0"])
        while await projector.isObserved { await Task.yield() }
        for _ in 0..<100 {
            let task = Task.detached { for await _ in titles {} }
            task.cancel()
            await task.value
        }
        while await projector.isObserved { await Task.yield() }
    }

    @MainActor private final class Screen {
        let player = Player("Alien")
    }

    @Test func `a sequence of the main actor's models goes to other tasks`() async {
        let screen = await Screen()
        let titles = await MainActor.run { screen.player.values(of: \.videoTitle) }
        let found = Task { await collect(titles, 2) }
        while await !MainActor.run(body: { screen.player.observationStore.core.isObserved }) {
            await Task.yield()
        }
        await MainActor.run { screen.player.videoTitle = "Aliens" }
        #expect(await found.value == ["Alien", "Aliens"])
    }
}

@Suite(.timeLimit(.minutes(15)))
struct ActorModelTests {
    actor Projector {
        private let theater = Theater(PlaybackController(Player("Alien")))
        private var titles: [String] = []
        private var token: ObservationToken?

        func start() {
            token = theater.observe(\.playbackController?.player?.videoTitle) { [weak self] title in
                self?.assumeIsolated { $0.titles.append(title ?? "nil") }
            }
        }

        func show(_ title: String) { theater.playbackController?.player?.videoTitle = title }
        func seen() -> [String] { titles }

        func follow(_ count: Int) async -> [String] {
            var found: [String] = []
            for await title in theater.values(of: \.playbackController?.player?.videoTitle) {
                found.append(title ?? "nil")
                if found.count == count { break }
            }
            return found
        }
    }

    @Test func `an actor's models may be observed on any thread of the actor`() async {
        let projector = Projector()
        await projector.start()
        await withTaskGroup { group in
            for number in 0..<100 { group.addTask { await projector.show("\(number)") } }
        }
        #expect(await projector.seen().count == 101)
        #expect(Set(await projector.seen()).count == 101)
    }

    @Test func `an actor observes its own models`() async {
        let projector = Projector()
        async let followed = projector.follow(3)
        var sent = 0
        while sent < 1000 {
            await projector.show("\(sent)")
            sent += 1
            await Task.yield()
        }
        #expect(await followed.count == 3)
    }

    @Test func `many threads observe models of their own at once`() async {
        await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    var count = 0
                    let theater = Theater(PlaybackController(Player("\(worker)")))
                    let token = theater.observe(\.playbackController?.player?.videoTitle) { _ in count += 1 }
                    for number in 0..<1000 {
                        theater.playbackController?.player?.videoTitle = "\(worker) \(number)"
                        if number % 10 == 0 { theater.playbackController?.player = Player("new \(number)") }
                    }
                    #expect(count == 1101)
                    withExtendedLifetime(token) {}
                }
            }
        }
    }
}
