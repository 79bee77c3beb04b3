// SPDX-License-Identifier: MIT
// What observers may do while they are told, and what others see of it.

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

    private let told = Heard()

    @Test func `an observer assigns what it observes: all see the same changes in the same order`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.count, options: [.old, .new]) { change in
                told.change("first", change)
                if let count = change.new, count < 3 { counter.count = count + 1 }
                told("first returns \(counter.count)")
            },
            counter.observe(\.count, options: [.old, .new]) { told.change("second", $0) },
        ]
        counter.count = 1
        #expect(
            told.take() == [
                "first: valueChanged 0 -> 1 at Counter.count", "first returns 2",
                "second: valueChanged 0 -> 1 at Counter.count", "first: valueChanged 1 -> 2 at Counter.count",
                "first returns 3", "second: valueChanged 1 -> 2 at Counter.count",
                "first: valueChanged 2 -> 3 at Counter.count", "first returns 3",
                "second: valueChanged 2 -> 3 at Counter.count",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `several assignments inside an observer are all told`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.other) { _ in for count in 1...3 { counter.count = count } },
            counter.observe(\.count) { told($0) },
            counter.observe(\.count, options: [.old, .new]) { told.change($0) },
            counter.$count.observe { told("$", $0) },
        ]
        #expect(told.take() == ["3", "$: 3"])
        counter.other = 1
        #expect(
            told.take() == [
                "1", "valueChanged 3 -> 1 at Counter.count", "$: 1", "2",
                "valueChanged 1 -> 2 at Counter.count",
                "$: 2", "3", "valueChanged 2 -> 3 at Counter.count", "$: 3",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `cancelling oneself and others`() {
        let counter = Counter()
        var tokens: [ObservationToken?] = []
        for number in 0..<4 {
            let token = counter.$count.dropFirst().observe { count in
                told("\(number)", count)
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
        #expect(told.take() == ["0: 1", "1: 1", "3: 1", "3: 2"])
    }

    @Test func `an observer is released while it is notified, and another before its turn`() {
        final class Screen {
            let name: String
            let told: Heard
            var token: ObservationToken?
            init(_ name: String, _ told: Heard) {
                self.name = name
                self.told = told
            }
            deinit { told.add("\(name) is gone") }
        }
        let counter = Counter()
        var first: Screen? = Screen("first", told)
        var second: Screen? = Screen("second", told)
        first?.token = counter.$count.dropFirst().observe { [told] count in
            told("first", count)
            first = nil
            second = nil
            told.add("first returns")
        }
        second?.token = counter.$count.dropFirst().observe { [told] in told("second", $0) }
        counter.count = 1
        counter.count = 2
        #expect(told.take() == ["first: 1", "first is gone", "second is gone", "first returns"])
        #expect(first == nil && second == nil)
    }

    @Test func `observers that begin while others are notified get the later changes`() {
        let counter = Counter()
        var tokens: [ObservationToken] = []
        counter.observe(\.count) { count in
            told("first", count)
            if tokens.count < 3 {
                let number = tokens.count
                tokens.append(counter.observe(\.count) { told("new \(number)", $0) })
            }
        }.store(in: &tokens)
        #expect(told.take() == ["first: 0", "new 0: 0"])
        counter.count = 1
        #expect(told.take() == ["first: 1", "new 2: 1", "new 0: 1"])
        counter.count = 2
        #expect(told.take() == ["first: 2", "new 0: 2", "new 2: 2"])
    }

    @Test func `what an observer assigns when it begins`() {
        let counter = Counter()
        let before = counter.observe(\.count) { told("before", $0) }
        let token = counter.observe(\.count) { count in
            told("begins", count)
            if count < 2 { counter.count = count + 1 }
        }
        #expect(
            told.take() == ["before: 0", "begins: 0", "before: 1", "begins: 1", "before: 2", "begins: 2"]
        )
        withExtendedLifetime((before, token)) {}
    }

    @Test func `a transaction notifies once, of the values that differ at its end`() {
        let counter = Counter()
        let tokens = [
            counter.observe(\.count) { told("count", $0) }, counter.observe(\.other) { told("other", $0) },
            counter.observe({ "\($0.count)+\($0.other)" }) { told("both", $0) },
            counter.$count.observe { told("$", $0) },
        ]
        _ = told.take()
        let result = transaction {
            counter.count = 1
            counter.other = 1
            transaction { counter.count = 2 }
            #expect(counter.count == 2)
            counter.other = 0
            #expect(told.take() == [])
            return "result"
        }
        #expect(result == "result")
        #expect(told.take() == ["count: 2", "both: 2+0", "$: 2"])
        transaction {
            counter.count = 5
            counter.count = 2
        }
        #expect(told.take() == ["$: 2"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a transaction that throws has happened`() {
        struct Failure: Error {}
        let counter = Counter()
        let token = counter.observe(\.count) { told($0) }
        #expect(throws: Failure.self) {
            try transaction {
                counter.count = 1
                throw Failure()
            }
        }
        counter.count = 2
        #expect(told.take() == ["0", "1", "2"])
        withExtendedLifetime(token) {}
    }

    @Test func `the earliest component that a transaction assigned is the one that changed`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let token = theater.observe(\.playbackController?.player?.videoTitle, options: [.old, .new]) {
            told.change($0)
        }
        transaction {
            theater.playbackController?.player?.videoTitle = "Aliens"
            theater.playbackController?.player = Player("Brazil")
            theater.playbackController?.player?.videoTitle = "Brazil (1985)"
        }
        #expect(told.take() == ["pathChanged Alien -> Brazil (1985) at PlaybackController.player"])
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
            diamond.observe(\.bottom) { told("computed", $0) },
            diamond.observe({ $0.boundLeft + $0.boundRight }) { told("bound", $0) },
            diamond.bind({ $0.top * 10 }, to: diamond, at: \.boundLeft),
            diamond.$top.map { $0 * 100 }.assign(to: \.boundRight, on: diamond),
        ]
        #expect(told.take() == ["computed: 110", "bound: 0", "bound: 10", "bound: 110"])
        diamond.top = 2
        #expect(told.take() == ["computed: 220", "bound: 220"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a model is released while its observers are notified`() {
        var counter: Counter? = Counter { [told] in told.add("gone") }
        let tokens = [
            counter?.observe(\.count, options: [.new]) { change in
                told.change("first", change)
                counter = nil
            },
            counter?.observe(\.count, options: [.new]) { told.change("second", $0) },
            counter?.observe(\.count) { told("third", $0) },
        ]
        _ = told.take()
        counter?.count = 1
        #expect(
            told.take() == [
                "first: valueChanged 1 at Counter.count", "second: valueChanged 1 at Counter.count",
                "third: 1",
                "gone", "first: sourceDeleted", "second: sourceDeleted",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `an end that is told may release, assign and observe`() {
        let survivor = Counter()
        var doomed: Counter? = Counter()
        var late: ObservationToken?
        let tokens = [
            doomed?.observe(\.count, options: .new) { change in
                told.change("doomed", change)
                survivor.count += 1
                late = survivor.observe(\.count) { told("late", $0) }
            },
            survivor.observe(\.count) { told("survivor", $0) },
        ]
        doomed = nil
        survivor.count = 5
        #expect(
            told.take() == [
                "survivor: 0", "doomed: sourceDeleted", "late: 1", "survivor: 1", "survivor: 5", "late: 5",
            ]
        )
        withExtendedLifetime((tokens, late)) {}
    }

    @Test func `a model that assigns in its deinit, and one that is destroyed part by part`() {
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
            parent?.observe({ "\($0.title) \($0.child?.videoTitle ?? "-") \(shared.count)" }) { told($0) },
            parent?.observe(\.child?.videoTitle, options: .new) { told.change($0) },
        ]
        parent = nil
        #expect(told.take() == ["parent child 0", "sourceDeleted"])
        #expect(shared.count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a value that is replaced in place may observe its own property when it goes`() {
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
        let token = holder.observe({ $0.readers.count }) { told($0) }
        holder.readers = [Reader { [told] in told.add("first of \(holder.readers.count)") }]
        holder.one = Reader { [told] in told.add("one is \(holder.one == nil ? "nil" : "there")") }
        holder.one = nil
        holder.readers = []
        #expect(told.take() == ["0", "1", "one is nil", "0", "first of 0"])
        withExtendedLifetime(token) {}
    }

    @Test func `an expression that reads something else each time`() {
        let chooser = Counter()
        let a = Counter()
        let b = Counter()
        let token = chooser.observe({ $0.count == 0 ? "a\(a.count)" : "b\(b.count)" }) { told($0) }
        a.count = 1
        b.count = 1
        chooser.count = 1
        a.count = 2
        b.count = 2
        chooser.count = 0
        #expect(told.take() == ["a0", "a1", "b1", "b2", "a2"])
        withExtendedLifetime(token) {}
    }

    @Test func `many properties, and the same one many times`() {
        let counters = (0..<200).map { _ in Counter() }
        let first = counters[0]
        let token = first.observe({ _ in
            counters.reduce(0) { $0 + $1.count + first.other }
        }) { told($0) }
        counters[199].count = 1
        first.other = 1
        counters[100].count = 5
        #expect(told.take() == ["0", "1", "201", "206"])
        withExtendedLifetime(token) {}
    }

    @Test func `reading in an observer makes nobody depend on it`() {
        let counter = Counter()
        let other = Counter()
        let outer = counter.observe({ counter in
            let inner = counter.observe(\.count) { _ in _ = other.count }
            defer { inner.cancel() }
            return counter.count
        }) { count in
            told(count)
            _ = other.other
        }
        other.count = 1
        other.other = 1
        counter.count = 1
        #expect(told.take() == ["0", "1"])
        withExtendedLifetime(outer) {}
    }
}
