// SPDX-License-Identifier: MIT
// "Key-value observing without NSObject": any class, properties that announce themselves, observers held weakly.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct PlainClassTests {
    private final class Event: ObservableModel {
        let observationStore = ObservationStore()

        var title = "Initial Title" {
            didSet { didChangeValue(for: \.title) }
        }

        private var storedPlace = "Tallinn"
        var place: String {
            get {
                willRead(\.place)
                return storedPlace
            }
            set {
                willChangeValue(for: \.place)
                storedPlace = newValue
                didChangeValue(for: \.place)
            }
        }
    }

    private final class ViewController {
        var text = ""
        func show(_ event: Event) {
            event.addObserver(self, keyPath: \.title, options: .initial) { controller, title in
                controller.text += title + ";"
            }
        }
    }

    private let heard = Heard()

    @Test func `a label shows each title`() {
        let event = Event()
        let controller = ViewController()
        controller.show(event)
        event.title = "New Title"
        event.title = "New Title"
        #expect(controller.text == "Initial Title;New Title;New Title;")
    }

    @Test func `an observer is held weakly and cleaned up`() {
        let event = Event()
        weak var controller: ViewController?
        var token: ObservationToken?
        do {
            let strong = ViewController()
            controller = strong
            token = event.addObserver(strong, keyPath: \.title) { _, title in heard(title) }
            event.title = "one"
        }
        #expect(controller == nil)
        #expect(token?.isActive == false)
        event.title = "two"
        #expect(heard.popAll() == ["one"])
    }

    @Test func `an observation outlives its token, which can cancel it`() {
        let event = Event()
        let controller = ViewController()
        _ = event.addObserver(controller, keyPath: \.title) { _, title in heard("kept", title) }
        let token = event.addObserver(controller, keyPath: \.title) { _, title in heard("other", title) }
        event.title = "one"
        token.cancel()
        event.title = "two"
        #expect(heard.popAll() == ["kept: one", "other: one", "kept: two"])
    }

    @Test func `an observation ends with its model and releases its handler`() {
        weak var captured: Heard?
        let controller = ViewController()
        do {
            let event = Event()
            let strong = Heard()
            captured = strong
            event.addObserver(controller, keyPath: \.title) { _, title in strong(title) }
            event.title = "one"
        }
        #expect(captured == nil)
    }

    @Test func `published properties work as well, along a path`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let controller = ViewController()
        theater.addObserver(controller, keyPath: \.playbackController?.player?.videoTitle, options: .distinct)
        {
            heard($1 as Any)
        }
        theater.playbackController?.player?.videoTitle = "Aliens"
        theater.playbackController?.player = Player("Aliens")
        theater.playbackController = nil
        #expect(heard.popAll() == ["Aliens", "nil"])
    }

    @Test func `a getter with willRead is followed like a published property`() {
        final class Calendar: ObservableModel {
            let observationStore = ObservationStore()
            @Published var event = Event()
        }
        let calendar = Calendar()
        let token = calendar.observe(\.event.place, options: [.initial, .new, .prior]) { heard.change($0) }
        calendar.event.place = "Tartu"
        calendar.event = Event()
        #expect(
            heard.popAll() == [
                "initial Tallinn", #"valueChanged prior Tallinn -> at Event.<computed>"#,
                #"valueChanged Tartu at Event.<computed>"#,
                "pathChanged prior Tartu -> at Calendar.event",
                "pathChanged Tallinn at Calendar.event",
            ]
        )
        withExtendedLifetime(token) {}
    }

    private final class Exchange: ObservableModel {
        let observationStore = ObservationStore()
        private var prices: [Int: Int] = [:]
        @Published var name = "Tallinn"

        subscript(share: Int) -> Int? {
            get {
                willRead(\.[share])
                return prices[share]
            }
            set {
                willChangeValue(for: \.[share])
                prices[share] = newValue
                didChangeValue(for: \.[share])
            }
        }
    }

    @Test func `changes of subscripts that nothing reads take no memory`() {
        let exchange = Exchange()
        let tokens = [
            exchange.observe(\.name, options: [.prior]) { _ in },
            exchange.objectWillChange.observe { heard("will change") },
        ]
        exchange[1_000_001] = 1
        #expect(heard.popAll() == ["will change"])
        #expect(NamedProperties.knownKey(of: \Exchange.[1_000_001]) == nil)
        withExtendedLifetime(tokens) {}
    }

    @Test func `each of many subscripts notifies its own observer`() {
        let exchange = Exchange()
        let tokens = (0..<2_000).map { share in
            exchange.observe({ $0[share] }, options: [.new]) { change in heard("\(share)", change.new as Any)
            }
        }
        exchange[7] = 70
        exchange[1_999] = 19
        #expect(heard.popAll() == ["7: 70", "1999: 19"])
        withExtendedLifetime(tokens) {}
    }
}
