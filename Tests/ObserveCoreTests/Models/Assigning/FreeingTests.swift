// SPDX-License-Identifier: MIT
// Released models and large arrays are freed in slices.

import Testing

@testable import ObserveCore

@Suite struct FreeingTests {
    private func driver(_ properties: Int, isNested: Bool = false) throws -> TreeDriver {
        let driver = try TreeDriver(("t", "{}"))
        driver.tree.keepHistory(commits: 10)
        let members = (0..<properties).map { "\"k\($0)\":" + (isNested ? "{\"x\":\"text\"}" : "1") }
        try driver.set("t.big", "{\(members.joined(separator: ","))}")
        return driver
    }

    @Test(arguments: [false, true])
    func `a large model is freed in slices, and never seen meanwhile`(isNested: Bool) throws {
        let count = many(100_000, usually: 10_000)
        let driver = try driver(count, isNested: isNested)
        let models = driver.tree.modelCount
        try driver.remove("t.big")
        #expect(driver.tree.hasUnfreed)
        #expect(driver.tree.modelCount == models - (isNested ? count + 1 : 1))
        #expect(driver.tree.faults() == [])
        try driver.set("t.big", #"{"k0":2}"#)
        #expect(try driver.get("t.big") == #"{"k0":2}"#)
        #expect(driver.tree.faults() == [])
        driver.tree.free(atMost: 1_000)
        #expect(driver.tree.hasUnfreed)
        driver.tree.free(atMost: .max)
        #expect(!driver.tree.hasUnfreed)
        #expect(driver.tree.faults() == [])
        #expect(driver.tree.records.properties.count < 100)
    }

    @Test func `later commits free the rest`() throws {
        let driver = try driver(20_000)
        try driver.remove("t.big")
        var commits = 0
        while driver.tree.hasUnfreed, commits < 100 {
            commits += 1
            try driver.set("t.x", "\(commits)")
        }
        #expect(commits > 5 && commits < 30)
    }

    @Test func `a small model is freed in its commit`() throws {
        let driver = try driver(100)
        try driver.remove("t.big")
        driver.tree.forgetHistory()
        #expect(!driver.tree.hasUnfreed && driver.tree.records.properties.count < 20)
    }

    @Test func `a large array of numbers is freed in slices`() throws {
        let driver = try driver(1)
        try driver.set("t.list", "[\((0..<200_000).map(String.init).joined(separator: ","))]")
        try driver.set("t.list", "0")
        #expect(driver.tree.hasUnfreed)
        driver.tree.free(atMost: 100)
        #expect(driver.tree.hasUnfreed)
        driver.tree.free(atMost: .max)
        #expect(!driver.tree.hasUnfreed)
    }

    @Test func `weak references to a large model are null in its commit`() throws {
        let count = many(50_000, usually: 10_000)
        let driver = try driver(count, isNested: true)
        try driver.link("t.w", "t.big.k\(count - 1)", weak: true)
        _ = try driver.observe("t.w.x")
        try driver.remove("t.big")
        let event = try #require(driver.takeEvents().last)
        #expect(event.path == "t.w.x" && event.new == "null" && event.nilAt == "t.w")
        #expect(driver.tree.faults() == [])
    }

    @Test func `temporary values of a released model expire without effect`() {
        let talk = Conversation([("t", #"{"big":{}}"#)])
        talk.ask("set", #"{"path":"t.big.x","value":1,"lifetime":10}"#)
        talk.ask("remove", #"{"path":"t.big"}"#)
        talk.pass(milliseconds: 20)
        #expect(talk.hub.tree.recordCounts.stacks.isEmpty)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `an array is plain until it holds a text or a reference`() {
        let array = StoredArray([.int(1), .null, .bool(true), .double(0.5)])
        #expect(array.isPlain)
        let copy = StoredArray(copying: array)
        copy.insert(.model(ModelID(3)), at: 0)
        #expect(!copy.isPlain && array.isPlain)
        array.replace(at: 0, with: .string(.make(ByteView("x"))))
        #expect(!array.isPlain)
        #expect(!StoredArray([.array(StoredArray([]))]).isPlain)
    }
}
