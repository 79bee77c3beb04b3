// SPDX-License-Identifier: MIT
// Limits of renderings and values, descriptions, and leaks.

import Testing

@testable import ObserveCore

private func limits(bytes: Int = 1 << 20, depth: Int = 64) -> TreeLimits {
    var limits = TreeLimits()
    limits.maxRenderedBytes = bytes
    limits.maxDepth = depth
    return limits
}

private func nested(_ levels: Int, _ open: String, _ close: String, _ inner: String) -> String {
    String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
}

private let replacements = many(1_000_000, usually: 800)

@Suite struct TreeRenderingTests {
    @Test func `rendering refuses thirty diamonds at once, without taking memory`() throws {
        let driver = try TreeDriver(("d0", "{}"))
        for level in 1...30 {
            try driver.set("d\(level)", "{}")
            try driver.link("d\(level).a", "d\(level - 1)")
            try driver.link("d\(level).b", "d\(level - 1)")
        }
        let out = ByteBuffer()
        out.append("kept")
        let root = driver.tree.records.root
        #expect(!driver.tree.render(.model(root), to: out))
        #expect(out.string == "kept")
        #expect(out.capacity <= 4 << 20)
        #expect(try driver.get("d30") == "truncated")
        #expect(try driver.get("d1") == #"{"a":{},"b":{}}"#)
        try driver.observe("d30")
        try driver.set("d0.x", "1")
        try driver.remove("d30")
        #expect(driver.take() == ["d30 sourceDeleted truncated -> null r93"])
        #expect(throws: TreeError.self) { try driver.link("d0.up", "d29") }
    }

    @Test(arguments: [("[", "]", "1"), (#"{"a":"#, "}", "1"), (#"[{"a":"#, "}]", "[]")])
    func `a value of depth maxDepth renders, a deeper one does not`(
        open: String,
        close: String,
        inner: String
    ) throws {
        let perLevel = open.hasPrefix("[{") ? 2 : 1
        let isDeeper = inner == "[]" ? 1 : 0
        let levels = (8 - isDeeper) / perLevel
        let driver = try TreeDriver(limits: limits(depth: levels * perLevel + isDeeper))
        let deepest = nested(levels, open, close, inner)
        try driver.set("r", deepest)
        #expect(try driver.get("r") == deepest)
        let error = #expect(throws: TreeError.self) {
            try driver.set("r", nested(levels + 1, open, close, inner))
        }
        #expect(error?.kind == .limitExceeded)
        #expect(driver.tree.faults() == [])
        // A link can make it deeper; then the rendering fails.
        try driver.set("r", deepest.hasPrefix("{") ? deepest : #"{"a":1}"#)
        try driver.set("s", nested(driver.tree.limits.maxDepth - 1, #"{"a":"#, "}", "{}"))
        try driver.set("top", "{}")
        try driver.link("top.s", "s")
        #expect(try driver.get("s") != "truncated")
        #expect(try driver.get("top") == "truncated")
    }

    @Test func `a rendering of maxRenderedBytes succeeds, a longer one fails`() throws {
        let driver = try TreeDriver(limits: limits(bytes: 21))
        try driver.set("r", #"{"abc":[1,2,3],"d":1}"#)
        #expect(try driver.get("r").utf8.count == 21)
        try driver.set("r.d", "11")
        #expect(try driver.get("r") == "truncated")
        #expect(try driver.get("r.abc") == "[1,2,3]")
        try driver.set("s", "\"" + String(repeating: "x", count: 19) + "\"")
        #expect(try driver.get("s").utf8.count == 21)
        try driver.set("s", "\"" + String(repeating: "x", count: 20) + "\"")
        #expect(try driver.get("s") == "truncated")
    }

    @Test func `the tree releases a chain that is deeper than any stack`() throws {
        let driver = try TreeDriver(("head", "{}"))
        for _ in 0..<20_000 {
            try driver.set("fresh", "{}")
            try driver.link("fresh.next", "head")
            try driver.link("head", "fresh")
        }
        #expect(driver.tree.modelCount == 20_001)
        #expect(try driver.get("head") == "truncated")
        try driver.remove("head")
        #expect(driver.tree.modelCount == 20_001)
        try driver.remove("fresh")
        while driver.tree.hasUnfreed { driver.tree.free(atMost: 1000) }
        #expect(TreeCounts(driver.tree) == TreeCounts(ModelTree()))
    }

    // MARK: Describe

    @Test(arguments: [
        ("r.b", #"{"kind":"bool","type":"Any","weak":false,"computed":false,"readonly":false}"#),
        ("r.i", #"{"kind":"int","type":"Any","weak":false,"computed":false,"readonly":false}"#),
        ("r.d", #"{"kind":"double","type":"Any","weak":false,"computed":false,"readonly":false}"#),
        ("r.s", #"{"kind":"string","type":"Any","weak":false,"computed":false,"readonly":false}"#),
        ("r.l", #"{"kind":"array","type":"Any","weak":false,"computed":false,"readonly":false,"count":2}"#),
        ("r.gone", #"{"kind":"null","type":"Any","weak":false,"computed":false,"readonly":false}"#),
        (
            "r.gone.x",
            #"{"kind":"null","type":"Any","weak":false,"computed":false,"readonly":false,"nilAt":"r.gone"}"#
        ),
        (
            "r.w",
            #"{"kind":"model","type":"Any","instance":2,"weak":true,"computed":false,"readonly":false,"count":0,"properties":[]}"#
        ),
        (
            "r.l.1",
            #"{"kind":"model","type":"Any","instance":3,"weak":false,"computed":false,"readonly":false,"count":1,"properties":[{"name":"x","kind":"null","type":"Any","weak":false,"computed":false,"readonly":false}]}"#
        ),
    ])
    func `describe shows a place`(path: String, expected: String) throws {
        let driver = try TreeDriver(
            ("r", #"{"b":true,"i":1,"d":1.0,"s":"","m":{},"l":[1,{"x":null}]}"#)
        )
        try driver.link("r.w", "r.m", weak: true)
        #expect(try driver.describe(path) == expected)
    }

    @Test func `describe shows the roots`() throws {
        let driver = try TreeDriver(("a", "1"), ("b.c", "{}"))
        #expect(
            written { driver.tree.describeRoots(to: $0) { _ in true } }
                == #"{"kind":"model","type":"Any","weak":false,"computed":false,"readonly":true,"count":2,"#
                + #""properties":[{"name":"a","kind":"int","type":"Any","weak":false,"computed":false,"#
                + #""readonly":false},{"name":"b.c","kind":"model","type":"Any","instance":1,"weak":false,"#
                + #""computed":false,"readonly":false}]}"#
        )
    }

    // MARK: Leaks

    @Test func `replacing an observed model keeps the numbers of records`() throws {
        let driver = try TreeDriver(("r", #"{"m":{"x":0,"list":[{},{"y":1}]},"w":null}"#))
        for path in ["r.m", "r.m.x", "r.m.list.1.y", "r.w.x", "r.m.gone"] { try driver.observe(path) }
        try driver.set("r.m", #"{"x":1,"list":[{},{"y":1}]}"#)
        try driver.link("r.w", "r.m", weak: true)
        let before = TreeCounts(driver.tree)
        let allocated = (
            driver.tree.records.models.allocatedCount, driver.tree.records.properties.allocatedCount
        )
        var events = 0
        for round in 0..<replacements {
            try driver.set("r.m", #"{"x":1,"list":[{},{"y":1}]}"#)
            if round % 16 == 0 { try driver.link("r.w", "r.m", weak: true) }
            events += driver.takeEvents().count
        }
        try driver.link("r.w", "r.m", weak: true)
        #expect(TreeCounts(driver.tree) == before)
        #expect(driver.tree.recordCounts.modelRecords <= allocated.0 + 8)
        #expect(driver.tree.recordCounts.propertyRecords <= allocated.1 + 16)
        #expect(events >= replacements)
        #expect(driver.tree.faults() == [])
    }

    @Test func `the tree frees unused names`() throws {
        let driver = try TreeDriver(("r", "{}"))
        let before = TreeCounts(driver.tree)
        for round in 0..<many(5_000, usually: 1_500) {
            let watcher = try driver.observe("r.n\(round).x")
            try driver.set("r.n\(round)", #"{"x\#(round)":1}"#)
            try driver.remove("r.n\(round)")
            driver.stop(watcher)
        }
        #expect(TreeCounts(driver.tree) == before)
        #expect(driver.tree.faults() == [])
    }
}
