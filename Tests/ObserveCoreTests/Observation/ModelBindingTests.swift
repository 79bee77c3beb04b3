// SPDX-License-Identifier: MIT
// "Bindings with KVO and Key Paths".

import ObserveCore
import Testing

@Suite struct ModelBindingTests {
    private final class ViewModel: ObservableModel {
        let observationStore = ObservationStore()
        @Published var navigationTitle = "Recordings"
        @Published var recording: String?
        @Published var seconds = 0

        var hasRecording: Bool { recording != nil }
        var timeLabelText: String { "\(seconds / 60):\(seconds % 60)" }
    }

    private final class Label {
        var text: String?
        var title = ""
        var isHidden = false
    }

    private let heard = Heard()

    @Test func `a view is bound to its view model until its tokens are released`() {
        let viewModel = ViewModel()
        let item = Label()
        let noRecordingLabel = Label()
        let progressLabel = Label()
        var tokens = [
            viewModel.bind(\.navigationTitle, to: item, at: \.title),
            viewModel.bind(\.hasRecording, to: noRecordingLabel, at: \.isHidden),
            viewModel.bind(\.timeLabelText, to: progressLabel, at: \.text),
        ]
        #expect((item.title, noRecordingLabel.isHidden, progressLabel.text) == ("Recordings", false, "0:0"))
        viewModel.navigationTitle = "Memo"
        viewModel.recording = "memo.m4a"
        viewModel.seconds = 61
        #expect((item.title, noRecordingLabel.isHidden, progressLabel.text) == ("Memo", true, "1:1"))
        tokens.removeAll()
        viewModel.navigationTitle = "Other"
        #expect(item.title == "Memo")
    }

    @Test func `an observer is called at once and after each change`() {
        let viewModel = ViewModel()
        let token = viewModel.observe(\.timeLabelText) { heard($0) }
        viewModel.seconds = 1
        viewModel.seconds = 1
        viewModel.seconds = 60
        #expect(heard.popAll() == ["0:0", "0:1", "1:0"])
        token.cancel()
    }

    @Test func `a binding keeps neither end alive`() {
        weak var source: ViewModel?
        weak var target: Label?
        var token: ObservationToken?
        do {
            let viewModel = ViewModel()
            let label = Label()
            source = viewModel
            target = label
            token = viewModel.bind(\.navigationTitle, to: label, at: \.title)
        }
        #expect(source == nil && target == nil)
        #expect(token?.isActive == false)
        token = nil
    }

    @Test func `a binding ends with its target`() {
        let viewModel = ViewModel()
        var label: Label? = Label()
        let token = label.map { viewModel.bind(\.navigationTitle, to: $0, at: \.text) }
        label = nil
        viewModel.navigationTitle = "one"
        #expect(token?.isActive == false)
    }

    @Test func `chained bindings run before observers are notified`() {
        let first = ViewModel()
        let second = ViewModel()
        let third = ViewModel()
        let observer = third.observe({ "\(first.seconds) \(second.seconds) \($0.seconds)" }) { heard($0) }
        let tokens = [
            second.bind({ $0.seconds + 1 }, to: third, at: \.seconds),
            first.bind({ $0.seconds + 1 }, to: second, at: \.seconds),
        ]
        _ = heard.popAll()
        first.seconds = 10
        #expect(heard.popAll() == ["10 11 12"])
        withExtendedLifetime((observer, tokens)) {}
    }

    @Test func `a binding follows a path, and does not revert other assignments`() {
        let theater = Theater(PlaybackController(Player("Alien")))
        let label = Label()
        let token = theater.bind(\.playbackController?.player?.videoTitle, to: label, at: \.text)
        #expect(label.text == "Alien")
        label.text = "mine"
        theater.playbackController?.player?.position = 7
        #expect(label.text == "mine")
        theater.playbackController?.player = Player("Brazil")
        #expect(label.text == "Brazil")
        theater.playbackController = nil
        #expect(label.text == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `a two-way binding copies in both directions`() {
        let model = Person("Ada", "Lovelace")
        let view = Person("", "")
        let observers = [
            model.observe(\.firstName) { heard("model", $0) },
            view.observe(\.firstName) { heard("view", $0) },
        ]
        let token = model.bindBothWays(\.firstName, to: view, at: \.firstName)
        #expect(heard.popAll() == ["model: Ada", "view: ", "view: Ada"])
        model.firstName = "Grace"
        view.firstName = "Edsger"
        view.firstName = "Edsger"
        #expect(heard.popAll() == ["model: Grace", "view: Grace", "model: Edsger", "view: Edsger"])
        transaction {
            view.firstName = "view"
            model.firstName = "model"
        }
        #expect(heard.popAll() == ["model: model", "view: model"])
        token.cancel()
        view.firstName = "alone"
        #expect(heard.popAll() == ["view: alone"])
        withExtendedLifetime(observers) {}
    }

    @Test func `in a two-way binding the source wins if a path leads through another model`() {
        final class Form: ObservableModel {
            let observationStore = ObservationStore()
            @Published var person: Person
            init(_ person: Person) { self.person = person }
        }
        let field = Person("field", "")
        let form = Form(Person("form", ""))
        let token = field.bindBothWays(\.firstName, to: form, at: \.person.firstName)
        #expect(form.person.firstName == "field")
        form.person = Person("other", "")
        #expect((field.firstName, form.person.firstName) == ("field", "field"))
        form.person.firstName = "edited"
        #expect((field.firstName, form.person.firstName) == ("edited", "edited"))
        withExtendedLifetime(token) {}
    }

    @Test func `a cycle of bindings that never agrees stops`() {
        let a = ViewModel()
        let b = ViewModel()
        let tokens = [
            a.bind({ $0.seconds + 1 }, to: b, at: \.seconds),
            b.bind({ $0.seconds + 1 }, to: a, at: \.seconds),
        ]
        a.seconds = 1_000_000
        #expect(a.seconds > 1_000_000 && a.seconds < 1_001_000)
        tokens[1].cancel()
        a.seconds = 5
        #expect(b.seconds == 6)
        withExtendedLifetime(tokens) {}
    }
}
