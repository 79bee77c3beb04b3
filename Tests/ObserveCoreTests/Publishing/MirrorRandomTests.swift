// SPDX-License-Identifier: MIT
// Mirrors under random writes on both sides, and beside a daemon that refuses.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct MirrorRandomTests {
    typealias Program = ModelMirrorTests.Program

    private static let player =
        #"{"videoTitle":"Alien","position":7,"track":null,"queue":[],"tags":["t"],"mine":"there"}"#

    private func server(limits: ServerLimits = ServerLimits()) throws -> TestServer {
        try TestServer(
            [("app", #"{"player":\#(Self.player),"other":\#(Self.player)}"#)],
            limits: limits
        )
    }

    @Test(arguments: seeds(6))
    func `both sides write at random, the path is bound again, and both end equal`(seed: UInt64) async throws
    {
        let server = try server()
        let peer = try server.connect()
        let program = Program()
        try program.mirror(try DaemonClient(socket: server.path), at: "app.player")
        try program.wait()
        var (here, there) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed &+ 1000))
        for round in 0..<20 {
            let swiftSeed = here.next()
            async let swift: Void = try program.run { state in
                var random = SeededGenerator(seed: swiftSeed)
                for _ in 0..<10 { state.writeAtRandom(&random) }
            }
            for number in 0..<10 { try peer.send(Self.randomRequest(number, &there)) }
            for _ in 0..<10 { _ = try peer.line() }
            try await swift
            try program.wait()
            let value =
                try peer.ask(#"{"id":0,"method":"get","params":{"path":"app.player"}}"#)["result"]?["value"]
                ?? .null
            try program.wait { $0.value == value }
            #expect(try program.run { $0.value } == value, "seed \(seed), round \(round)")
        }
    }

    /// Each object has all properties: the Swift model keeps those that a new model lacks.
    private static func randomRequest(_ number: Int, _ random: inout SeededGenerator) -> String {
        let value = Int.random(in: 0..<9, using: &random)
        let track = #"{"title":"there \#(value)","seconds":\#(value)}"#
        let (method, params): (String, String) =
            switch Int.random(in: 0..<9, using: &random) {
            case 0: ("set", #""path":"app.player.position","value":\#(value)"#)
            case 1: ("set", #""path":"app.player.videoTitle","value":null"#)
            case 2: ("set", #""path":"app.player.track","value":\#(track)"#)
            case 3: ("set", #""path":"app.player.track.title","value":"there too""#)
            case 4: ("insert", #""path":"app.player.queue","index":0,"value":\#(track)"#)
            case 5: ("remove", #""path":"app.player.queue.0""#)
            case 6: ("insert", #""path":"app.player.tags","value":"t\#(value)""#)
            case 7: ("set", #""path":"app.player","value":\#(player)"#)
            default: ("link", #""path":"app.player","target":"app.other""#)
            }
        return #"{"id":\#(number),"method":"\#(method)","params":{\#(params)}}"#
    }

    @Test func `a value that a full daemon refuses returns, and an accepted one stays`() async throws {
        var limits = ServerLimits()
        limits.tree.maxTreeBytes = 64 << 10
        let server = try server(limits: limits)
        let client = try DaemonClient(socket: server.path)
        let program = Program()
        try program.mirror(client, at: "app.player")
        try program.wait()
        let long = String(repeating: "x", count: 100 << 10)
        _ = try program.popHeard()
        for round in 1...10 {
            try program.run { $0.player.videoTitle = long }
            try program.wait { $0.player.videoTitle == "Alien" }
            try program.run { $0.player.position = Int8(round) }
            try program.wait()
            #expect(try await client.get("app.player.position", as: Int.self) == round)
            #expect(try await client.get("app.player.videoTitle", as: String.self) == "Alien")
        }
        // Each refusal is two changes here, and each accepted value one.
        let shown = (1...10).flatMap { round in
            [
                "\(long) \(round == 1 ? 7 : round - 1)", "Alien \(round == 1 ? 7 : round - 1)",
                "Alien \(round)",
            ]
        }
        #expect(try program.popHeard() == shown.map { "\($0) nil []" })
    }
}

extension ModelMirrorTests.Program.State {
    func writeAtRandom(_ random: inout SeededGenerator) {
        let value = Int.random(in: 0..<9, using: &random)
        let fresh = ModelMirrorTests.Track()
        fresh.title = "here \(value)"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: player.position = Int8(value)
        case 1: player.videoTitle = "here \(value)"
        case 2: player.track = fresh
        case 3: player.track?.title = "here too"
        case 4: player.queue.append(fresh)
        case 5: if !player.queue.isEmpty { player.queue.removeLast() }
        case 6: player.track = nil
        default:
            transaction {
                player.tags.append("here")
                player.position = Int8(value)
                player.queue.first?.seconds = value
            }
        }
    }

    var value: Value {
        [
            "videoTitle": player.videoTitle.modelValue, "position": player.position.modelValue,
            "track": value(of: player.track), "queue": .array(player.queue.map { value(of: $0) }),
            "tags": player.tags.modelValue, "mine": player.mine.modelValue,
        ]
    }

    private func value(of track: ModelMirrorTests.Track?) -> Value {
        track.map { ["title": $0.title.modelValue, "seconds": $0.seconds.modelValue] } ?? .null
    }
}
