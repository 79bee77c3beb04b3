// SPDX-License-Identifier: MIT
// Codable values as JSON values and back, and the errors that name a place.

import ObserveCore
import Testing

struct CodableValueTests {
    private enum Mode: String, Codable { case off, on }

    private struct Part: Codable, Equatable {
        var name: String
        var mode: Mode?
        var sizes: [Int]
    }

    private class Base: Codable {
        var base = 1
    }

    private final class Derived: Base {
        var own = true
        private enum Key: CodingKey { case own }

        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            own = try container.decode(Bool.self, forKey: .own)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(own, forKey: .own)
            try super.encode(to: container.superEncoder())
        }
    }

    private struct Whole: Codable, Equatable {
        var parts: [Part] = []
        var byName: [String: Part] = [:]
        var double = 0.5
        var float: Float = 1
        var unsigned: UInt8 = 255
        var nested: [[Bool]] = []
        var pair: [Int?] = []
        var none: String?
    }

    private let whole = Whole(
        parts: [Part(name: "a", mode: .on, sizes: [1, 2]), Part(name: "é", mode: nil, sizes: [])],
        byName: ["x.y": Part(name: "b", mode: .off, sizes: [-1])],
        nested: [[true], []],
        pair: [1, nil]
    )

    private let json: Value = [
        "parts": [["name": "a", "mode": "on", "sizes": [1, 2]], ["name": "é", "sizes": []]],
        "byName": ["x.y": ["name": "b", "mode": "off", "sizes": [-1]]],
        "double": 0.5, "float": 1.0, "unsigned": 255, "nested": [[true], []], "pair": [1, nil],
    ]

    @Test func `a structure becomes an object, and back`() throws {
        #expect(try Value(encoding: whole) == json)
        #expect(try json.decoded(as: Whole.self) == whole)
        var other = json
        if case .object(var members) = other {
            members["none"] = nil
            members["more"] = 5
            other = .object(members)
        }
        #expect(try other.decoded(as: Whole.self) == whole)
    }

    @Test func `scalars, optionals and values are themselves`() throws {
        #expect(try Value(encoding: 5) == 5)
        #expect(try Value(encoding: "x") == "x")
        #expect(try Value(encoding: Int?.none) == .null)
        #expect(try Value(encoding: [String: Int]()) == [:])
        #expect(try Value(encoding: Mode.on) == "on")
        #expect(try Value.null.decoded(as: Int?.self) == nil)
        #expect(try Value.double(3).decoded(as: Int.self) == 3)
        #expect(try Value.int(3).decoded(as: Double.self) == 3)
        #expect(try Value.string("off").decoded(as: Mode.self) == .off)
    }

    @Test func `superclasses encode themselves`() throws {
        let value = try Value(encoding: Derived())
        #expect(value == ["own": true, "super": ["base": 1]])
        let decoded = try value.decoded(as: Derived.self)
        #expect(decoded.own && decoded.base == 1)
    }

    @Test(
        arguments: [
            (["parts": [["name": 5]]], "parts.0.name"), (["parts": [["mode": "on"]]], "parts.0"),
            (["parts": nil], "parts"), (5, ""),
        ] as [(Value, String)]
    )
    func `an error names the place`(value: Value, place: String) throws {
        let error = #expect(throws: DecodingError.self) { try value.decoded(as: Whole.self) }
        let path: [any CodingKey]
        switch try #require(error) {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: path = []
        }
        #expect(path.map(\.stringValue).joined(separator: ".") == place)
    }

    private struct Numbers: Codable, Equatable {
        var wide: Int128 = 5
        var unsigned: UInt128? = 7
        var list: [Int128] = [1, -2]
        var byName: [String: UInt128] = ["a": 3]
        var half: Float16 = 0.5
        var single: Float = 0.25
        var amount = Amount(cents: 250)
    }

    /// As decimal numbers are often coded.
    private struct Amount: Codable, Equatable {
        var cents: Int128
        init(cents: Int128) { self.cents = cents }
        init(from decoder: any Decoder) throws {
            cents = try decoder.singleValueContainer().decode(Int128.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(cents)
        }
    }

    @Test func `numbers of every width travel if they fit`() throws {
        let json: Value = [
            "wide": 5, "unsigned": 7, "list": [1, -2], "byName": ["a": 3], "half": 0.5, "single": 0.25,
            "amount": 250,
        ]
        #expect(try Value(encoding: Numbers()) == json)
        #expect(try json.decoded(as: Numbers.self) == Numbers())
        #expect(try Value(encoding: Int128(5)) == 5)
        #expect(try Value(encoding: Int128?.some(5)) == 5)
        #expect(try Value.int(5).decoded(as: Int128.self) == 5)
        #expect(try Value.int(.max).decoded(as: UInt64.self) == UInt64(Int64.max))
        #expect(throws: DecodingError.self) { try Value.int(-1).decoded(as: UInt128.self) }
        #expect(throws: DecodingError.self) { try Value.double(1e10).decoded(as: Float16.self) }
        for large in [Int128(Int64.max) + 1, .max, .min] {
            #expect(throws: EncodingError.self) { try Value(encoding: large) }
            #expect(throws: EncodingError.self) { try Value(encoding: ["x": [large]]) }
        }
        #expect(throws: EncodingError.self) { try Value(encoding: Float16.infinity) }
        #expect(throws: EncodingError.self) { try Value(encoding: [Float.nan]) }
    }

    @Test func `numbers that do not fit are refused, and never rounded`() {
        #expect(throws: EncodingError.self) { try Value(encoding: ["x": Double.nan]) }
        #expect(throws: EncodingError.self) { try Value(encoding: [UInt64.max]) }
        #expect(throws: DecodingError.self) { try Value.int(256).decoded(as: UInt8.self) }
        #expect(throws: DecodingError.self) { try Value.double(0.5).decoded(as: Int.self) }
    }
}
