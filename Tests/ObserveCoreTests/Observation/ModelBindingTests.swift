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

    private let told = Heard()

    @Test func `a view is bound to its view model, until its tokens are released`() {
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

    @Test func `observing calls at once and after each change`() {
        let viewModel = ViewModel()
        let token = viewModel.observe(\.timeLabelText) { told($0) }
        viewModel.seconds = 1
        viewModel.seconds = 1
        viewModel.seconds = 60
        #expect(told.take() == ["0:0", "0:1", "1:0"])
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

    @Test func `bindings run before anybody is told, through as many as there are`() {
        let first = ViewModel()
        let second = ViewModel()
        let third = ViewModel()
        let observer = third.observe({ "\(first.seconds) \(second.seconds) \($0.seconds)" }) { told($0) }
        let tokens = [
            second.bind({ $0.seconds + 1 }, to: third, at: \.seconds),
            first.bind({ $0.seconds + 1 }, to: second, at: \.seconds),
        ]
        _ = told.take()
        first.seconds = 10
        #expect(told.take() == ["10 11 12"])
        withExtendedLifetime((observer, tokens)) {}
    }

    @Test func `a binding follows a path, and does not revert what others assign`() {
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

    @Test func `two ways`() {
        let model = Person("Ada", "Lovelace")
        let view = Person("", "")
        let observers = [
            model.observe(\.firstName) { told("model", $0) }, view.observe(\.firstName) { told("view", $0) },
        ]
        let token = model.bindBothWays(\.firstName, to: view, at: \.firstName)
        #expect(told.take() == ["model: Ada", "view: ", "view: Ada"])
        model.firstName = "Grace"
        view.firstName = "Edsger"
        view.firstName = "Edsger"
        #expect(told.take() == ["model: Grace", "view: Grace", "model: Edsger", "view: Edsger"])
        transaction {
            view.firstName = "view"
            model.firstName = "model"
        }
        #expect(told.take() == ["model: model", "view: model"])
        token.cancel()
        view.firstName = "alone"
        #expect(told.take() == ["view: alone"])
        withExtendedLifetime(observers) {}
    }

    @Test func `two ways: where a path leads through another model, the source wins`() {
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

    @Test func `a cycle of bindings that never agrees is cut`() {
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
    }
}
