// SPDX-License-Identifier: MIT
// The Swift client with a real server: values, changes, transactions and lost connections.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct DaemonClientTests {
    enum Shuffle: String, ModelValue { case off, songs }

    private func server() throws -> TestServer {
        try TestServer([("app", #"{"volume":3,"title":"Alien","tags":["a"],"shuffle":"off","player":null}"#)])
    }

    @Test func `values are read and written in Swift types`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        #expect(try await client.get("app.volume", as: Int.self) == 3)
        let first = try await client.set("app.volume", to: 4)
        #expect(first.changed)
        #expect(try await client.set("app.volume", to: 4) == Commit(revision: first.revision, changed: false))
        let volume: Double = try await client.get("app.volume")
        #expect(volume == 4)
        try await client.set("app.shuffle", to: Shuffle.songs)
        #expect(try await client.get("app.shuffle", as: Shuffle.self) == .songs)
        #expect(try await client.get("app.none", as: String?.self) == nil)
        #expect(try await client.get("app.tags", as: [String].self) == ["a"])
        try await client.merge("app", ["title": "Aliens", "tags": nil])
        try await client.set("app.player.next", to: ["title": "x"], parents: true)
        try await client.link("app.again", to: "app.player")
        try await client.remove("app.shuffle")
        #expect(
            try await client.get("app", as: Value.self)
                == [
                    "volume": 4, "title": "Aliens", "player": ["next": ["title": "x"]],
                    "again": ["next": ["title": "x"]],
                ]
        )
        await #expect(throws: ClientError.unexpected(path: "app.title", value: "\"Aliens\"")) {
            try await client.get("app.title", as: Int.self)
        }
        let error = await #expect(throws: ClientError.self) { try await client.set("app.title.x", to: 1) }
        guard case .refused(let refusal) = error else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.code == .typeMismatch && refusal.details?["path"] == "app.title")
    }

    private struct Track: Codable, Equatable {
        var title: String
        var lengths: [String: Int]
    }

    @Test func `Codable values are read, written and followed`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        let track = Track(title: "Alien", lengths: ["a": 1])
        try await client.set("app.player", to: track)
        #expect(try await client.get("app.player", as: Track.self) == track)
        #expect(try await client.get("app.none", as: Track?.self) == nil)
        #expect(try await client.get("app.player.lengths.a", as: Int.self) == 1)
        var seen: [Track?] = []
        for try await found in client.values(of: "app.player", as: Track?.self) {
            seen.append(found)
            if seen.count == 1 {
                try await client.set("app.player", to: Track(title: "Brazil", lengths: [:]))
            }
            if seen.count == 2 { try await client.remove("app.player") }
            if seen.count == 3 { break }
        }
        #expect(seen == [track, Track(title: "Brazil", lengths: [:]), nil])
        try await client.set("app.player", to: ["title": "x", "lengths": ["a.b": "long"]] as Value)
        await #expect(throws: ClientError.unexpected(path: "app.player.lengths.a\\.b", value: "\"long\"")) {
            try await client.get("app.player", as: Track.self)
        }
    }

    @Test func `the daemon's connections have Swift types`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        _ = try await client.call(
            "subscribe",
            ["paths": ["app.volume", "app.*"], "tag": "bar", "initial": false]
        )
        try await client.set("app.volume", to: 4, lifetime: .connection)
        let clients = try await client.clients()
        let own = try #require(clients.first)
        #expect(clients.count == 1 && own.connection == 1 && own.pid == Int(Platform.pid))
        #expect(own.name != nil && own.uid == UInt64(Platform.uid) && own.seconds > 0)
        #expect(
            own.requests == 3 && own.eventsSent == 1 && own.lifetimes == 1 && own.furtherSubscriptions == 0
        )
        #expect(
            own.subscriptions
                == [.init(number: 1, paths: ["app.volume", "app.*"], tag: "bar", eventsSent: 1)]
        )
    }

    @Test func `an explanation has Swift types`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        _ = try await client.call("bind", ["source": "app.volume", "target": "app.copy"])
        try await client.set("app.volume", to: 5)
        try await client.set("app.volume", to: 6, lifetime: .milliseconds(60_000))
        let found = try await client.explain("app.volume")
        let maker = ChangeMaker(
            pid: Int(Platform.pid),
            uid: UInt64(Platform.uid),
            lifetime: nil,
            binding: nil
        )
        #expect(found.path == "app.volume" && found.value == 6 && found.kind == "int" && found.nilAt == nil)
        #expect(found.components.map(\.path) == ["app", "app.volume"])
        #expect(found.components[0].holders == [.init(path: "app", weak: false)])
        #expect(found.lastChange?.revision == found.revision && found.lastChange?.origin == maker)
        #expect(found.lastChange?.time?.hasSuffix("Z") == true)
        #expect(found.feeds == [.binding(1, path: "app.copy")] && found.fedBy.isEmpty)
        #expect(found.observers == .init(exact: 0, below: 0, patterns: 0) && !found.hidden)
        #expect(found.lifetimes.map(\.value) == [6, 5] && found.lifetimes.map(\.origin) == [maker, maker])
        #expect(found.lifetimes.last?.end == .permanent)
        guard case .milliseconds(1...60_000) = found.lifetimes[0].end else {
            Issue.record("the value ends \(found.lifetimes[0].end)")
            return
        }
        let copy = try await client.explain("app.copy")
        #expect(copy.lastChange?.origin?.binding == 1 && copy.fedBy == [.binding(1, path: "app.volume")])
        #expect(try await client.explain("app.none").lastChange == nil)
    }

    @Test func `a transaction is all or nothing`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        let commit = try await client.transaction {
            $0.set("app.title", to: "Brazil")
            $0.increment("app.volume", by: 2)
            $0.insert("b", into: "app.tags")
        }
        #expect(commit.changed)
        #expect(try await client.get("app.tags", as: [String].self) == ["a", "b"])
        await #expect(throws: ClientError.self) {
            try await client.transaction {
                $0.set("app.title", to: "never")
                $0.set("app.volume.x", to: 1)
            }
        }
        #expect(try await client.get("app.title", as: String.self) == "Brazil")
    }

    @Test func `a sequence has the values in order`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        var titles = client.values(of: "app.player.title", as: String?.self).makeAsyncIterator()
        #expect(try await titles.next() == .some(nil))
        try await client.set("app.player", to: ["title": "Alien"])
        try await client.set("app.player.title", to: "Aliens")
        try await client.remove("app.player")
        #expect(try await titles.next() == "Alien")
        #expect(try await titles.next() == "Aliens")
        #expect(try await titles.next() == .some(nil))
        var changes = client.changes(of: "app.*", "app.tags").makeAsyncIterator()
        var paths: [String] = []
        for _ in 0..<4 {
            if let change = try await changes.next() { paths.append("\(change.path) \(change.reason)") }
        }
        // Each path once, though it matches twice.
        let expected = ["app.volume", "app.title", "app.tags", "app.shuffle"].map { "\($0) initial" }
        #expect(paths == expected)
        let numbers = client.values(of: "app.title", as: Int.self)
        await #expect(throws: ClientError.unexpected(path: "app.title", value: "\"Alien\"")) {
            for try await _ in numbers {}
        }
        let refused = client.values(of: "app..x", as: Int?.self)
        await #expect(throws: ClientError.self) { for try await _ in refused {} }
    }

    @Test func `callbacks receive changes and answers`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let token = client.subscribe(to: ["app.volume"]) { result in
            if case .success(let change) = result {
                continuation.yield("\(change.reason) \(change.new ?? .null)")
            }
        }
        var received = stream.makeAsyncIterator()
        #expect(await received.next() == "initial 3")
        client.call("set", ["path": "app.volume", "value": 9]) { result in
            if case .success(let value) = result { continuation.yield("set \(value["changed"] ?? .null)") }
        }
        // The answer is a barrier: events come first.
        #expect(await received.next() == "valueChanged 9")
        #expect(await received.next() == "set true")
        token.cancel()
        try await client.set("app.volume", to: 10)
        #expect(try await client.call("status")["subscriptions"] == 0)
    }

    @Test(arguments: [(-1, 0), (0, -1)])
    func `a negative interval is refused`(throttle: Int, debounce: Int) async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        var options = SubscriptionOptions()
        (options.throttle, options.debounce) = (throttle, debounce)
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client.changes(of: "app.volume", options: options) { break }
        }
        guard case .refused = error else {
            Issue.record("not refused: \(String(describing: error))")
            return
        }
    }

    @Test func `a cancelled task unsubscribes, and a cancelled request is abandoned`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in client.values(of: "app.volume", as: Int.self) { started.continuation.yield() }
        }
        for await _ in started.stream { break }
        task.cancel()
        _ = await task.result
        let peer = try server.connect()
        try server.wait("no subscriptions", with: peer) { $0["subscriptions"] == 0 }
        let cancelled = Task { () throws(ClientError) -> Value in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await client.call("ping")
        }
        await #expect(throws: ClientError.abandoned) { try await cancelled.value }
        #expect(try await client.get("app.volume", as: Int.self) == 3)
    }

    @Test func `a missing daemon and a closed client throw`() async throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = folder.path + "/none"
        #expect(throws: ClientError.unreachable(.noSocket(path))) { try DaemonClient(socket: path) }
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        let values = client.values(of: "app.volume", as: Int.self)
        client.close()
        await #expect(throws: ClientError.abandoned) { try await client.get("app.volume", as: Int.self) }
        await #expect(throws: ClientError.abandoned) { for try await _ in values {} }
        withExtendedLifetime(folder) {}
    }

    @Test func `the values of an array are whole`() async throws {
        let server = try server()
        let client = try DaemonClient(socket: server.path)
        var tags = client.values(of: "app.tags", as: [String].self).makeAsyncIterator()
        #expect(try await tags.next() == ["a"])
        try await client.transaction { $0.insert("b", into: "app.tags") }
        #expect(try await tags.next() == ["a", "b"])
        try await client.remove("app.tags.0")
        #expect(try await tags.next() == ["b"])
    }

    @Test func `a value that is too large for an event ends a sequence`() async throws {
        var limits = ServerLimits()
        limits.tree.maxRenderedBytes = 100
        let server = try TestServer([("app", #"{"title":"Alien"}"#)], limits: limits)
        let client = try DaemonClient(socket: server.path)
        var titles = client.values(of: "app.title", as: String.self).makeAsyncIterator()
        #expect(try await titles.next() == "Alien")
        try await client.set("app.title", to: String(repeating: "x", count: 200))
        let error = await #expect(throws: ClientError.self) { _ = try await titles.next() }
        #expect(error?.description == "app.title exceeds a limit, so its event has no value (truncated)")
    }

    @Test func `after a lost connection a subscription resumes`() async throws {
        let server = try server()
        let relay = try Relay(to: server.path)
        let client = try DaemonClient(socket: relay.path)
        let writer = try DaemonClient(socket: server.path)
        var volumes = client.values(of: "app.volume", as: Int.self).makeAsyncIterator()
        #expect(try await volumes.next() == 3)
        try await writer.set("app.volume", to: 4)
        #expect(try await volumes.next() == 4)
        relay.cut()
        for volume in 5...8 { try await writer.set("app.volume", to: volume) }
        relay.resume()
        // The daemon still has the missed changes and sends each.
        for volume in 5...8 { #expect(try await volumes.next() == volume) }
        // Without missed changes there are no repeated events.
        relay.cut()
        relay.resume()
        try await writer.set("app.volume", to: 9)
        #expect(try await volumes.next() == 9)
    }

    @Test func `another daemon sends only values that differ`() async throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = folder.path + "/s"
        func start(_ volume: Int) throws -> Server {
            let server = try Server()
            try server.withTree { (tree) throws(TreeError) in
                let tags = volume == 1 ? #"["x"]"# : #"["a"]"#
                try tree.define(root: "app", json: #"{"volume":\#(volume),"title":"same","tags":\#(tags)}"#)
            }
            try server.start(on: try UnixListener.listen(path: path))
            return server
        }
        func stop(_ server: Server) async {
            await withCheckedContinuation { done in server.stop { done.resume() } }
        }
        let first = try start(1)
        let client = try DaemonClient(socket: path)
        var volumes = client.values(of: "app.volume", as: Int.self).makeAsyncIterator()
        var titles = client.values(of: "app.title", as: String.self).makeAsyncIterator()
        #expect(try await volumes.next() == 1)
        #expect(try await titles.next() == "same")
        // Of an edited array, no event showed the value.
        var tags = client.changes(of: "app.tags").makeAsyncIterator()
        #expect(try await tags.next()?.new == ["x"])
        try await client.transaction { $0.insert("a", into: "app.tags") }
        #expect(try await tags.next()?.new == ["a"])
        await stop(first)
        let second = try start(2)
        #expect(try await volumes.next() == 2)
        #expect(try await tags.next()?.new == ["a"])
        try await client.set("app.title", to: "other")
        #expect(try await titles.next() == "other")
        await stop(second)
    }
}
