// SPDX-License-Identifier: MIT
// A Swift model that follows a daemon's: values, re-binding, assignments, refusals and lost connections.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ModelMirrorTests {
    final class Track: CreatableModel {
        let observationStore = ObservationStore()
        @Published var title = "untitled"
        @Published var seconds = 0
        init() {}
    }

    final class Player: CreatableModel {
        let observationStore = ObservationStore()
        @Published var videoTitle: String?
        @Published var position: Int8 = 0
        @Published var track: Track?
        @Published var queue: [Track] = []
        @Published var tags: [String] = []
        @Published var mine = "mine"
        init() {}

        var summary: String {
            "\(videoTitle ?? "nil") \(position) \(track?.title ?? "nil") \(queue.map(\.title))"
        }
    }

    /// The state on the program's queue.
    final class Program: Sendable {
        let queue = DispatchQueue(label: "test.program")
        private let state: Confined<State>

        final class State {
            var mirror: ModelMirror<Player>?
            var heard: [String] = []
            var tokens: [ObservationToken] = []
            var player: Player { mirror?.model ?? Player() }
        }

        init() { state = Confined(State(), on: queue) }

        // The models' observers end on the queue, which may be at work.
        deinit {
            queue.sync {
                state.withObject { state in
                    state.tokens = []
                    state.mirror = nil
                }
            }
        }

        func run<R: Sendable>(_ body: (State) throws -> R) throws -> R {
            try queue.sync { Result { try state.withObject { try body($0) } } }.get()
        }

        func mirror(_ client: DaemonClient, at path: String) throws {
            try run { state in
                state.mirror = try client.mirror(Player.self, at: path, queue: queue)
                state.tokens = [state.player.observe(\.summary) { [unowned state] in state.heard.append($0) }]
            }
        }

        /// Waits until the mirror is in that state.
        func wait(for wanted: MirrorState = .current, _ isReady: (State) -> Bool = { _ in true }) throws {
            let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
            while MonotonicTime.now < deadline {
                if try run({ $0.mirror?.state == wanted && isReady($0) }) { return }
            }
            let state = try run { "\(String(describing: $0.mirror?.state)) \($0.heard)" }
            throw TookTooLong(what: "a mirror that is \(wanted), not \(state)")
        }

        func popHeard() throws -> [String] {
            try run { state in
                defer { state.heard = [] }
                return state.heard
            }
        }
    }

    private static let roots = [
        (
            "app",
            #"{"player":{"videoTitle":"Alien","position":7,"more":true,"track":{"title":"One","seconds":1,"extra":[]},"#
                + #""queue":[{"title":"a","x":1}],"tags":["t"]},"other":{"videoTitle":"Brazil","position":8}}"#
        )
    ]

    @Test func `a mirror has the daemon's values, also of the path's next model`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        #expect(try program.popHeard() == ["nil 0 nil []", #"Alien 7 One ["a"]"#])
        let first = try program.run { ObjectIdentifier($0.player) }
        try await client.transaction {
            $0.set("app.player.videoTitle", to: "Aliens")
            $0.set("app.player.position", to: 9)
            $0.insert(["title": "b"] as Value, into: "app.player.queue")
        }
        try program.wait { $0.player.position == 9 }
        // One commit there is one change here.
        #expect(try program.popHeard() == [#"Aliens 9 One ["a", "b"]"#])
        try await client.set(
            "app.player",
            to: ["videoTitle": "Metropolis", "track": ["title": "Two"]] as Value
        )
        try program.wait { $0.player.videoTitle == "Metropolis" }
        try await client.link("app.player", to: "app.other")
        try program.wait { $0.player.videoTitle == "Brazil" }
        try await client.set("app.other.videoTitle", to: "Brazil (1985)")
        try program.wait { $0.player.videoTitle == "Brazil (1985)" }
        #expect(try program.run { ObjectIdentifier($0.player) } == first)
        #expect(try program.run { $0.player.mine } == "mine")
        // The mirror wrote nothing.
        #expect(
            try await client.get("app.other", as: Value.self) == [
                "videoTitle": "Brazil (1985)", "position": 8,
            ]
        )
    }

    @Test func `a mirror says that it is behind until the daemon has an assignment`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.run { state in
            guard let mirror = state.mirror else { return }
            state.tokens = []
            state.tokens = [
                mirror.observe(\.state) { [unowned state] in state.heard.append("\($0)") },
                mirror.observe(\.state) { [unowned state] new in
                    if new == .current, state.player.position == 7 { state.player.position = 8 }
                },
            ]
        }
        try program.wait { $0.player.position == 8 }
        let states = try program.popHeard()
        #expect(states.suffix(3) == ["current", "behind", "current"])
        #expect(try await client.get("app.player.position", as: Int.self) == 8)
    }

    @Test func `assignments go to the daemon, and its refusals come back`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        try program.run { state in
            transaction {
                state.player.position = 50
                state.player.track?.title = "here"
                state.player.tags.append("here")
            }
        }
        try program.wait()
        #expect(try await client.get("app.player.position", as: Int.self) == 50)
        #expect(try await client.get("app.player.track.title", as: String.self) == "here")
        #expect(try await client.get("app.player.tags", as: [String].self) == ["t", "here"])
        // A model there keeps the properties that the class does not have.
        #expect(try await client.get("app.player.track.extra", as: Value.self) == [])
        try program.run { $0.player.queue = [] }
        try program.wait()
        #expect(try await client.get("app.player.queue", as: Value.self) == [])
    }

    @Test func `a value that the Swift model can't hold is named, and stays in the daemon`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        try await client.set("app.player.position", to: 1000)
        let problem = "app.player.position: expected Int8, found 1000"
        try program.wait(for: .failing(problem))
        #expect(try program.run { $0.player.position } == 7)
        #expect(try await client.get("app.player.position", as: Int.self) == 1000)
        try await client.set("app.player.position", to: 10)
        try program.wait { $0.player.position == 10 }
    }

    @Test func `a value that is too large for an event is named, until one has a value`() async throws {
        var limits = ServerLimits()
        limits.tree.maxRenderedBytes = 500
        let server = try TestServer(Self.roots, limits: limits)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        let text = "renders to more than 500 bytes (maxRenderedBytes) or 64 levels (maxDepth)"
        try await client.set("app.player.tags", to: [String(repeating: "x", count: 600)])
        try program.wait(for: .failing("app.player.tags: \(text)"))
        try await client.set("app.player.position", to: 8)
        try program.wait(for: .failing("app.player.tags: \(text)")) { $0.player.position == 8 }
        #expect(try program.run { $0.player.tags } == ["t"])
        try await client.transaction { $0.insert("y", into: "app.player.tags") }
        try await client.remove("app.player.tags.0")
        try program.wait { $0.player.tags == ["y"] }
        try await client.set("app.player.videoTitle", to: String(repeating: "x", count: 400))
        try program.mirror(client, at: "app.player")
        try program.wait(for: .failing("app.player: \(text)"))
        try await client.set("app.player.videoTitle", to: "Brazil")
        try program.wait { $0.player.videoTitle == "Brazil" }
    }

    @Test func `a path may lead to no model, now or later`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.missing.player")
        try program.wait(for: .absent)
        try await client.set("app.missing", to: ["player": ["videoTitle": "Alien"]] as Value)
        try program.wait { $0.player.videoTitle == "Alien" }
        try await client.remove("app.missing")
        try program.wait(for: .absent)
        try await client.remove("app")
        try program.wait(for: .absent)
        #expect(try program.run { $0.player.videoTitle } == "Alien")
        try await client.set("app", to: ["missing": ["player": ["videoTitle": "Brazil"]]] as Value)
        try program.wait { $0.player.videoTitle == "Brazil" }
    }

    @Test(arguments: ["app.*", "*", "app.**"])
    func `a mirror of a pattern is refused`(path: String) async throws {
        let server = try TestServer(Self.roots)
        let program = Program()
        let client = try DaemonClient(socket: server.path)
        try program.mirror(client, at: path)
        let text = "is a pattern: a mirror follows one path; a name that is a star is written \\*"
        try program.wait(for: .failing("\(path) \(text)"))
        try program.run { $0.player.videoTitle = "Brazil" }
        try program.wait(for: .failing("\(path) \(text)"))
        // The mirror has sent nothing.
        var requests: [UInt64] = []
        while requests.count < 2 { requests = try await client.clients().map(\.requests) }
        #expect(requests.min() == 0)
    }

    @Test func `a mirror is behind without a connection, and continues afterwards`() async throws {
        let server = try TestServer(Self.roots)
        let relay = try Relay(to: server.path)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(try DaemonClient(socket: relay.path), at: "app.player")
        try program.wait()
        relay.cut()
        try program.wait(for: .behind)
        try program.run { $0.player.position = 1 }
        try await client.set("app.player.videoTitle", to: "Brazil")
        relay.resume()
        try program.wait { $0.player.videoTitle == "Brazil" }
        // The daemon's value wins.
        #expect(try program.run { $0.player.position } == 7)
    }

    @Test func `a mirror that ends leaves both models`() async throws {
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        let player = try program.run { state in
            weak let mirror = state.mirror
            nonisolated(unsafe) let player = state.player
            state.mirror = nil
            #expect(mirror == nil)
            return Confined(unsafe player, on: program.queue)
        }
        let peer = try server.connect()
        try server.wait("the end of the mirror", with: peer) { $0["connections"] == 2 }
        try await client.set("app.player.position", to: 1)
        #expect(program.queue.sync { player.withObject { $0.position } } == 7)
    }

    @Test func `a mirror that was ended is behind`() throws {
        let server = try TestServer(Self.roots)
        let program = Program()
        try program.mirror(try DaemonClient(socket: server.path), at: "app.player")
        try program.wait()
        try program.run { $0.mirror?.end() }
        try program.wait(for: .behind)
    }

    @Test func `a missing daemon, a refused path and unsupported types are errors`() async throws {
        final class Odd: CreatableModel {
            let observationStore = ObservationStore()
            @Published var action: (() -> Void)?
            init() {}
        }
        let server = try TestServer(Self.roots)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app..player")
        let isFailing = { (state: Program.State) in
            if case .failing = state.mirror?.state { true } else { false }
        }
        let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
        while try !program.run(isFailing), MonotonicTime.now < deadline {}
        #expect(try program.run(isFailing))
        #expect(throws: HostingError.self) {
            _ = try program.run { _ in _ = try client.mirror(Odd.self, at: "app", queue: program.queue) }
        }
    }
}
