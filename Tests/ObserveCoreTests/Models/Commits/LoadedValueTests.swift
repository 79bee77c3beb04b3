// SPDX-License-Identifier: MIT
// Values that are loaded in slices, beside the same values set at once.

import Testing

@testable import ObserveCore

@Suite struct LoadedValueTests {
    /// Loads the text in slices of so many bytes, or sets it.
    ///
    /// - Parameter isStaged: whether to build the value before the commit.
    /// - Returns: whether anything was changed, or the error.
    private func assign(
        _ text: String,
        to path: String,
        in tree: ModelTree,
        slice: Int?,
        isStaged: Bool = true
    ) -> String {
        let parsed = tree.reader.makeKeyPath()
        do {
            try ByteView.with(Array(path.utf8)) { try parsed.parse(dotted: $0) }
            guard let slice else {
                return try ByteView.with(Array(text.utf8)) { view in
                    let json = try JSONScanner.validate(view, maxDepth: 200)
                    var changed = false
                    try tree.commit { () throws(TreeError) in changed = try tree.set(parsed, to: json) }
                    return "\(changed)"
                }
            }
            let value = LoadedValue(maxDepth: 200)
            ByteView.with(text) { value.text.append($0) }
            let type = isStaged ? tree.type(ofLoadTo: parsed) : nil
            let before = (tree.stateDump, tree.usedBytes, tree.modelCount)
            var slices = 0
            while !value.isReady {
                try value.advance(slice, in: tree, as: type)
                slices += 1
                guard slices % 16 == 1 else { continue }
                #expect((tree.stateDump, tree.usedBytes, tree.modelCount) == before)
                #expect(tree.faults() == [])
            }
            var changed = false
            try tree.commit { () throws(TreeError) in changed = try value.assign(to: parsed, in: tree) }
            return "\(changed)"
        } catch { return "\(error)" }
    }

    /// Both ways give equal trees and results.
    private func expectSame(
        _ texts: [String],
        at path: String = "a.x",
        slice: Int = 8,
        types: [TypeDeclaration] = [],
        root: String = "{}",
        comparesBytes: Bool = true
    ) throws {
        let (loaded, staged, set) = (ModelTree(), ModelTree(), ModelTree())
        for tree in [loaded, staged, set] {
            #expect(tree.declare(types) == [])
            if !types.isEmpty { try tree.declare(root: "a", type: "A") }
            try tree.define(root: "a", json: root)
        }
        for text in texts {
            let expected = assign(text, to: path, in: set, slice: nil)
            for tree in [loaded, staged] {
                // A refused set has numbered its models in vain.
                defer { tree.records.lastInstance = set.records.lastInstance }
                let result = assign(text, to: path, in: tree, slice: slice, isStaged: tree === staged)
                #expect(result == expected, "\(text)")
                #expect(tree.stateDump == set.stateDump, "\(text)")
                #expect(!comparesBytes || tree.usedBytes == set.usedBytes, "\(text)")
                #expect(tree.faults() == [], "\(text)")
                while tree.hasUnfreed { tree.free(atMost: slice) }
                #expect(tree.faults() == [], "\(text)")
                #expect(tree.records.staging.modelCount == 0, "\(text)")
            }
        }
    }

    private static let texts = [
        "7", #""text \u0041""#, "[]", "[1,2.5,true,null]", #"["a","\n","\u00e9"]"#, "[[1,2],[3],[]]", "{}",
        #"{"n":[1,2,3],"m":{"k":[[4],["x"]]}}"#, #"{"a":1,"a":"x","b":{"c":{}},"b":[{"d":1}],"a":{},"b":2}"#,
        #"[1,{"k":[2,3]},[4,5],{}]"#, "[[[]],[[1],{}],[2]]",
        // With faults: numbers, and depths.
        "[1,9223372036854775808,1e999]", "[[1],[2,1e999],[3]]", #"{"n":[1,1e999],"":1}"#,
        #"[{"":1},[1e999]]"#, #"[[1e999],{"":1}]"#, #"[{"k":[1,2]},[3,1e999]]"#,
        String(repeating: "[", count: 80) + String(repeating: "]", count: 80),
        String(repeating: "[", count: 64) + "1e999" + String(repeating: "]", count: 64),
        "[1e999," + String(repeating: "[", count: 80) + String(repeating: "]", count: 80) + "]",
        #"{"k":"# + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
    ]

    @Test(arguments: [1, 8, 1000]) func `a value in slices is that of set`(slice: Int) throws {
        for text in Self.texts { try expectSame([text], slice: slice) }
        try expectSame(Self.texts + Self.texts.reversed(), slice: slice)
        try expectSame(["[1,2,3]", "[1,2,3]"], at: "a", slice: slice)
    }

    @Test func `declared types accept and refuse the same values`() throws {
        let type = TypeDeclaration("A", "x: Any", "n: [Int]", "m: [Any]", "o: [[Any]]")
        let texts =
            Self.texts + [
                "[1.0,2]", "[1,\"x\"]", "[[1],[2,{}]]", "[[1],2]",
                #"{"n":[1],"m":[1,{}],"o":[[1],[]],"x":[5]}"#,
                #"{"x":{"k":[1,{}],"k":2},"m":[[{}]],"o":[[{}],[]]}"#,
                #"{"x":[1,1e999],"m":[1e999]}"#, #"{"x":[{}],"m":{},"o":[[1e999],[{}]]}"#,
            ]
        for path in ["a", "a.x", "a.n", "a.m", "a.o"] {
            for text in texts { try expectSame([text], at: path, types: [type]) }
        }
    }

    @Test func `the values of members of type Any are built before the commit`() throws {
        let tree = ModelTree()
        #expect(tree.declare([TypeDeclaration("A", "x: Any", "n: [A]", "d: [String: Any]")]) == [])
        try tree.declare(root: "a", type: "A")
        try tree.define(root: "a", json: "{}")
        let value = LoadedValue(maxDepth: 64)
        let text = #"{"n":[{"x":[{}],"d":{"k":{},"l":[7]}}],"x":{"n":[1]},"d":{"m":[{},{}]}}"#
        ByteView.with(text) { value.text.append($0) }
        let path = try tree.parsed("a")
        while !value.isReady { try value.advance(8, in: tree, as: tree.type(ofLoadTo: path)) }
        #expect(tree.records.staging.modelCount == 5)
        try tree.commit { () throws(TreeError) in _ = try value.assign(to: path, in: tree) }
        let inner = #"{"x":[{}],"n":[],"d":{"k":{},"l":[7]}}"#
        #expect(tree.json(ofRoot: "a") == #"{"x":{"n":[1]},"n":[\#(inner)],"d":{"m":[{},{}]}}"#)
        #expect(tree.records.staging.modelCount == 0 && tree.faults() == [])
    }

    @Test func `values of members of type Any count until their commit`() throws {
        let tree = ModelTree()
        #expect(tree.declare([TypeDeclaration("A", "d: [String: Any]")]) == [])
        try tree.declare(root: "a", type: "A")
        try tree.define(root: "a", json: "{}")
        let before = tree.usedBytes
        let value = LoadedValue(maxDepth: 64)
        let members = (0..<100).map { "\"k\($0)\":[]" }.joined(separator: ",")
        let text = "{\"d\":{\(members)}}"
        ByteView.with(text) { value.text.append($0) }
        let path = try tree.parsed("a")
        while !value.isReady { try value.advance(8, in: tree, as: tree.type(ofLoadTo: path)) }
        // An empty array takes 48 bytes, and its place in the list 24.
        #expect(value.stagedBytes >= 100 * 72)
        #expect(tree.usedBytes == before && tree.faults() == [])
        try tree.commit { () throws(TreeError) in _ = try value.assign(to: path, in: tree) }
        #expect(tree.json(ofRoot: "a") == text)
        #expect(tree.faults() == [])
    }

    @Test func `random values in slices are those of set`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            let texts = (0..<4).map { _ in
                let value = randomValue(depth: 4, using: &generator)
                return written { value.write(to: $0) }
            }
            // Under a repeated name, a text may reuse the memory of a longer one, which depends on the order.
            try expectSame(texts, slice: Int.random(in: 1...40, using: &generator), comparesBytes: false)
        }
    }

    @Test func `a loaded array is in chunks, and edits of it are those of an array`() throws {
        let tree = ModelTree()
        try tree.define(root: "a", json: "{}")
        let count = 3 * ElementList<StoredValue>.mostMoved
        let numbers = (0..<count).map { "\($0)" }
        #expect(assign("[\(numbers.joined(separator: ","))]", to: "a.x", in: tree, slice: 8) == "true")
        let all = "[\((["-1"] + numbers.dropFirst()).joined(separator: ","))]"
        #expect(assign("-1", to: "a.x.0", in: tree, slice: nil) == "true")
        #expect(assign(all, to: "a.x", in: tree, slice: nil) == "false")
        #expect(tree.faults() == [])
    }
}
