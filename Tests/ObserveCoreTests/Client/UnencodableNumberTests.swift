// SPDX-License-Identifier: MIT
// Numbers that JSON or 64 signed bits can't hold: the Swift client refuses them, and sends nothing.

import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct UnencodableNumberTests {
    private struct Level: Codable { var x = Double.nan }

    /// The sentence of a write that fails before it is sent.
    private func refusal(_ write: () async throws -> Commit) async -> String {
        do {
            return "written: \(try await write())"
        } catch {
            return "\(error)"
        }
    }

    @Test func `a number that does not fit names its place, and nothing is written`() async throws {
        let server = try TestServer([("app", #"{"volume":3}"#)])
        let client = try DaemonClient(socket: server.path)
        let wide = "does not fit an integer of 64 signed bits"
        #expect(
            await refusal { try await client.set("app.volume", to: UInt64.max) }
                == "app.volume can't be written: 18446744073709551615 \(wide)"
        )
        #expect(
            await refusal { try await client.set("app.volume", to: Double.infinity) }
                == "app.volume can't be written: JSON has no inf"
        )
        #expect(
            await refusal { try await client.set("app.volume", to: -Float16.infinity) }
                == "app.volume can't be written: JSON has no -inf"
        )
        #expect(
            await refusal { try await client.set("app.volume", to: Double?.some(.nan)) }
                == "app.volume can't be written: JSON has no nan"
        )
        #expect(
            await refusal { try await client.set("app.list", to: [1, Float.nan]) }
                == "app.list.1 can't be written: JSON has no nan"
        )
        #expect(
            await refusal { try await client.set("app.player", to: ["a.b": [Double.infinity]]) }
                == "app.player.a\\.b.0 can't be written: JSON has no inf"
        )
        #expect(
            await refusal { try await client.set("app.player", to: Level()) }
                == "app.player.x can't be written: JSON has no nan"
        )
        #expect(
            await refusal { try await client.set("app.player", to: ["x": Int128.max]) }
                == "app.player.x can't be written: \(Int128.max) \(wide)"
        )
        #expect(
            await refusal {
                try await client.transaction {
                    $0.set("app.volume", to: 1)
                    $0.set("app.volume", to: Double.nan)
                    $0.insert([Double.infinity], into: "app.list")
                }
            } == "app.volume can't be written: JSON has no nan"
        )
        #expect(
            await refusal { try await client.transaction { $0.insert([Double.infinity], into: "app.list") } }
                == "app.list.0 can't be written: JSON has no inf"
        )
        #expect(try await client.get("app.volume", as: Int.self) == 3)
        try await client.set("app.volume", to: Int128(5))
        #expect(try await client.get("app.volume", as: Int128.self) == 5)
    }

    @Test func `JSON that a program makes itself is checked too`() async throws {
        let server = try TestServer([("app", #"{"volume":3}"#)])
        let client = try DaemonClient(socket: server.path)
        #expect(
            await refusal { try await client.set("app.list", to: [1, .double(.nan)] as Value) }
                == "app.list.1 can't be written: JSON has no nan"
        )
        // A null would remove the member.
        #expect(
            await refusal { try await client.merge("app", ["volume": .double(-.infinity)]) }
                == "app.volume can't be written: JSON has no -inf"
        )
        #expect(
            await refusal { try await client.transaction { $0.merge("app", ["volume": .double(.nan)]) } }
                == "app.volume can't be written: JSON has no nan"
        )
        let unencodable = ClientError.unencodable(path: "value", reason: "JSON has no nan")
        let params: [String: Value] = ["path": "app.volume", "value": .double(.nan)]
        await #expect(throws: unencodable) { try await client.call("set", params) }
        let result = await withCheckedContinuation { waiting in
            client.call("set", params) { waiting.resume(returning: $0) }
        }
        #expect(result == .failure(unencodable))
        #expect(try await client.get("app", as: Value.self) == ["volume": 3])
    }

    /// Refuses to be encoded.
    private struct Strict: ModelValue, Encodable {
        static let modelValueKind = ModelValueKind.any
        let modelValue: Value
        func encode(to encoder: any Encoder) throws {
            let context = EncodingError.Context(codingPath: [], debugDescription: "no")
            throw EncodingError.invalidValue(self, context)
        }
    }

    @Test func `only a value that may lack a number is encoded a second time`() throws {
        for json in [1, "x", [true, ["a": 2.5]]] as [Value] {
            #expect(try Strict(modelValue: json).sent(to: "a") == RawJSON(json))
        }
        for json in [nil, [1, nil], ["a": nil], .int(.max), .int(.min)] as [Value] {
            #expect(throws: ClientError.unencodable(path: "a", reason: "no")) {
                try Strict(modelValue: json).sent(to: "a")
            }
        }
    }
}
