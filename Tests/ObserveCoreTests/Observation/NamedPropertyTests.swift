// SPDX-License-Identifier: MIT
// The identity of properties that announce themselves: in subclasses, with subscripts, and how long it lives.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct NamedPropertyTests {
    private class Event: ObservableModel {
        let observationStore = ObservationStore()
        private(set) var title = "" {
            didSet { didChangeValue(for: \.title) }
        }
        var place: String {
            get {
                willRead(\.place)
                return title + "!"
            }
            set { rename(newValue) }
        }
        private var prices: [Int: Int] = [:]

        subscript(share: Int) -> Int {
            get {
                willRead(\.[share])
                return prices[share] ?? 0
            }
            set {
                prices[share] = newValue
                didChangeValue(for: \.[share])
            }
        }

        func rename(_ title: String) {
            self.title = title
            didChangeValue(for: \.place)
        }
    }

    private class Concert: Event {
        func announce() { didChangeValue(for: \.title) }
    }

    private final class Opera: Concert {
        override var place: String {
            get { super.place + "?" }
            set { rename(newValue) }
        }
    }

    private let heard = Heard()

    @Test func `an observer of a subclass hears what the superclass announces`() {
        let opera = Opera()
        opera.addObserver(heard, keyPath: \.title) { $0("opera", $1) }
        (opera as Concert).addObserver(heard, keyPath: \.title) { $0("concert", $1) }
        (opera as Event).addObserver(heard, keyPath: \.title) { $0("event", $1) }
        opera.rename("Carmen")
        #expect(heard.popAll() == ["opera: Carmen", "concert: Carmen", "event: Carmen"])
        opera.announce()
        #expect(heard.popAll() == ["opera: Carmen", "concert: Carmen", "event: Carmen"])
    }

    @Test func `an override is the same property`() {
        let opera = Opera()
        let tokens = [
            opera.observe(\.place) { heard("opera", $0) },
            (opera as Event).observe(\.place) { heard("event", $0) },
        ]
        opera.addObserver(heard, keyPath: \.place) { $0("named", $1) }
        _ = heard.popAll()
        opera.place = "Tosca"
        #expect(heard.popAll() == ["opera: Tosca!?", "event: Tosca!?", "named: Tosca!?"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a subscript is the same property in a subclass, with the same index`() {
        let opera = Opera()
        opera.addObserver(heard, keyPath: \.[7]) { $0("seven", $1) }
        opera.addObserver(heard, keyPath: \.[8]) { $0("eight", $1) }
        opera[7] = 70
        (opera as Event)[8] = 80
        #expect(heard.popAll() == ["seven: 70", "eight: 80"])
    }

    private final class Left: ObservableModel {
        let observationStore = ObservationStore()
        var left = 0
        func announce() { didChangeValue(for: \.left) }
    }

    private final class Right: ObservableModel {
        let observationStore = ObservationStore()
        var right = 0
        func announce() { didChangeValue(for: \.right) }
    }

    @Test func `properties at the same place of unrelated classes have their own names`() {
        let (left, right) = (Left(), Right())
        var changes: [ChangedProperty?] = []
        let hear = { changes.append($0) }
        let observers = [
            Observation.changes(
                of: left,
                named: \.left,
                options: [],
                equality: Equality(),
                read: \.left,
                notify: { hear($0.changedAt) }
            ),
            Observation.changes(
                of: right,
                named: \.right,
                options: [],
                equality: Equality(),
                read: \.right,
                notify: { hear($0.changedAt) }
            ),
        ]
        left.announce()
        right.announce()
        #expect(changes.map { "\($0, default: "?")" } == ["Left.left", "Right.right"])
        for observer in observers { observer.cancel() }
        #expect(changes.map { "\($0, default: "-")" } == ["Left.?", "Right.?"])
    }

    @Test func `the key of a subscript lives while it is observed`() {
        final class Shares: ObservableModel {
            let observationStore = ObservationStore()
            @Published var index = 0
            subscript(share: Int) -> Int {
                willRead(\.[share])
                return share
            }
        }
        let shares = Shares()
        let token = shares.observe({ $0[$0.index] }) { _ in }
        for index in 1...100 { shares.index = index }
        #expect((0..<100).allSatisfy { NamedProperties.knownKey(of: \Shares.[$0]) == nil })
        #expect(NamedProperties.knownKey(of: \Shares.[100]) != nil)
        token.cancel()
        #expect(NamedProperties.knownKey(of: \Shares.[100]) == nil)
        do {
            let other = Shares()
            other.addObserver(heard, keyPath: \.[5]) { _, _ in }
            #expect(NamedProperties.knownKey(of: \Shares.[5]) != nil)
        }
        #expect(NamedProperties.knownKey(of: \Shares.[5]) == nil)
    }

    @Test func `a key lives as long as any of two models has a record`() {
        let (first, second) = (Opera(), Concert())
        let tokens = [
            first.addObserver(heard, keyPath: \.[1_234]) { $0("first", $1) },
            second.addObserver(heard, keyPath: \.[1_234]) { $0("second", $1) },
        ]
        tokens[0].cancel()
        second[1_234] = 1
        #expect(heard.popAll() == ["second: 1"])
        tokens[1].cancel()
        #expect(NamedProperties.knownKey(of: \Event.[1_234]) == nil)
        #expect(NamedProperties.knownKey(of: \Opera.[1_234]) == nil)
        #expect(NamedProperties.knownKey(of: \Concert.[1_234]) == nil)
    }

    @Test func `observers of other subscripts stay, whichever end`() {
        var random = SeededGenerator(seed: 7)
        let event = Opera()
        var tokens: [Int: ObservationToken] = [:]
        for _ in 0..<2_000 {
            let share = Int.random(in: 0..<100, using: &random)
            if let token = tokens.removeValue(forKey: share) {
                token.cancel()
            } else {
                // The keys of neighbours are far from each other, so that several have one place in the model's table.
                for filler in 1_000..<1_031 { NamedProperties.withKey(of: \Event.[filler]) { _ in } }
                tokens[share] = event.observe({ $0[share] }, options: [.new]) { heard("\(share)", $0.new!) }
            }
            let changed = Int.random(in: 0..<100, using: &random)
            event[changed] = share
            #expect(heard.popAll() == (tokens[changed] == nil ? [] : ["\(changed): \(share)"]))
        }
    }

    /// A subscript's index, which holds an object. Its end runs any code.
    private struct Index: Hashable {
        final class Holder {
            private let end: () -> Void
            init(_ end: @escaping () -> Void) { self.end = end }
            deinit { end() }
        }

        let holder: Holder
        static func == (left: Index, right: Index) -> Bool { left.holder === right.holder }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(holder)) }
    }

    private final class Shop: ObservableModel {
        let observationStore = ObservationStore()
        @Published var count = 0
        @Published var other = 0

        subscript(index: Index) -> Int {
            willRead(\.[index])
            return 0
        }

        /// Reads a property less when there is a count. Nothing else holds the index.
        func look(_ end: @escaping () -> Void) -> Int {
            count == 0 ? self[Index(holder: Index.Holder(end))] + other : count
        }
    }

    @Test func `the end of an index may read properties and cancel its observer`() {
        let (shop, others) = (Shop(), [Shop(), Shop(), Shop()])
        var tokens: [ObservationToken] = []
        let ends: [() -> Void] = [
            { heard("read", others.reduce(0) { $0 + $1.count }) },
            {
                heard("cancel")
                for token in tokens { token.cancel() }
            },
        ]
        tokens = ends.map { end in shop.observe({ $0.look(end) }) { heard($0) } }
        shop.count = 1
        #expect(heard.popAll() == ["0", "0", "1", "1", "read: 0", "cancel"])
        tokens = []
        shop.count = 2
        shop.other = 1
        for other in others { other.count = 1 }
        #expect(heard.popAll().isEmpty)
        #expect((shop.observationStore.observations, others[0].observationStore.observations) == (0, 0))
    }

    @Test func `the end of an index may assign what its cancelled observer read`() {
        let (shop, other) = (Shop(), Shop())
        var token: ObservationToken? = shop.observe({ shop in
            shop.look {
                heard("end")
                other.count = 5
            } + other.count
        }) { heard($0) }
        transaction {
            token?.cancel()
            token = nil
            heard("cancelled")
        }
        #expect(heard.popAll() == ["0", "end", "cancelled"])
        #expect(other.count == 5)
    }
}
