// SPDX-License-Identifier: MIT
// A program's models on a real socket: a ModelServer starts and stops on the program's own queue.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct ModelServerTests {
    final class Radio: CreatableModel {
        let observationStore = ObservationStore()
        @Published var station = "none"
        @Published var volume = 3
        @Published var presets: [Radio] = []
        init() {}
    }

    /// The state on a test's queue.
    private final class Program: Sendable {
        let queue = DispatchQueue(label: "test.models")
        let server: ModelServer
        let models: Confined<Models>

        final class Models {
            let radio = Radio()
            var stations: [String] = []
            var token: ObservationToken?
        }

        init() throws {
            server = try ModelServer(queue: queue)
            models = Confined(Models(), on: queue)
        }

        func run<R: Sendable>(_ body: (Models) throws -> R) throws -> R {
            let result = queue.sync { Result { try models.withObject { try body($0) } } }
            return try result.get()
        }
    }

    @Test func `a model server sends changes both ways`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = folder.path + "/radio.sock"
        let program = try Program()
        try program.run { models in
            models.token = models.radio.observe(\.station) { [unowned models] in models.stations.append($0) }
            try program.server.host(models.radio, at: "radio")
            try program.server.set("library", to: ["stations": ["P1", "P2"]])
            try program.server.start(at: path)
        }
        let peer = try RawPeer(path)
        try peer.send(#"{"id":1,"method":"subscribe","params":{"path":"radio.volume"}}"#)
        #expect(try peer.line()?.contains(#""subscription":1"#) == true)
        #expect(try peer.line()?.contains(#""reason":"initial","new":3"#) == true)
        try program.run { models in
            models.radio.volume = 4
            models.radio.volume = 5
        }
        #expect(try peer.line()?.contains(#""new":4"#) == true)
        #expect(try peer.line()?.contains(#""new":5"#) == true)
        let answer = try peer.ask(#"{"id":2,"method":"set","params":{"path":"radio.station","value":"P3"}}"#)
        #expect(answer["result"]?["changed"] == true)
        #expect(try program.run { $0.stations } == ["none", "P3"])
        let refused = try peer.ask(
            #"{"id":3,"method":"set","params":{"path":"radio.volume","value":"loud"}}"#
        )
        #expect(refused["error"]?["code"] == 2)
        let read = try peer.ask(#"{"id":4,"method":"get","params":{"path":"library.stations.1"}}"#)
        #expect(read["result"]?["value"] == "P2")
        // A thousand changes arrive separately, in order.
        try program.run { models in for volume in 100..<1100 { models.radio.volume = volume } }
        for volume in 100..<1100 { #expect(try peer.line()?.contains(#""new":\#(volume),"#) == true) }
        let done = DispatchSemaphore(value: 0)
        program.server.stop { done.signal() }
        #expect(try peer.line()?.contains(#""goodbye""#) == true)
        peer.close()
        #expect(done.wait(timeout: .now() + .seconds(20)) == .success)
        #expect(throws: SocketError.noSocket(path)) { _ = try UnixSocket.connect(path: path) }
        // The model still works without the server.
        try program.run { $0.radio.station = "P4" }
        #expect(try program.run { $0.stations } == ["none", "P3", "P4"])
        withExtendedLifetime(folder) {}
    }

    @Test func `a consequence in Swift of a client's change is not the client's own`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let program = try Program()
        try program.run { models in
            let bound = models.radio.bind({ "P\($0.volume)" }, to: models.radio, at: \.station)
            models.token = bound
            try program.server.host(models.radio, at: "radio")
            try program.server.start(at: folder.path + "/s")
        }
        let peer = try RawPeer(folder.path + "/s")
        try peer.send(
            #"{"id":1,"method":"subscribe","params":{"path":"radio.**","own":false,"initial":false}}"#
        )
        _ = try peer.line()
        try peer.send(#"{"id":2,"method":"set","params":{"path":"radio.volume","value":5}}"#)
        let event = try peer.line() ?? ""
        #expect(event.contains(#""path":"radio.station","reason":"valueChanged","new":"P5""#), "\(event)")
        #expect(try peer.line()?.contains(#""id":2"#) == true)
        program.server.stop()
        withExtendedLifetime(folder) {}
    }

    @Test func `the queue's other work has its turn while a client sends much`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let program = try Program()
        try program.run { models in
            models.token = models.radio.observe(\.volume) { [unowned models] volume in
                models.stations.append("\(volume)")
                guard volume == 4 else { return }
                program.queue.async { program.models.withObject { $0.stations.append("other work") } }
            }
            try program.server.host(models.radio, at: "radio")
            program.server.server.core.withObject { core in
                core.loop.hub.clients.sessions.turns.turn = 100
                core.loop.hub.clients.sessions.turns.round = 100
            }
            try program.server.start(at: folder.path + "/s")
        }
        // The server finds all requests when the queue is free.
        program.queue.suspend()
        let peer = try RawPeer(folder.path + "/s")
        let increment = #"{"id":1,"method":"increment","params":{"path":"radio.volume"}}"#
        try peer.send([String](repeating: increment, count: 1_000).joined(separator: "\n"))
        program.queue.resume()
        for _ in 1...1_000 { _ = try peer.line() }
        let heard = try program.run { $0.stations }
        #expect(heard.contains("other work") && heard.last == "1003")
        program.server.stop()
    }

    @Test func `a removed root notifies its observers`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let program = try Program()
        try program.run { models in
            try program.server.host(models.radio, at: "radio")
            try program.server.start(at: folder.path + "/s")
        }
        let peer = try RawPeer(folder.path + "/s")
        try peer.send(#"{"id":1,"method":"subscribe","params":{"path":"radio.station","initial":false}}"#)
        _ = try peer.line()
        try program.run { _ in program.server.remove("radio") }
        #expect(try peer.line()?.contains("sourceDeleted") == true)
        program.server.stop()
        withExtendedLifetime(folder) {}
    }

    @Test(.startsProcess) func `an assignment to a hosted model outside its queue ends the program`() async {
        await #expect(processExitsWith: .failure) {
            let queue = DispatchQueue(label: "test.models")
            let radio = Radio()
            let server = try ModelServer(queue: queue)
            nonisolated(unsafe) let shared = radio
            queue.sync { try? unsafe server.host(shared, at: "radio") }
            radio.volume = 1
        }
    }
}
