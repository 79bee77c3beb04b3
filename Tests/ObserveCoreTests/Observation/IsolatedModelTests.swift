// SPDX-License-Identifier: MIT
// Models and observers that an actor isolates.

import ObserveCore
import Testing

@MainActor
private final class Screen: @MainActor ObservableModel {
    let observationStore = ObservationStore()
    @Published var title = "Alien"
    @Published var position = 0
    @Published var next: Screen?
    @WeakPublished var owner: Screen?

    var label: String { "\(title) \(position)" }
}

@MainActor
private final class Window {
    let screen = Screen()
    private(set) var shown: [String] = []
    private var tokens: [ObservationToken] = []

    func open() {
        tokens.append(screen.observe(\.label) { [weak self] in self?.shown.append($0) })
        screen.addObserver(self, keyPath: \.next?.title) { window, title in
            window.shown.append(title ?? "nil")
        }
    }

    func close() { tokens = [] }
}

@Suite @MainActor struct IsolatedModelTests {
    @Test func `a model of the main actor is observed on the main actor`() {
        var window: Window? = Window()
        window?.open()
        let screen = window?.screen
        screen?.position = 1
        transaction {
            screen?.title = "Brazil"
            screen?.position = 2
        }
        screen?.next = Screen()
        #expect(window?.shown == ["Alien 0", "Alien 1", "Brazil 2", "Alien"])
        weak let released = window
        window = nil
        #expect(released == nil)
    }

    @Test func `models of the main actor are bound, published and followed`() async {
        let source = Screen()
        let target = Screen()
        var titles: [String] = []
        let tokens = [
            source.bind(\.title, to: target, at: \.title),
            source.bindBothWays(\.position, to: target, at: \.position),
            source.$title.removeDuplicates().observe { titles.append($0) },
            source.objectWillChange.observe { titles.append("will") },
        ]
        source.title = "Brazil"
        target.position = 3
        #expect((target.title, source.position) == ("Brazil", 3))
        #expect(titles == ["Alien", "will", "Brazil", "will"])
        for await title in source.values(of: \.title) {
            titles.append(title)
            break
        }
        #expect(titles.last == "Brazil")
        withExtendedLifetime(tokens) {}
    }

    @Test func `an actor's observer is isolated to it, and retains it not`() async {
        var projector: Projector? = Projector()
        await projector?.start()
        await projector?.show("Brazil")
        #expect(await projector?.titles == ["Alien", "Brazil"])
        #expect(await projector?.changes == [.initial, .valueChanged])
        weak let released = projector
        projector = nil
        #expect(released == nil)
    }

    private actor Projector {
        private let player = Screenless()
        private(set) var titles: [String] = []
        private(set) var changes: [ChangeReason] = []
        private var tokens: [ObservationToken] = []

        func start() {
            tokens = [
                player.observe(\.title, on: self) { projector, title in projector.titles.append(title) },
                player.observe(\.title, options: [.initial], on: self) { projector, change in
                    projector.changes.append(change.reason)
                },
            ]
        }

        func show(_ title: String) { player.title = title }
    }

    private final class Screenless: ObservableModel {
        let observationStore = ObservationStore()
        @Published var title = "Alien"
    }
}
