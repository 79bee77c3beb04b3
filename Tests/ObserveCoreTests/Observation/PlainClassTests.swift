// SPDX-License-Identifier: MIT
// "Key-value observing without NSObject": any class, properties that announce themselves, observers held weakly.

import ObserveCore
import Testing

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

    private let told = Heard()

    @Test func `a label follows a title`() {
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
            token = event.addObserver(strong, keyPath: \.title) { _, title in told(title) }
            event.title = "one"
        }
        #expect(controller == nil)
        #expect(token?.isActive == true)
        event.title = "two"
        #expect(token?.isActive == false)
        #expect(told.take() == ["one"])
    }

    @Test func `without its token it lives on, and is cancelled by it`() {
        let event = Event()
        let controller = ViewController()
        _ = event.addObserver(controller, keyPath: \.title) { _, title in told("kept", title) }
        let token = event.addObserver(controller, keyPath: \.title) { _, title in told("other", title) }
        event.title = "one"
        token.cancel()
        event.title = "two"
        #expect(told.take() == ["kept: one", "other: one", "kept: two"])
    }

    @Test func `an observation ends with its model and lets everything go`() {
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
            told($1 as Any)
        }
        theater.playbackController?.player?.videoTitle = "Aliens"
        theater.playbackController?.player = Player("Aliens")
        theater.playbackController = nil
        #expect(told.take() == ["Aliens", "nil"])
    }

    @Test func `a getter that says so is followed like a published property`() {
        final class Calendar: ObservableModel {
            let observationStore = ObservationStore()
            @Published var event = Event()
        }
        let calendar = Calendar()
        let token = calendar.observe(\.event.place, options: [.initial, .new, .prior]) { told.change($0) }
        calendar.event.place = "Tartu"
        calendar.event = Event()
        #expect(
            told.take() == [
                "initial Tallinn", #"valueChanged prior Tallinn -> at Event.<computed>"#,
                #"valueChanged Tartu at Event.<computed>"#,
                "pathChanged prior Tartu -> at Calendar.event",
                "pathChanged Tallinn at Calendar.event",
            ]
        )
        withExtendedLifetime(token) {}
    }
}
