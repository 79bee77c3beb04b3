// SPDX-License-Identifier: MIT
// Equality of stored values, after "Values" in the protocol.

import Testing

@testable import ObserveCore

/// Texts in groups: equal within a group, different between groups.
private let groups: [[String]] = [
    ["null"], ["true"], ["false"],
    ["0", "0.0", "-0.0", "0e5", "-0"],
    ["1", "1.0", "10e-1", "0.1e1"],
    ["1.5"],
    ["9007199254740992", "9007199254740992.0", "9007199254740993.0"],
    ["9007199254740993"],
    ["9007199254740991", "9007199254740991.0"],
    ["9223372036854775807"],
    ["9223372036854775806"],
    ["9223372036854775808.0", "9.223372036854775807e18"],
    ["18446744073709551616.0", "1.8446744073709551616e19"],
    ["-9223372036854775808", "-9223372036854775808.0"],
    ["-9223372036854775807"],
    ["0.1"], ["0.30000000000000004"], ["0.3"],
    ["5e-324"],
    [#""""#],
    [#""a""#, #""\u0061""#],
    [#""A""#],
    [#""\u00e9""#, "\"\u{e9}\""],
    [#""e\u0301""#],
    [#""/""#, #""\/""#],
    [#""\n""#, #""\u000a""#, #""\u000A""#],
    [#""😀""#, #""\ud83d\ude00""#],
    [#""1""#],
    ["[]"],
    ["[1]", "[1.0]"],
    ["[null]"],
    ["[1,2]", "[1.0,2.0]"],
    ["[2,1]"],
    ["[[1],[]]", "[[1.0], [ ]]"],
    ["[[],[1]]"],
]

@Suite struct StoredValueTests {
    @Test func `numbers, strings and arrays compare by value`() throws {
        let tree = ModelTree()
        for (i, left) in groups.enumerated() {
            for (j, right) in groups.enumerated() {
                for a in left {
                    for b in right {
                        let x = try withView(a) { try tree.build($0) }
                        let y = try withView(b) { try tree.build($0) }
                        #expect(x.equals(y) == (i == j), "\(a) and \(b)")
                    }
                }
            }
        }
    }

    @Test func `an absent value equals null, and a model only itself`() {
        #expect(StoredValue.absent.equals(.null))
        #expect(StoredValue.null.equals(.absent))
        #expect(StoredValue.absent.isNull && StoredValue.null.isNull && !StoredValue.bool(false).isNull)
        #expect(StoredValue.absent.isAbsent && !StoredValue.null.isAbsent)
        #expect(StoredValue.model(1).equals(.model(1)))
        #expect(!StoredValue.model(1).equals(.model(2)))
        #expect(!StoredValue.model(1).equals(.int(1)))
        #expect(!StoredValue.absent.equals(.bool(false)))
        let array = StoredValue.array(StoredArray([.model(1), .absent]))
        #expect(array.equals(.array(StoredArray([.model(1), .null]))))
        #expect(!array.equals(.array(StoredArray([.model(2), .null]))))
    }

    @Test(arguments: groups.joined().map { $0 })
    func `an equal write changes nothing, not even the representation`(text: String) throws {
        let driver = try TreeDriver(("r", text))
        let rendered = try driver.get("r")
        for group in groups where group.contains(text) {
            for other in group { #expect(try !driver.set("r", other)) }
        }
        #expect(try driver.get("r") == rendered)
        #expect(driver.tree.revision == 1)
    }

    @Test(arguments: [
        ("9223372036854775808", "an integer must fit 64 signed bits; 9223372036854775808 does not"),
        ("[-9223372036854775809]", "an integer must fit 64 signed bits; -9223372036854775809 does not"),
        (#"{"a":1e999}"#, "a number must be finite; 1e999 is not"),
    ])
    func `the tree refuses a number out of range, and stores nothing of it`(
        json: String,
        message: String
    ) throws {
        let driver = try TreeDriver(("r", "1"))
        #expect(throws: TreeError(kind: .invalidValue, message: message, path: nil)) {
            try driver.set("r", json)
        }
        #expect(driver.roots == #"{"r":1}"#)
        #expect(driver.tree.faults() == [])
    }
}
