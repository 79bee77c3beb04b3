// SPDX-License-Identifier: MIT
// A program's model in a daemon: after writes on both sides, both have the daemon's values.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct PublicationTests {
    final class Track: CreatableModel {
        let observationStore = ObservationStore()
        @Published var title = "untitled"
        @Published var seconds = 0
        @Published var next: Track?
        init() {}
    }

    final class Jukebox: ObservableModel {
        let observationStore = ObservationStore()
        @Published var volume: Int8 = 3
        @Published var track: Track?
        @Published var queue: [Track] = []
        @Published var tags: [String] = []
    }

    /// The state on the program's queue.
    final class Program: Sendable {
        let queue = DispatchQueue(label: "test.program")
        private let state: Confined<State>

        final class State {
            let jukebox = Jukebox()
            var publication: Publication?
            var received: [String] = []
            var token: ObservationToken?
            /// Writes at random, by a seed.
            var random = SeededGenerator(seed: 1)
        }

        init() { state = Confined(State(), on: queue) }

        // The model's observers end on the queue, which may be at work.
        deinit {
            queue.sync {
                state.withObject { state in
                    state.token = nil
                    state.publication = nil
                }
            }
        }

        func run<R: Sendable>(_ body: (State) throws -> R) throws -> R {
            try queue.sync { Result { try state.withObject { try body($0) } } }.get()
        }

        func publish(at path: String) throws {
            try run {
                $0.publication = try ObserveCore.publish(
                    $0.jukebox,
                    at: "jukebox",
                    socket: path,
                    queue: queue
                )
            }
        }

        /// Waits until the publication has that problem.
        func wait(for problem: String) throws {
            let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
            while MonotonicTime.now < deadline {
                if try run({ $0.publication?.problem == problem }) { return }
            }
            throw TookTooLong(what: "\(problem), not \(try run { $0.publication?.problem ?? "nil" })")
        }

        /// Waits until both sides are equal and no answer is pending.
        func synchronize() throws {
            let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
            while MonotonicTime.now < deadline {
                if try run({ $0.publication?.isUpToDate == true }) { return }
            }
            throw TookTooLong(what: "publishing")
        }
    }

    @Test func `a model appears, synchronizes both ways, and disappears with the program`() async throws {
        let server = try TestServer([("other", "{}")])
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.run { state in
            let track = Track()
            track.title = "One"
            state.jukebox.track = track
            state.token = state.jukebox.observe(\.track?.title) { [unowned state] in
                state.received.append($0 ?? "nil")
            }
        }
        try program.publish(at: server.path)
        try program.synchronize()
        #expect(
            try await client.get("jukebox", as: Value.self)
                == [
                    "volume": 3, "track": ["title": "One", "seconds": 0, "next": nil], "queue": [],
                    "tags": [],
                ]
        )
        var titles = client.values(of: "jukebox.track.title", as: String?.self).makeAsyncIterator()
        #expect(try await titles.next() == "One")
        try program.run { $0.jukebox.track?.title = "Two" }
        #expect(try await titles.next() == "Two")
        try await client.set("jukebox.track.title", to: "Three")
        try await client.set("jukebox.track", to: ["title": "Four"])
        // Properties that the object does not have get the defaults of new tracks, in the daemon too. The
        // program completes the object once it hears of it, so the daemon has both in turn.
        var tracks = client.values(of: "jukebox.track", as: Value.self).makeAsyncIterator()
        let completed: Value = ["title": "Four", "seconds": 0, "next": nil]
        var track = try await tracks.next()
        while let present = track, present != completed { track = try await tracks.next() }
        #expect(track == completed)
        var volumes = client.values(of: "jukebox.volume", as: Value.self).makeAsyncIterator()
        #expect(try await volumes.next() == 3)
        try await client.set("jukebox.volume", to: 1000)
        #expect(try await volumes.next() == 1000)
        // The program's value fits its type; the daemon gets it back.
        #expect(try await volumes.next() == 3)
        try program.synchronize()
        #expect(try program.run { $0.received } == ["One", "Two", "Three", "Four"])
        try program.run { $0.publication = nil }
        let peer = try server.connect()
        try server.wait("the end of the publication", with: peer) { $0["connections"] == 2 }
        #expect(try await client.get("jukebox", as: Value.self) == nil)
    }

    @Test func `a value that the program refuses is restored in the daemon`() async throws {
        let server = try TestServer([("other", "{}")])
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.publish(at: server.path)
        try program.synchronize()
        var volumes = client.values(of: "jukebox.volume", as: Value.self).makeAsyncIterator()
        #expect(try await volumes.next() == 3)
        try await client.set("jukebox.volume", to: "loud")
        #expect(try await volumes.next() == "loud")
        #expect(try await volumes.next() == 3)
        try await client.remove("jukebox")
        var roots = client.changes(of: "jukebox").makeAsyncIterator()
        var last: Value? = .some(nil)
        while last?["volume"] != 3 { last = try #require(try await roots.next()).new }
        #expect(try program.run { $0.jukebox.volume } == 3)
    }

    @Test func `an object with a member that the class lacks becomes a model without it`() async throws {
        let server = try TestServer([("other", "{}")])
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.publish(at: server.path)
        try program.synchronize()
        func track(_ title: String) -> Value { ["title": .string(title), "seconds": 0, "next": nil] }
        func box(_ track: Value, _ queue: [Value] = []) -> Value {
            ["volume": 3, "track": track, "queue": .array(queue), "tags": []]
        }
        func expectBoth(_ value: Value) async throws {
            #expect(try program.wait(for: value) == value)
            try program.synchronize()
            #expect(try await client.get("jukebox", as: Value.self) == value)
        }
        try await client.set("jukebox.track", to: ["title": "One", "extra": 1] as Value)
        try await expectBoth(box(track("One")))
        try await client.set("jukebox.queue", to: [["title": "a", "extra": 1], ["title": "b"]] as Value)
        try await expectBoth(box(track("One"), [track("a"), track("b")]))
        let third: Value = ["title": "c", "extra": 1]
        try await client.transaction { $0.insert(third, into: "jukebox.queue") }
        try await expectBoth(box(track("One"), [track("a"), track("b"), track("c")]))
        try await client.set("jukebox.track", to: nil as Value)
        try await expectBoth(box(nil, [track("a"), track("b"), track("c")]))
        try await client.set("jukebox", to: box(["title": "Two", "next": ["title": "Three", "extra": []]]))
        try await expectBoth(box(["title": "Two", "seconds": 0, "next": track("Three")]))
    }

    @Test func `the model appears again after a restart of the daemon`() async throws {
        let server = try TestServer([("other", "{}")])
        let relay = try Relay(to: server.path)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.publish(at: relay.path)
        try program.synchronize()
        var volumes = client.values(of: "jukebox.volume", as: Int?.self).makeAsyncIterator()
        #expect(try await volumes.next() == 3)
        relay.cut()
        #expect(try await volumes.next() == .some(nil))
        try program.run { $0.jukebox.volume = 5 }
        relay.resume()
        #expect(try await volumes.next() == 5)
        try program.synchronize()
        try await client.set("jukebox.volume", to: 6)
        try program.run { $0.jukebox.volume = 7 }
        #expect(try await volumes.next() == 6)
        #expect(try await volumes.next() == 7)
    }

    @Test func `a missing daemon and unsupported types throw`() throws {
        final class Odd: ObservableModel {
            let observationStore = ObservationStore()
            @Published var action: (() -> Void)?
        }
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let program = Program()
        #expect(throws: ClientError.unreachable(.noSocket(folder.path + "/none"))) {
            try program.publish(at: folder.path + "/none")
        }
        #expect(throws: HostingError.self) {
            _ = try program.run { _ in
                _ = try publish(Odd(), at: "odd", socket: folder.path, queue: program.queue)
            }
        }
    }

    @Test func `a publication that fails leaves nothing behind`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let program = Program()
        try program.run { _ in
            weak var former: Jukebox?
            do {
                let jukebox = Jukebox()
                former = jukebox
                _ = try publish(jukebox, at: "j", socket: folder.path + "/none", queue: program.queue)
            } catch {}
            #expect(former == nil)
        }
    }

    @Test func `a model that the daemon refuses is a problem, until it can have the model`() async throws {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 1000
        let server = try TestServer([("other", "{}")], limits: limits)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.run { $0.jukebox.tags = [String(repeating: "x", count: 2000)] }
        try program.publish(at: server.path)
        try program.wait(
            for: "jukebox: a line holds at most 1000 bytes (maxLineBytes); this one was skipped"
        )
        #expect(try program.run { $0.publication?.isUpToDate } == false)
        // Nothing is under way: the daemon hears of the next change alone.
        let requests = try await client.clients().map(\.requests)
        let later = try await client.clients().map(\.requests)
        #expect(later.count == 2 && later.last == requests.last)
        try program.run { $0.jukebox.tags = ["short"] }
        try program.synchronize()
        #expect(try await client.get("jukebox.tags", as: [String].self) == ["short"])
    }

    @Test func `a value that is too large for an answer is a problem, and the program keeps it`() async throws
    {
        let server = try TestServer([("other", "{}")])
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        let large = [String](repeating: String(repeating: "x", count: 40_000), count: 40)
        let text = "renders to more than 1048576 bytes (maxRenderedBytes) or 64 levels (maxDepth)"
        try program.run { $0.jukebox.tags = large }
        try program.publish(at: server.path)
        try program.wait(for: "jukebox: \(text)")
        try program.run { $0.jukebox.tags = [] }
        try program.synchronize()
        try program.run { $0.jukebox.tags = large }
        try program.wait(for: "jukebox.tags: \(text)")
        try program.run { $0.jukebox.volume = 4 }
        #expect(try program.run { $0.jukebox.tags } == large)
        try program.run { $0.jukebox.tags.removeLast(39) }
        try program.synchronize()
        #expect(try await client.get("jukebox.volume", as: Int.self) == 4)
        #expect(try await client.get("jukebox.tags", as: [String].self).count == 1)
    }

    @Test(arguments: seeds(6))
    func `both sides write at random and end equal`(seed: UInt64) async throws {
        let server = try TestServer([("other", "{}")])
        let peer = try server.connect()
        let program = Program()
        try program.run { $0.random = SeededGenerator(seed: seed) }
        try program.publish(at: server.path)
        try program.synchronize()
        var random = SeededGenerator(seed: seed &+ 1000)
        for _ in 0..<20 {
            // Both sides write concurrently.
            async let swift: Void = try program.run { state in for _ in 0..<10 { state.writeAtRandom() } }
            for number in 0..<10 { try peer.send(Self.randomRequest(number, &random)) }
            for _ in 0..<10 { _ = try peer.line() }
            try await swift
            try program.synchronize()
            let there =
                try peer.ask(#"{"id":0,"method":"get","params":{"path":"jukebox"}}"#)["result"]?["value"]
                ?? .null
            // The answer follows all commits; the program may still have events to read.
            let here = try program.wait(for: there)
            #expect(here == there, "seed \(seed)")
            if here != there { return }
        }
    }

    private static func randomRequest(_ number: Int, _ random: inout SeededGenerator) -> String {
        let tracks = ["jukebox.track", "jukebox.queue.0", "jukebox.queue.1", "jukebox.track.next"]
        let track = tracks.randomElement(using: &random) ?? ""
        let value = Int.random(in: 0..<9, using: &random)
        let (method, params): (String, String) =
            switch Int.random(in: 0..<9, using: &random) {
            case 0: ("set", #""path":"jukebox.volume","value":\#(value)"#)
            case 1: ("set", #""path":"\#(track).title","value":"there \#(value)""#)
            case 2:
                (
                    "set",
                    #""path":"jukebox.track","value":{"title":"new there","seconds":\#(value),"next":null}"#
                )
            case 3:
                (
                    "set",
                    #""path":"jukebox.track.next","value":{"title":"next there","seconds":1,"next":null}"#
                )
            case 4:
                (
                    "insert",
                    #""path":"jukebox.queue","index":0,"value":{"title":"q","seconds":\#(value),"next":null}"#
                )
            case 5: ("remove", #""path":"jukebox.queue.0""#)
            case 6: ("insert", #""path":"jukebox.tags","value":"t\#(value)""#)
            case 7: ("set", #""path":"jukebox.track","value":null"#)
            default: ("set", #""path":"jukebox.tags","value":["a","b"]"#)
            }
        return #"{"id":\#(number),"method":"\#(method)","params":{\#(params)}}"#
    }
}

extension PublicationTests.Program.State {
    func writeAtRandom() {
        let tracks = [jukebox.track, jukebox.queue.first, jukebox.queue.last, jukebox.track?.next].compactMap(
            \.self
        )
        let value = Int.random(in: 0..<9, using: &random)
        let fresh = PublicationTests.Track()
        fresh.title = "here \(value)"
        switch Int.random(in: 0..<9, using: &random) {
        case 0: jukebox.volume = Int8(value)
        case 1: tracks.randomElement(using: &random)?.title = "here \(value)"
        case 2: jukebox.track = fresh
        case 3: jukebox.track?.next = fresh
        case 4: jukebox.queue.append(fresh)
        case 5: if !jukebox.queue.isEmpty { jukebox.queue.removeLast() }
        case 6: if let track = tracks.randomElement(using: &random) { jukebox.queue = [track] }
        case 7: jukebox.track = nil
        default:
            transaction {
                jukebox.tags.append("here")
                jukebox.volume = Int8(value)
                tracks.randomElement(using: &random)?.seconds = value
            }
        }
    }

    var value: Value {
        [
            "volume": .int(Int64(jukebox.volume)), "track": value(of: jukebox.track),
            "queue": .array(jukebox.queue.map { value(of: $0) }), "tags": jukebox.tags.modelValue,
        ]
    }

    private func value(of track: PublicationTests.Track?) -> Value {
        guard let track else { return nil }
        return [
            "title": .string(track.title), "seconds": .int(Int64(track.seconds)),
            "next": value(of: track.next),
        ]
    }
}

extension PublicationTests.Program {
    /// The model as a value, once it equals `wanted`, or at the timeout.
    func wait(for wanted: Value) throws -> Value {
        let deadline = MonotonicTime.now.adding(milliseconds: 10_000)
        while true {
            let value = try run { $0.value }
            if value == wanted || MonotonicTime.now > deadline { return value }
        }
    }
}
