// SPDX-License-Identifier: MIT
// CwlKeyValueObserver's reasons, options and ends; its own test cases among them, as scenarios.

import ObserveCore
import Testing

@Suite struct KeyValueObserverTests {
    private final class Observed: ObservableModel {
        let observationStore = ObservationStore()
        @Published var some: String
        @Published var unrelated = false
        @WeakPublished var weakly: Observed?
        @Published var chained: Observed?

        init(_ some: String) { self.some = some }
    }

    private let heard = Heard()

    @Test func `a basic property notifies of changes and of its source's end`() {
        var source: Observed? = Observed("empty")
        let token = source?.observe(\.some, options: .new) { heard.change("new", $0) }
        let other = source?.observe(\.some, options: []) { heard.change("none", $0) }
        source?.some = "filled"
        source?.unrelated = true
        #expect(token?.isActive == true)
        source = nil
        #expect(
            heard.popAll() == [
                "new: valueChanged filled at Observed.some", "none: valueChanged at Observed.some",
                "new: sourceDeleted", "none: sourceDeleted",
            ]
        )
        #expect(token?.isActive == false && other?.isActive == false)
    }

    @Test func `a cancelled observer is not notified`() {
        let source = Observed("empty")
        let token = source.observe(\.some, options: [.initial, .new]) { heard.change($0) }
        source.some = "one"
        token.cancel()
        source.some = "two"
        #expect(heard.popAll() == ["initial empty", "valueChanged one at Observed.some"])
        token.cancel()
        #expect(!token.isActive)
    }

    @Test func `a path that leads back to its source leaves other observers alone`() {
        var source: Observed? = Observed("one")
        source?.chained = Observed("child")
        source?.chained?.weakly = source
        let token = source?.observe(\.chained?.weakly?.some) { heard($0 as Any) }
        source?.some = "two"
        token?.cancel()
        let other = source?.observe(\.some, options: .new) { heard.change($0) }
        source?.some = "three"
        source = nil
        #expect(
            heard.popAll() == ["one", "two", "valueChanged three at Observed.some", "sourceDeleted"]
        )
        #expect(other?.isActive == false)
    }

    @Test func `a weak reference to its own model ends with it`() {
        var source: Observed? = Observed("one")
        source?.weakly = source
        let token = source?.observe({ source in
            "\(source.weakly?.some ?? "") \(source.unrelated) \(source.chained?.some ?? "")"
        }) { heard($0) }
        source?.some = "two"
        source?.chained = Observed("three")
        source = nil
        #expect(heard.popAll() == ["one false ", "two false ", "two false three"])
        #expect(token?.isActive == false)
    }

    @Test func `a chained property notifies of changes of each component`() {
        var first: Observed? = Observed("one")
        let second = Observed("two")
        let third = Observed("three")
        let fourth = Observed("four")
        second.chained = third
        first?.chained = second
        let token = first?.observe(\.chained?.chained?.some, options: .new) { heard.change($0) }
        third.some = "filled"
        second.chained = fourth
        third.some = "unseen"
        fourth.some = "cleared"
        second.chained = nil
        second.chained = third
        second.chained = nil
        first = nil
        #expect(
            heard.popAll() == [
                "valueChanged filled at Observed.some", "pathChanged four at Observed.chained",
                "valueChanged cleared at Observed.some", "pathChanged nil at Observed.chained",
                "pathChanged unseen at Observed.chained", "pathChanged nil at Observed.chained",
                "sourceDeleted",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `a weak property notifies when its target is deinitialised`() {
        let source = Observed("empty")
        let token = source.observe(\.weakly, options: [.new, .old]) { change in
            heard("\(change.reason) \(change.old??.some ?? "-") \(change.new??.some ?? "-")")
        }
        let inner = source.observe(\.weakly?.some, options: [.new, .old]) { heard.change($0) }
        do {
            let monkey = Observed("monkey")
            source.weakly = monkey
            monkey.some = "ape"
            #expect(
                heard.popAll() == [
                    "valueChanged - monkey", "pathChanged nil -> monkey at Observed.weakly",
                    "valueChanged monkey -> ape at Observed.some",
                ]
            )
        }
        #expect(source.weakly == nil)
        #expect(heard.popAll() == ["valueChanged - -", "pathChanged ape -> nil at Observed.weakly"])
        withExtendedLifetime((token, inner)) {}
    }

    @Test func `a weak property may be in the middle of a path`() {
        let first = Observed("one")
        let second = Observed("two")
        var third: Observed? = Observed("three")
        first.chained = second
        second.weakly = third
        let token = first.observe(\.chained?.weakly?.some, options: [.new]) { heard.change($0) }
        third?.some = "3"
        third = nil
        second.weakly = first
        second.weakly = nil
        #expect(
            heard.popAll() == [
                "valueChanged 3 at Observed.some", "pathChanged nil at Observed.weakly",
                "pathChanged one at Observed.weakly", "pathChanged nil at Observed.weakly",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test(
        arguments: [
            ([], ["valueChanged at Observed.some"]),
            ([.new], ["valueChanged filled at Observed.some"]),
            ([.old], ["valueChanged empty -> at Observed.some"]),
            ([.initial], ["initial", "valueChanged at Observed.some"]),
            ([.initial, .new], ["initial empty", "valueChanged filled at Observed.some"]),
            (
                [.prior, .new, .old],
                [
                    "valueChanged prior empty -> at Observed.some",
                    "valueChanged empty -> filled at Observed.some",
                ]
            ),
        ] as [(ObservingOptions, [String])]
    )
    func `options select the contents of changes`(_ options: ObservingOptions, _ expected: [String]) {
        let first = Observed("empty")
        let second = Observed("empty")
        let third = Observed("empty")
        first.chained = second
        second.chained = third
        let token = first.observe(\.chained?.chained?.some, options: options) { heard.change($0) }
        third.some = "filled"
        token.cancel()
        #expect(heard.popAll() == expected)
    }

    @Test func `changedAt names the component and its depth`() {
        let first = Observed("one")
        first.chained = Observed("two")
        first.chained?.chained = Observed("three")
        var depths: [Int] = []
        let token = first.observe(\.chained?.chained?.some, options: .new) { change in
            heard(change.changedAt?.name ?? "-")
            depths.append(change.changedAt?.depth ?? -1)
            #expect(change.changedAt?.modelType == Observed.self)
        }
        first.chained?.chained?.some = "3"
        first.chained?.chained = nil
        first.chained = nil
        #expect(heard.popAll() == ["some", "chained", "chained"])
        #expect(depths == [2, 1, 0])
        withExtendedLifetime((first, token)) {}
    }

    @Test func `an observer retains neither the source nor models behind it`() {
        weak var source: Observed?
        weak var chained: Observed?
        let token: ObservationToken
        do {
            let strong = Observed("one")
            strong.chained = Observed("two")
            source = strong
            chained = strong.chained
            token = strong.observe(\.chained, options: [.new, .old, .initial]) { heard($0.reason) }
        }
        #expect(source == nil && chained == nil)
        #expect(heard.popAll() == ["initial", "sourceDeleted"])
        #expect(!token.isActive)
    }

    @Test func `a prior change precedes its change, which always follows`() {
        let source = Observed("one")
        source.chained = Observed("two")
        let token = source.observe(\.chained?.some, options: [.prior, .old, .new, .distinct]) { change in
            heard.change(change)
            if change.isPrior { heard("still \(source.chained?.some ?? "-")") }
        }
        source.chained?.some = "2"
        source.chained?.some = "2"
        source.chained = Observed("2")
        #expect(
            heard.popAll() == [
                "valueChanged prior two -> at Observed.some", "still two",
                "valueChanged two -> 2 at Observed.some",
                "pathChanged prior 2 -> at Observed.chained", "still 2",
                "pathChanged 2 -> 2 at Observed.chained",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `without distinct every assignment along the path notifies`() {
        let source = Observed("one")
        source.chained = Observed("two")
        let every = source.observe(\.chained?.some, options: [.new]) { heard.change("every", $0) }
        let distinct = source.observe(\.chained?.some, options: [.new, .distinct]) {
            heard.change("distinct", $0)
        }
        source.chained?.some = "two"
        source.chained = Observed("two")
        source.chained = Observed("2")
        #expect(
            heard.popAll() == [
                "every: valueChanged two at Observed.some", "every: pathChanged two at Observed.chained",
                "every: pathChanged 2 at Observed.chained", "distinct: pathChanged 2 at Observed.chained",
            ]
        )
        withExtendedLifetime((every, distinct)) {}
    }
}
