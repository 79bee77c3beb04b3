// SPDX-License-Identifier: MIT
// Types that lead to objects with `@Observable`, and types of all kinds that do not.

import Glibc
import Synchronization
import Testing

@testable import ObserveModels

struct ToolchainSearchTests {
    enum Plain { case first, second }
    indirect enum Tree { case leaf(Settings), node(Tree, Tree) }
    enum Empty {}

    struct Pair<Left, Right> {
        let left: Left
        let right: Right
    }

    class Base {
        var title = ""
        unowned let owner: Film
        init(_ owner: Film) { self.owner = owner }
    }

    final class Themed: Base {
        lazy var theme = Theme("dark")
    }

    actor Counter { var count = 0 }

    @Test func `these types lead to the toolchain's objects`() {
        let types: [any Any.Type] = [
            Settings.self, Settings?.self, [String: [Settings?]].self, Tree.self, Pair<Int, Theme>.self,
            (Int, Settings?).self, Themed.self, AnyObject.self, (any Sendable).self, (any Sequence<Int>).self,
            Result<Int, any Error>.self,
        ]
        for type in types { #expect(ToolchainSearch.finds(type), "\(type)") }
    }

    @Test func `these types lead to none`() {
        let types: [any Any.Type] = [
            Int.self, String?.self, Substring.self, Character.self, [Double].self, Plain.self, Empty?.self,
            Pair<Int, String>.self, (Int, String).self, ((Settings) -> Void).self, Settings.Type.self,
            Any.Type.self, SIMD4<Float>.self, timespec.self, sockaddr_un.self, Film.self, Base.self,
            Counter.self, ContinuousClock.self,
        ]
        for type in types { #expect(!ToolchainSearch.finds(type), "\(type)") }
    }

    /// Types that are no generic arguments, among others, whose fields the search meets.
    final class Everything: ObservableModel {
        let observationStore = ObservationStore()
        @Published var title = ""
        @Published var tree: Tree?
        let lock = Mutex(Plain.first)
        let count = Atomic(1)
        let counter = Counter()
        var task: Task<Int, any Error>?
        var continuation: CheckedContinuation<Int, Never>?
        var closures: [() -> Void] = []
        var descriptors = fd_set()
        var path: AnyKeyPath?
        let clock = ContinuousClock()
    }

    @Test func `a model with variables of all kinds is observed`() {
        let model = Everything()
        let heard = Heard()
        let token = model.observe(\.title) { heard($0) }
        model.title = "Alien"
        #expect(heard.popAll() == ["", "Alien"])
        withExtendedLifetime(token) {}
    }
}
