// SPDX-License-Identifier: MIT
// Observers and bindings whose target has ended, and what publishers keep alive.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct TargetEndTests {
    private final class Label {
        var text = ""
    }

    private final class ViewModel: ObservableModel {
        let observationStore = ObservationStore()
        let player: Player
        var tokens: [ObservationToken] = []
        @Published var titles = ""

        init(_ player: Player) {
            self.player = player
            tokens = [
                player.objectWillChange.observe(objectWillChange.send),
                player.$videoTitle.observe { [objectWillChange] _ in objectWillChange.send() },
                player.$videoTitle.merge(with: player.$videoTitle).assign(to: \.titles, on: self),
                player.bind(\.videoTitle, to: self, at: \.titles),
            ]
        }
    }

    private let heard = Heard()

    @Test func `the number of observers of ended objects is bounded without a change`() {
        let player = Player("Alien")
        let kept = Label()
        player.addObserver(kept, keyPath: \.videoTitle) { $0.text = $1 }
        var tokens: [ObservationToken] = []
        for _ in 0..<1_000 {
            let label = Label()
            tokens.append(player.addObserver(label, keyPath: \.videoTitle) { $0.text = $1 })
            tokens.append(player.bind(\.videoTitle, to: label, at: \.text))
            tokens.append(player.$videoTitle.assign(to: \.text, on: label))
            #expect(player.observationStore.core.observers.count <= 40)
        }
        #expect(tokens.filter(\.isActive).isEmpty)
        #expect(player.observationStore.observations == 1)
        player.videoTitle = "Brazil"
        #expect(kept.text == "Brazil")
    }

    @Test func `an observation with a model as its target ends at once with that`() {
        let player = Player("Alien")
        var target: Player? = Player("target")
        let tokens = target.map { target in
            [
                player.addObserver(target, keyPath: \.videoTitle) { $0.videoTitle = $1 },
                player.bind(\.videoTitle, to: target, at: \.videoTitle),
                player.bindBothWays(\.position, to: target, at: \.position),
                player.$videoTitle.assign(to: \.videoTitle, on: target),
            ]
        }
        #expect(player.observationStore.core.observers.count == 4)
        #expect(target?.observationStore.observations == 0)
        target?.observationStore.removeAll()
        player.videoTitle = "Brazil"
        #expect(target?.videoTitle == "Brazil")
        target = nil
        #expect(player.observationStore.core.observers.isEmpty)
        #expect(tokens?.map(\.isActive) == [false, false, false, false])
    }

    @Test func `a view model may hold its own objectWillChange in its observers`() {
        let player = Player("Alien")
        weak let released: ViewModel? = {
            let viewModel = ViewModel(player)
            let token = viewModel.objectWillChange.observe { heard("will change") }
            player.videoTitle = "Brazil"
            withExtendedLifetime(token) {}
            return viewModel
        }()
        #expect(released == nil)
        #expect(heard.popAll().allSatisfy { $0 == "will change" })
    }

    @Test func `objectWillChange of a model that has ended has no observers`() {
        let publisher = Player("Alien").objectWillChange
        let token = publisher.observe { heard("will change") }
        publisher.send()
        #expect(!token.isActive)
        #expect(heard.popAll().isEmpty)
    }

    @Test func `publishers keep their models alive, observations of them do not`() {
        weak var former: Player?
        var publishers: [ValuePublisher<String>] = {
            let player = Player("Alien")
            former = player
            let title = player.$videoTitle
            return [
                title, player.publisher(for: \.videoTitle), title.map { $0 }, title.filter { _ in true },
                title.merge(with: title), title.combineLatest(title).map(\.0), title.removeDuplicates(),
            ]
        }()
        for index in publishers.indices.reversed() {
            #expect(former != nil)
            let token = publishers[index].observe { heard($0) }
            publishers.remove(at: index)
            withExtendedLifetime(token) {}
        }
        #expect(former == nil)
    }
}
