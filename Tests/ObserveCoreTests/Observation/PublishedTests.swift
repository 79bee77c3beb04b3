// SPDX-License-Identifier: MIT
// "Published properties in Swift": `@Published`, its projection, tokens, and notifying after the change.

import ObserveCore
import Testing

@Suite struct PublishedTests {
    private enum State: Equatable {
        case isLoading
        case failed(String)
        case loaded(String)
    }

    private final class ProfileViewModel: ObservableModel {
        let observationStore = ObservationStore()
        @Published private(set) var state = State.isLoading
        @Published var visits = 0

        func load(_ name: String) { state = .loaded(name) }
        func fail(_ why: String) { state = .failed(why) }
    }

    private let heard = Heard()

    @Test func `a view controller renders each state after it was assigned`() {
        final class ProfileViewController {
            let viewModel: ProfileViewModel
            private var token: ObservationToken?
            let heard: Heard

            init(_ viewModel: ProfileViewModel, _ heard: Heard) {
                self.viewModel = viewModel
                self.heard = heard
            }

            func viewDidLoad() {
                token = viewModel.$state.observe { [weak self] state in self?.render(state) }
            }

            private func render(_ state: State) { heard("\(state), \(viewModel.state)") }
        }
        let viewModel = ProfileViewModel()
        var controller: ProfileViewController? = ProfileViewController(viewModel, heard)
        controller?.viewDidLoad()
        viewModel.load("Ada")
        viewModel.fail("offline")
        controller = nil
        viewModel.load("Grace")
        #expect(
            heard.popAll() == [
                "isLoading, isLoading", #"loaded("Ada"), loaded("Ada")"#,
                #"failed("offline"), failed("offline")"#,
            ]
        )
    }

    @Test func `a projection publishes every assignment, equal values too`() {
        let viewModel = ProfileViewModel()
        let token = viewModel.$visits.observe { heard($0) }
        viewModel.visits = 1
        viewModel.visits = 1
        viewModel.visits += 1
        viewModel.load("Ada")
        #expect(heard.popAll() == ["0", "1", "1", "2"])
        withExtendedLifetime(token) {}
    }

    @Test func `observers are notified in the order in which they began`() {
        let viewModel = ProfileViewModel()
        var tokens = (0..<5).map { number in viewModel.$visits.dropFirst().observe { heard("\(number)", $0) }
        }
        viewModel.visits = 1
        #expect(heard.popAll() == ["0: 1", "1: 1", "2: 1", "3: 1", "4: 1"])
        tokens.remove(at: 2).cancel()
        tokens.insert(viewModel.$visits.dropFirst().observe { heard("new", $0) }, at: 0)
        viewModel.visits = 2
        #expect(heard.popAll() == ["0: 2", "1: 2", "3: 2", "4: 2", "new: 2"])
    }

    @Test func `observers that moved with a path keep their order`() {
        let alien = Player("Alien")
        let brazil = Player("Brazil")
        let controller = PlaybackController(alien)
        var tokens: [ObservationToken] = []
        controller.observe(\.player?.videoTitle) { heard("first", $0 as Any) }.store(in: &tokens)
        brazil.observe(\.videoTitle) { heard("second", $0) }.store(in: &tokens)
        controller.observe(\.player?.videoTitle) { heard("third", $0 as Any) }.store(in: &tokens)
        _ = heard.popAll()
        controller.player = brazil
        brazil.videoTitle = "Brazil (1985)"
        #expect(
            heard.popAll() == [
                "first: Brazil", "third: Brazil", "first: Brazil (1985)", "second: Brazil (1985)",
                "third: Brazil (1985)",
            ]
        )
    }

    @Test func `objectWillChange notifies before each assignment`() {
        let viewModel = ProfileViewModel()
        let token = viewModel.objectWillChange.observe { heard("\(viewModel.state), \(viewModel.visits)") }
        let after = viewModel.observe(\.visits) { heard("after", $0) }
        viewModel.visits = 1
        viewModel.visits += 1
        viewModel.load("Ada")
        viewModel.objectWillChange.send()
        token.cancel()
        viewModel.visits = 3
        #expect(
            heard.popAll() == [
                "after: 0", "isLoading, 0", "after: 1", "isLoading, 1", "after: 2", "isLoading, 2",
                #"loaded("Ada"), 2"#, "after: 3",
            ]
        )
        withExtendedLifetime(after) {}
    }

    @Test func `a token ends its observation when cancelled or released`() {
        let viewModel = ProfileViewModel()
        var array: [ObservationToken] = []
        var set: Set<ObservationToken> = []
        viewModel.$visits.dropFirst().observe { heard("array", $0) }.store(in: &array)
        viewModel.$visits.dropFirst().observe { heard("set", $0) }.store(in: &set)
        var token: ObservationToken? = viewModel.$visits.dropFirst().observe { heard("one", $0) }
        viewModel.visits = 1
        #expect(heard.popAll() == ["array: 1", "set: 1", "one: 1"])
        token = nil
        array = []
        viewModel.visits = 2
        #expect(heard.popAll() == ["set: 2"])
        set = []
        viewModel.visits = 3
        #expect(heard.popAll() == [])
        #expect(token == nil)
    }

    @Test func `a closure is released when its token is cancelled`() {
        let viewModel = ProfileViewModel()
        weak var captured: Heard?
        let token: ObservationToken
        do {
            let strong = Heard()
            captured = strong
            token = viewModel.observe(\.visits) { strong($0) }
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
    }

    @Test func `a hundred thousand observers are added and removed in constant time each`() {
        let viewModel = ProfileViewModel()
        var count = 0
        var tokens: [ObservationToken?] = (0..<100_000).map { _ in
            viewModel.$visits.dropFirst().observe { _ in count += 1 }
        }
        viewModel.visits = 1
        #expect(count == 100_000)
        // Removing from the middle, the front and the back: were one of them linear, this would take minutes.
        for index in stride(from: 1, to: 100_000, by: 2) { tokens[index] = nil }
        for index in stride(from: 99_998, to: 50_000, by: -2) { tokens[index]?.cancel() }
        viewModel.visits = 2
        #expect(count == 125_001)
        tokens = []
        viewModel.visits = 3
        #expect(count == 125_001)
    }

    @Test func `subclasses inherit published properties`() {
        class Base: ObservableModel {
            let observationStore = ObservationStore()
            @Published var name = "base"
            var label: String { name }
        }
        class Derived: Base {
            @Published var suffix = "!"
            override var label: String { name + suffix }
            override var name: String {
                get { super.name.uppercased() }
                set { super.name = newValue }
            }
        }
        let derived = Derived()
        let token = derived.observe(\.label, options: [.initial, .new]) { heard.change($0) }
        derived.name = "x"
        derived.suffix = "?"
        #expect(
            heard.popAll() == [
                "initial BASE!", "valueChanged X! at Derived.name", "valueChanged X? at Derived.suffix",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `small and large values can be changed in place`() {
        final class Sizes: ObservableModel {
            let observationStore = ObservationStore()
            @Published var flag = false
            @Published var other = true
            @Published var byte: UInt8 = 1
            @Published var large = (1, 2.0, "three", [4])
            @Published var nothing: Void = ()
            @Published var names: [String: [Int]] = [:]
        }
        let sizes = Sizes()
        let token = sizes.observe({ "\($0.flag) \($0.other) \($0.byte) \($0.large) \($0.names["a"] ?? [])" })
        {
            heard($0)
        }
        sizes.flag.toggle()
        sizes.other.toggle()
        sizes.byte &+= 255
        sizes.large.2 = "drei"
        sizes.names["a", default: []].append(7)
        #expect(
            heard.popAll() == [
                #"false true 1 (1, 2.0, "three", [4]) []"#, #"true true 1 (1, 2.0, "three", [4]) []"#,
                #"true false 1 (1, 2.0, "three", [4]) []"#, #"true false 0 (1, 2.0, "three", [4]) []"#,
                #"true false 0 (1, 2.0, "drei", [4]) []"#, #"true false 0 (1, 2.0, "drei", [4]) [7]"#,
            ]
        )
        withExtendedLifetime(token) {}
    }
}
