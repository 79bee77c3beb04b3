// SPDX-License-Identifier: MIT
// The declarations that Swift examples in articles and comments take for granted. Independent of the examples.

/// Swift source text around an example.
enum ExampleFixtures {
    /// Types.
    static let types = """
        import Dispatch
        import ObserveCore
        import Observation

        final class Person: ObservableModel {
            let observationStore = ObservationStore()
            @Published var firstName = ""
            @Published var lastName = ""
        }
        final class Package: ObservableModel {
            let observationStore = ObservationStore()
            @Published var recipient = Person()
            @Published var contents: [String] = []
        }
        final class ViewModel: ObservableModel {
            let observationStore = ObservationStore()
            @Published var navigationTitle = ""
            @Published var recipientFirstName = ""
            @Published var summary = ""
        }
        final class NavigationItem { var title = "" }
        final class Label { var text = "" }
        final class Player: CreatableModel {
            let observationStore = ObservationStore()
            @Published var videoTitle = ""
            @Published var position = 0
        }
        final class PlaybackController: ObservableModel {
            let observationStore = ObservationStore()
            @Published var player: Player?
        }
        final class Root: ObservableModel {
            let observationStore = ObservationStore()
            @Published var playbackController: PlaybackController?
            @Published var firstName = ""
            @Published var lastName = ""
            @Published var volume = 0.5
        }

        """

    /// The variables of a function.
    static let locals = """
        let viewModel = ViewModel(), navigationItem = NavigationItem(), package = Package(), label = Label(), person = Person()
        let root = Root(), player = Player(), daemon = try DaemonClient()
        var tokens: [ObservationToken] = []

        """
}
