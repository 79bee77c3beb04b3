// SPDX-License-Identifier: MIT
// Values are parsed, written, compared and accessed.

import Testing

@testable import ObserveCore

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12),
            ("1.0", .double(1)),
            ("1e2", .double(100)), ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("\"\"", ""), ("\"a\\n\\u00e9\"", "a\né"), ("[]", []), ("[ 1 , [2, [] ] ]", [1, [2, []]]),
            ("{}", [:]),
            ("{\"a\": {\"b\": [null]}, \"c\": {}}", ["a": ["b": [nil]], "c": [:]]),
        ] as [(String, Value)]
    )
    func `JSON is parsed`(text: String, value: Value) throws {
        let found = try Value(json: text)
        #expect(found == value)
        #expect(found.json == value.json)
        #expect(try Value(json: Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (.int(.min), "-9223372036854775808"), (1.0, "1.0"),
            (-0.0, "-0.0"), (1e16, "1e+16"),
            ("a\"\u{1}", "\"a\\\"\\u0001\""), ([], "[]"), ([[], [1, [2]], [:]], "[[],[1,[2]],{}]"),
            ([:], "{}"),
            (["b": 1, "a": ["x": [:], "y": [nil]]], "{\"b\":1,\"a\":{\"x\":{},\"y\":[null]}}"),
            (["\n": ""], "{\"\\n\":\"\"}"),
        ] as [(Value, String)]
    )
    func `JSON is written without whitespace`(value: Value, text: String) {
        #expect(value.json == text)
        #expect("\(value)" == text)
    }

    @Test(arguments: [
        ("9223372036854775808", JSONError.Reason.integerOutOfRange, 0),
        (" -9223372036854775809", .integerOutOfRange, 1),
        ("[1, 99999999999999999999]", .integerOutOfRange, 4), ("{\"a\":[[1e999]]}", .doubleOutOfRange, 7),
        ("-1e309", .doubleOutOfRange, 0), ("[1.0,\n1.8e308]", .doubleOutOfRange, 6),
    ])
    func `numbers out of range are refused at their place`(
        text: String,
        reason: JSONError.Reason,
        offset: Int
    ) {
        #expect(validate(text).isValid)
        #expect(throws: JSONError(reason, at: offset)) { try Value(json: text) }
    }

    @Test(arguments: invalidTexts)
    func `invalid JSON is refused`(text: String, reason: JSONError.Reason, offset: Int) {
        #expect(throws: JSONError(reason, at: offset)) { try Value(json: text) }
    }

    @Test func `nesting is always limited`() throws {
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(try Value(json: nested(512)).json == nested(512))
        #expect(throws: JSONError(.tooDeep, at: 512)) { try Value(json: nested(513)) }
        #expect(try Value(json: nested(3), maxDepth: 3) == [[[]]])
        #expect(throws: JSONError(.tooDeep, at: 3)) { try Value(json: nested(4), maxDepth: 3) }
        #expect(try Value(json: nested(1000), maxDepth: .max) == Value(json: nested(1000), maxDepth: 1000))
        #expect(throws: JSONError(.tooDeep, at: Value.depthLimit)) {
            try Value(json: [UInt8](repeating: 0x5B, count: 1_000_000), maxDepth: .max)
        }
    }
}

// MARK: - Members

extension ValueTests {
    @Test func `a repeated name keeps the first place and the last value`() throws {
        let value = try Value(json: "{\"a\":1,\"b\":2,\"\\u0061\":3,\"c\":4,\"b\":{\"b\":5}}")
        #expect(value.json == "{\"a\":3,\"b\":{\"b\":5},\"c\":4}")
    }

    @Test func `names differ by their scalars`() throws {
        let value = try Value(json: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value.object?.count == 2)
        #expect(value["\u{E9}"] == 1 && value["e\u{301}"] == 2)
        #expect(value.json.utf8.elementsEqual("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 18, 100, 3000])
    func `a member is found among few and many`(count: Int) {
        var members = ValueMembers((0..<count).map { ("k\($0)", .int(Int64($0))) })
        #expect(members.count == count)
        for index in 0..<count {
            #expect(members["k\(index)"] == .int(Int64(index)))
            #expect(members[index].name == "k\(index)")
        }
        #expect(members["k\(count)"] == nil && members["k"] == nil)
        for index in stride(from: 0, to: min(count, 40), by: 2) { members["k\(index)"] = .some("changed") }
        #expect(members.count == count)
        for index in 0..<min(count, 40) {
            #expect(members["k\(index)"] == (index % 2 == 0 ? "changed" : .int(Int64(index))))
        }
        for index in stride(from: 0, to: min(count, 40), by: 3) {
            members["k\(index)"] = nil as Value?
            #expect(members["k\(index)"] == nil)
        }
        #expect(members.map(\.name) == (0..<count).filter { $0 >= 40 || $0 % 3 != 0 }.map { "k\($0)" })
        for (index, member) in members.enumerated() { #expect(members[member.name] == members[index].value) }
    }

    @Test func `repeated names take linear time`() throws {
        let text = "{" + (0..<50_000).map { "\"k\($0 % 20_000)\":\($0)" }.joined(separator: ",") + "}"
        let members = try #require(try Value(json: text).object)
        #expect(members.count == 20_000)
        #expect(members["k0"] == 40_000 && members["k19999"] == 39_999)
    }
}

// MARK: - Access

extension ValueTests {
    @Test func `a subscript returns a part or nil`() throws {
        let value = try Value(json: "{\"list\":[1,{\"name\":\"x\"}],\"nothing\":null}")
        #expect(value["list"]?[1]?["name"]?.string == "x")
        #expect(value["list"]?[0]?.int == 1)
        #expect(value["list"]?[2] == nil && value["list"]?[-1] == nil && value["list"]?["name"] == nil)
        #expect(value["absent"] == nil && value[0] == nil)
        // A null value is present.
        #expect(value["nothing"]?.isNull == true && value["nothing"] != nil)
    }

    @Test func `an accessor returns nil for another kind`() {
        let values: [Value] = [.null, true, 7, 2.5, "s", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.int) == [nil, nil, 7, nil, nil, nil, nil])
        #expect(values.map(\.double) == [nil, nil, 7, 2.5, nil, nil, nil])
        #expect(values.map(\.string) == [nil, nil, nil, nil, "s", nil, nil])
        #expect(values.map { $0.array?.count } == [nil, nil, nil, nil, nil, 1, nil])
        #expect(values.map { $0.object?.count } == [nil, nil, nil, nil, nil, nil, 1])
        #expect(Value.double(3).int == 3 && Value.double(1e300).int == nil)
    }
}

// MARK: - Equality

extension ValueTests {
    private static let unlike: [Value] = [
        .null, true, false, 0, 1, 0.5, "", "0", "a", "\u{E9}", "e\u{301}", [], [nil], [0], [1, 2], [2, 1],
        [[]], [:],
        ["a": 1], ["a": 2], ["b": 1], ["a": 1, "b": 2], ["a": nil], ["\u{E9}": 1], ["e\u{301}": 1],
        .int(.max), .int(.min),
        .double(0x1p63), .double(9_007_199_254_740_992), .int(9_007_199_254_740_993), .double(.infinity),
    ]

    @Test func `different values are not equal`() {
        for (i, left) in Self.unlike.enumerated() {
            for (j, right) in Self.unlike.enumerated() {
                #expect((left == right) == (i == j), "\(left) \(right)")
            }
        }
        #expect(Value.double(.nan) != .double(.nan))
    }

    @Test(
        arguments: [
            (1, 1.0), (0, -0.0), (0.0, -0.0), (.int(.min), .double(-0x1p63)), ([1, [2.0]], [1.0, [2]]),
            (["a": 1], ["a": 1.0]),
            (["a": 1, "b": 2], ["b": 2, "a": 1]), (.int(1 << 62), .double(0x1p62)),
        ] as [(Value, Value)]
    )
    func `different forms of one value are equal`(left: Value, right: Value) {
        #expect(left == right && right == left)
    }

    @Test(
        arguments: [
            (0, 0, true), (0, -0.0, true), (1, 1, true), (1, 1.0000000000000002, false), (-1, -1, true),
            (1, -1, false),
            (9_007_199_254_740_993, 9_007_199_254_740_992, false),
            (9_007_199_254_740_992, 9_007_199_254_740_992, true),
            (.max, 0x1p63, false), (.max, 9_223_372_036_854_774_784, false),
            (9_223_372_036_854_774_784, 9_223_372_036_854_774_784, true),
            (.min, -0x1p63, true), (.min, -0x1p64, false), (0, .nan, false), (.max, .infinity, false),
            (.min, -.infinity, false),
            (0, .leastNonzeroMagnitude, false), (0, 0.5, false), (3, 3.5, false), (-3, -3.5, false),
        ] as [(Int64, Double, Bool)]
    )
    func `an integer equals only its exact double`(int: Int64, double: Double, isEqual: Bool) {
        #expect(Numbers.equal(int, double) == isEqual)
        #expect((Value.int(int) == .double(double)) == isEqual)
        #expect(Numbers.exactInt64(double) == (isEqual ? int : Int64(exactly: double)))
    }
}
