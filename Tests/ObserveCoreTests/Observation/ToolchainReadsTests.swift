// SPDX-License-Identifier: MIT
// Observers of paths that lead through objects with `@Observable`.

import Observation
import Synchronization
import Testing

@testable import ObserveModels

@Suite @MainActor struct ToolchainReadsTests {
    final class Program: ObservableModel {
        let observationStore = ObservationStore()
        let fixed = Settings()
        @Published var settings: Settings?
        @Published var isLoud = false
        @Published var count = 0
    }

    private let program = Program()
    private let settings = Settings()
    private let heard = Heard()

    /// Returns when the main actor has done what was waiting for it.
    private func turn() async { await Task {}.value }

    @Test func `a path leads through @Observable objects, and re-binds`() async {
        let token = program.observe(\.settings?.theme?.name) { heard($0 ?? "nil") }
        program.settings = settings
        settings.theme = Theme("dark")
        #expect(heard.popAll() == ["nil"])
        await turn()
        settings.theme?.name = "light"
        await turn()
        #expect(heard.popAll() == ["dark", "light"])

        let former = settings.theme
        settings.theme = Theme("blue")
        await turn()
        former?.name = "old"
        await turn()
        settings.theme = nil
        await turn()
        #expect(heard.popAll() == ["blue", "nil"])
        program.settings = nil
        settings.theme = Theme("red")
        await turn()
        #expect(heard.popAll() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `models and @Observable objects may follow each other on a path`() async {
        program.settings = settings
        settings.theme = Theme("dark")
        let token = program.observe(\.settings?.theme?.film?.title) { heard($0 ?? "nil") }
        let film = Film("Alien")
        settings.theme?.film = film
        await turn()
        film.title = "Aliens"
        #expect(heard.popAll() == ["nil", "Alien", "Aliens"])
        settings.theme?.film = Film("Brazil")
        await turn()
        film.title = "Alien 3"
        #expect(heard.popAll() == ["Brazil"])
        withExtendedLifetime(token) {}
    }

    @Test func `changes in one turn of the actor are one`() async {
        program.settings = settings
        let token = program.observe(\.settings?.volume) { heard("\($0 ?? 0)") }
        for volume in 6...9 { settings.volume = volume }
        await turn()
        settings.volume = 10
        settings.volume = 9
        await turn()
        #expect(heard.popAll() == ["5", "9"])
        withExtendedLifetime(token) {}
    }

    @Test func `a constant and a captured object are read as well, also behind a condition`() async {
        let captured = settings
        let token = program.observe({ $0.isLoud ? $0.fixed.volume + captured.volume : 0 }) { heard("\($0)") }
        program.fixed.volume = 7
        await turn()
        program.isLoud = true
        captured.volume = 1
        await turn()
        program.fixed.volume = 2
        await turn()
        program.isLoud = false
        captured.volume = 100
        await turn()
        #expect(heard.popAll() == ["0", "12", "8", "3", "0"])
        withExtendedLifetime(token) {}
    }

    @Test func `a change has a reason, and no place`() async {
        program.settings = settings
        let token = program.observe(\.settings?.volume, options: [.old, .new]) { change in
            heard(
                "\(change.reason) \(change.old.flatMap { $0 } ?? 0) \(change.new.flatMap { $0 } ?? 0) \(change.changedAt == nil)"
            )
        }
        settings.volume = 6
        await turn()
        program.settings = nil
        #expect(heard.popAll() == ["valueChanged 5 6 true", "pathChanged 6 0 false"])
        withExtendedLifetime(token) {}
    }

    @Test func `a change is told once, if the observer reads for another reason before its turn`() async {
        program.settings = settings
        let token = program.observe({ "\($0.count) \($0.settings?.volume ?? 0)" }, options: [.new]) {
            heard($0.new ?? "")
        }
        settings.volume = 6
        program.count = 1
        await turn()
        settings.volume = 7
        await turn()
        #expect(heard.popAll() == ["1 6", "1 7"])
        withExtendedLifetime(token) {}
    }

    @Test func `bindings and sequences follow them`() async {
        program.settings = settings
        let target = Film("")
        let token = program.bind({ "\($0.settings?.volume ?? 0)" }, to: target, at: \.title)
        var volumes = program.values(of: \.settings?.volume).makeAsyncIterator()
        #expect(await volumes.next() == 5)
        settings.volume = 6
        #expect(await volumes.next() == 6)
        #expect(target.title == "6")
        withExtendedLifetime(token) {}
    }

    @Test func `the toolchain keeps one tracking, and none of an observation that has ended`() async {
        program.settings = settings
        let token = program.observe({ "\($0.count) \($0.settings?.volume ?? 0)" }) { heard($0) }
        var observer = program.observationStore.core.observers.first
        weak let first = observer?.toolchainUse.reads
        #expect(first != nil)
        for count in 1...3 { program.count = count }
        #expect(first == nil)
        weak let last = observer?.toolchainUse.reads
        settings.volume = 6
        token.cancel()
        await turn()
        #expect(last == nil)
        weak let ended = observer
        observer = nil
        settings.volume = 7
        await turn()
        #expect(ended?.isActive != true)
        #expect(heard.popAll() == ["0 5", "1 5", "2 5", "3 5"])
    }

    @Test func `a tracked model notifies once, at once`() async {
        let film = ToolchainTrackingTests.Film("Alien")
        let token = film.observe(\.title, options: [.new]) { heard($0.new ?? "") }
        film.title = "Aliens"
        film.title = "Aliens"
        await turn()
        #expect(heard.popAll() == ["Aliens", "Aliens"])
        withExtendedLifetime(token) {}
    }

    /// An object that any thread may change.
    final class Shared: Observable, Sendable {
        private let registrar = ObservationRegistrar()
        private let kept = Mutex(0)

        var value: Int {
            get {
                registrar.access(self, keyPath: \.value)
                return kept.withLock { $0 }
            }
            set { registrar.withMutation(of: self, keyPath: \.value) { kept.withLock { $0 = newValue } } }
        }
    }

    @Test func `an object may change on any thread, and the last value arrives on the actor`() async {
        let shared = Shared()
        let values = program.values(of: { _ in shared.value }, buffering: .latest)
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask { for step in 1...200 { shared.value = worker * 1_000 + step } }
            }
        }
        shared.value = 7
        for await value in values where value == 7 { break }
    }

    class Person: ObservableModel {
        let observationStore = ObservationStore()
        @Published var isVisible = false
    }

    final class Speaker: Person {
        let voice = Voice()
    }

    struct Voice {
        let settings = [Settings()]
    }

    @Test func `an object is found in a subclass's structure, when the path leads there later`() async {
        final class Stage: ObservableModel {
            let observationStore = ObservationStore()
            @Published var person: Person?
        }
        let stage = Stage()
        func volume(_ stage: Stage) -> Int {
            guard let person = stage.person, person.isVisible, let speaker = person as? Speaker else {
                return 0
            }
            return speaker.voice.settings[0].volume
        }
        let token = stage.observe(volume) { heard("\($0)") }
        let speaker = Speaker()
        stage.person = speaker
        speaker.isVisible = true
        speaker.voice.settings[0].volume = 6
        await turn()
        #expect(heard.popAll() == ["0", "5", "6"])
        stage.person = Person()
        speaker.voice.settings[0].volume = 7
        await turn()
        #expect(heard.popAll() == ["0"])
        withExtendedLifetime(token) {}
    }

    actor Owner {
        let program = Program()
        private var tokens: [ObservationToken] = []
        private var volumes: [Int] = []

        func observe() {
            program.observe(\.fixed.volume) { [weak self] volume in self?.assumeIsolated { $0.note(volume) } }
                .store(in: &tokens)
        }

        private func note(_ volume: Int) { volumes.append(volume) }

        func change() -> Int {
            program.fixed.volume += 1
            return volumes.count
        }

        func all() -> [Int] { volumes }
    }

    @Test func `an actor of its own hears of a change after the change`() async {
        let owner = Owner()
        await owner.observe()
        #expect(await owner.change() == 1)
        while await owner.all() != [5, 6] { await Task.yield() }
    }
}
