// SPDX-License-Identifier: MIT
// Observers that assign, cancel and observe while they are notified, and the effects on others.

import ObserveCore
import Testing

@Suite struct DeliveryTests {
    private final class Counter: ObservableModel {
        let observationStore = ObservationStore()
        @Published var count = 0
        @Published var other = 0
        @Published var child: Counter?
        let onDeinit: () -> Void

        init(onDeinit: @escaping () -> Void = {}) { self.onDeinit = onDeinit }

        deinit { onDeinit() }
    }

    private let heard = Heard()

    @Test func `if an observer assigns its own property, all see the same changes in the same order`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.count, options: [.old, .new]) { change in
                heard.change("first", change)
                if let count = change.new, count < 3 { counter.count = count + 1 }
                heard("first returns \(counter.count)")
            },
            counter.observe(\.count, options: [.old, .new]) { heard.change("second", $0) },
        ]
        counter.count = 1
        #expect(
            heard.popAll() == [
                "first: valueChanged 0 -> 1 at Counter.count", "first returns 2",
                "second: valueChanged 0 -> 1 at Counter.count", "first: valueChanged 1 -> 2 at Counter.count",
                "first returns 3", "second: valueChanged 1 -> 2 at Counter.count",
                "first: valueChanged 2 -> 3 at Counter.count", "first returns 3",
                "second: valueChanged 2 -> 3 at Counter.count",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer's assignments all notify`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.other) { _ in for count in 1...3 { counter.count = count } },
            counter.observe(\.count) { heard($0) },
            counter.observe(\.count, options: [.old, .new]) { heard.change($0) },
            counter.$count.observe { heard("$", $0) },
        ]
        #expect(heard.popAll() == ["3", "$: 3"])
        counter.other = 1
        #expect(
            heard.popAll() == [
                "1", "valueChanged 3 -> 1 at Counter.count", "$: 1", "2",
                "valueChanged 1 -> 2 at Counter.count",
                "$: 2", "3", "valueChanged 2 -> 3 at Counter.count", "$: 3",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer may cancel itself and others`() {
        let counter = Counter()
        var tokens: [ObservationToken?] = []
        for number in 0..<4 {
            let token = counter.$count.dropFirst().observe { count in
                heard("\(number)", count)
                if number == 1 {
                    tokens[1]?.cancel()
                    tokens[2]?.cancel()
                    tokens[0]?.cancel()
                }
            }
            tokens.append(token)
        }
        counter.count = 1
        counter.count = 2
        #expect(heard.popAll() == ["0: 1", "1: 1", "3: 1", "3: 2"])
    }

    @Test func `an observer may be released while it is notified, and another before its turn`() {
        final class Screen {
            let name: String
            let heard: Heard
            var token: ObservationToken?
            init(_ name: String, _ heard: Heard) {
                self.name = name
                self.heard = heard
            }
            deinit { heard.add("\(name) is gone") }
        }
        let counter = Counter()
        var first: Screen? = Screen("first", heard)
        var second: Screen? = Screen("second", heard)
        first?.token = counter.$count.dropFirst().observe { [heard] count in
            heard("first", count)
            first = nil
            second = nil
            heard.add("first returns")
        }
        second?.token = counter.$count.dropFirst().observe { [heard] in heard("second", $0) }
        counter.count = 1
        counter.count = 2
        #expect(heard.popAll() == ["first: 1", "first is gone", "second is gone", "first returns"])
        #expect(first == nil && second == nil)
    }

    @Test func `observers that begin during a notification get the later changes`() {
        let counter = Counter()
        var tokens: [ObservationToken] = []
        counter.observe(\.count) { count in
            heard("first", count)
            if tokens.count < 3 {
                let number = tokens.count
                tokens.append(counter.observe(\.count) { heard("new \(number)", $0) })
            }
        }.store(in: &tokens)
        #expect(heard.popAll() == ["first: 0", "new 0: 0"])
        counter.count = 1
        #expect(heard.popAll() == ["first: 1", "new 2: 1", "new 0: 1"])
        counter.count = 2
        #expect(heard.popAll() == ["first: 2", "new 0: 2", "new 2: 2"])
    }

    @Test func `an observer may assign when it begins`() {
        let counter = Counter()
        let before = counter.observe(\.count) { heard("before", $0) }
        let token = counter.observe(\.count) { count in
            heard("begins", count)
            if count < 2 { counter.count = count + 1 }
        }
        #expect(
            heard.popAll() == ["before: 0", "begins: 0", "before: 1", "begins: 1", "before: 2", "begins: 2"]
        )
        withExtendedLifetime((before, token)) {}
    }

    @Test func `a transaction notifies once, of the values that differ at its end`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.count) { heard("count", $0) }, counter.observe(\.other) { heard("other", $0) },
            counter.observe({ "\($0.count)+\($0.other)" }) { heard("both", $0) },
            counter.$count.observe { heard("$", $0) },
        ]
        _ = heard.popAll()
        let result = transaction {
            counter.count = 1
            counter.other = 1
            transaction { counter.count = 2 }
            #expect(counter.count == 2)
            counter.other = 0
            #expect(heard.popAll() == [])
            return "result"
        }
        #expect(result == "result")
        #expect(heard.popAll() == ["count: 2", "both: 2+0", "$: 2"])
        transaction {
            counter.count = 5
            counter.count = 2
        }
        #expect(heard.popAll() == ["$: 2"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a transaction that throws keeps its assignments`() {
        struct Failure: Error {}
        let counter = Counter()
        let token = counter.observe(\.count) { heard($0) }
        #expect(throws: Failure.self) {
            try transaction {
                counter.count = 1
                throw Failure()
            }
        }
        counter.count = 2
        #expect(heard.popAll() == ["0", "1", "2"])
        withExtendedLifetime(token) {}
    }

    @Test func `changedAt is the earliest component that a transaction assigned`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let token = theater.observe(\.playbackController?.player?.videoTitle, options: [.old, .new]) {
            heard.change($0)
        }
        transaction {
            theater.playbackController?.player?.videoTitle = "Aliens"
            theater.playbackController?.player = Player("Brazil")
            theater.playbackController?.player?.videoTitle = "Brazil (1985)"
        }
        #expect(heard.popAll() == ["pathChanged Alien -> Brazil (1985) at PlaybackController.player"])
        withExtendedLifetime(token) {}
    }

    @Test func `a diamond notifies once, and no observer sees half of it`() {
        final class Diamond: ObservableModel {
            let observationStore = ObservationStore()
            @Published var top = 1
            @Published var boundLeft = 0
            @Published var boundRight = 0
            var left: Int { top * 10 }
            var right: Int { top * 100 }
            var bottom: Int { left + right }
        }
        let diamond = Diamond()
        let tokens = [
            diamond.observe(\.bottom) { heard("computed", $0) },
            diamond.observe({ $0.boundLeft + $0.boundRight }) { heard("bound", $0) },
            diamond.bind({ $0.top * 10 }, to: diamond, at: \.boundLeft),
            diamond.$top.map { $0 * 100 }.assign(to: \.boundRight, on: diamond),
        ]
        #expect(heard.popAll() == ["computed: 110", "bound: 0", "bound: 10", "bound: 110"])
        diamond.top = 2
        #expect(heard.popAll() == ["computed: 220", "bound: 220"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a model may be deinitialised while its observers are notified`() {
        var counter: Counter? = Counter { [heard] in heard.add("gone") }
        let tokens = [
            counter?.observe(\.count, options: [.new]) { change in
                heard.change("first", change)
                counter = nil
            },
            counter?.observe(\.count, options: [.new]) { heard.change("second", $0) },
            counter?.observe(\.count) { heard("third", $0) },
        ]
        _ = heard.popAll()
        counter?.count = 1
        #expect(
            heard.popAll() == [
                "first: valueChanged 1 at Counter.count", "second: valueChanged 1 at Counter.count",
                "third: 1",
                "gone", "first: sourceDeleted", "second: sourceDeleted",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer of the end may release, assign and observe`() {
        let survivor = Counter()
        var doomed: Counter? = Counter()
        var late: ObservationToken?
        let tokens = [
            doomed?.observe(\.count, options: .new) { change in
                heard.change("doomed", change)
                survivor.count += 1
                late = survivor.observe(\.count) { heard("late", $0) }
            },
            survivor.observe(\.count) { heard("survivor", $0) },
        ]
        doomed = nil
        survivor.count = 5
        #expect(
            heard.popAll() == [
                "survivor: 0", "doomed: sourceDeleted", "late: 1", "survivor: 1", "survivor: 5", "late: 5",
            ]
        )
        withExtendedLifetime((tokens, late)) {}
    }

    @Test func `a model may assign in its deinit, and be destroyed part by part`() {
        final class Parent: ObservableModel {
            @Published var child: Player? = Player("child")
            @Published var title = "parent"
            let observationStore = ObservationStore()
            let shared: Counter
            init(_ shared: Counter) { self.shared = shared }
            deinit {
                title = "dying"
                shared.count += 1
            }
        }
        let shared = Counter()
        var parent: Parent? = Parent(shared)
        let tokens = [
            parent?.observe({ "\($0.title) \($0.child?.videoTitle ?? "-") \(shared.count)" }) { heard($0) },
            parent?.observe(\.child?.videoTitle, options: .new) { heard.change($0) },
        ]
        parent = nil
        #expect(heard.popAll() == ["parent child 0", "sourceDeleted"])
        #expect(shared.count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a value that is replaced in place may observe its own property in its deinit`() {
        final class Reader {
            let body: () -> Void
            init(_ body: @escaping () -> Void) { self.body = body }
            deinit { body() }
        }
        final class Holder: ObservableModel {
            let observationStore = ObservationStore()
            @Published var readers: [Reader] = []
            @Published var one: Reader?
        }
        let holder = Holder()
        let token = holder.observe({ $0.readers.count }) { heard($0) }
        holder.readers = [Reader { [heard] in heard.add("first of \(holder.readers.count)") }]
        holder.one = Reader { [heard] in heard.add("one is \(holder.one == nil ? "nil" : "there")") }
        holder.one = nil
        holder.readers = []
        #expect(heard.popAll() == ["0", "1", "one is nil", "0", "first of 0"])
        withExtendedLifetime(token) {}
    }

    @Test func `an expression may read other properties each time`() {
        let chooser = Counter()
        let a = Counter()
        let b = Counter()
        let token = chooser.observe({ $0.count == 0 ? "a\(a.count)" : "b\(b.count)" }) { heard($0) }
        a.count = 1
        b.count = 1
        chooser.count = 1
        a.count = 2
        b.count = 2
        chooser.count = 0
        #expect(heard.popAll() == ["a0", "a1", "b1", "b2", "a2"])
        withExtendedLifetime(token) {}
    }

    @Test func `an expression may read many properties, and one of them many times`() {
        let counters = (0..<200).map { _ in Counter() }
        let first = counters[0]
        let token = first.observe({ _ in
            counters.reduce(0) { $0 + $1.count + first.other }
        }) { heard($0) }
        counters[199].count = 1
        first.other = 1
        counters[100].count = 5
        #expect(heard.popAll() == ["0", "1", "201", "206"])
        withExtendedLifetime(token) {}
    }

    @Test func `a read in an observer's callback adds no dependency`() {
        let counter = Counter()
        let other = Counter()
        let outer = counter.observe({ counter in
            let inner = counter.observe(\.count) { _ in _ = other.count }
            defer { inner.cancel() }
            return counter.count
        }) { count in
            heard(count)
            _ = other.other
        }
        other.count = 1
        other.other = 1
        counter.count = 1
        #expect(heard.popAll() == ["0", "1"])
        withExtendedLifetime(outer) {}
    }
}
