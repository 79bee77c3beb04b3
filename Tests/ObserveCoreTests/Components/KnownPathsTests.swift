// SPDX-License-Identifier: MIT
// The tree remembers where recent paths lead, until a value on the way changes.

import Testing

@testable import ObserveCore

@Suite struct KnownPathsTests {
    private let driver: TreeDriver

    init() throws {
        var driver = try Self.driver()
        // Two paths may share a place of the cache: one tree in 40.
        for _ in 0..<20 where driver.tree.paths.known.all.count < 4 { driver = try Self.driver() }
        self.driver = driver
    }

    private static func driver() throws -> TreeDriver {
        let driver = try TreeDriver(
            ("app", #"{"a":{"x":1},"b":{"x":2},"now":null,"list":[{"x":3},{"x":4}],"other":{}}"#)
        )
        try driver.link("app.now", "app.a")
        for path in ["app.now", "app.now.x", "app.b.x", "app.list.1.x"] {
            _ = ByteView.with(Array(path.utf8)) { driver.tree.fastPathProperty($0) }
        }
        return driver
    }

    /// The path's value, and the known paths afterwards.
    private func value(_ path: String) -> Int64? {
        let found = ByteView.with(Array(path.utf8)) { driver.tree.fastPathProperty($0) }
        guard let found, case .int(let number) = driver.tree.records.properties[found].slot else {
            return nil
        }
        return number
    }

    private var known: Set<String> {
        Set(driver.tree.paths.known.all.map { String(decoding: $0.path, as: UTF8.self) })
    }

    @Test func `a replaced model invalidates the known paths through it, and no others`() throws {
        #expect(known == ["app.now", "app.now.x", "app.b.x", "app.list.1.x"])
        try driver.set("app.other", "{}")
        #expect(known == ["app.now", "app.now.x", "app.b.x", "app.list.1.x"])
        try driver.link("app.now", "app.b")
        #expect(known == [])
        #expect(value("app.now.x") == 2)
    }

    @Test func `a path stays known while its last value changes`() throws {
        driver.tree.paths.known.forget()
        #expect(value("app.now") == nil && known == ["app.now"])
        try driver.link("app.now", "app.b")
        try driver.set("app.now", "{}")
        #expect(known == ["app.now"])
        try driver.remove("app.now")
        #expect(known == [])
    }

    @Test func `moved elements invalidate the known paths through them`() throws {
        try driver.remove("app.list.0")
        #expect(known == [])
        #expect(value("app.list.0.x") == 4 && value("app.list.1.x") == nil)
    }

    @Test func `a zeroed weak reference invalidates the known paths through it`() throws {
        try driver.set("app.other", #"{"m":{"x":5}}"#)
        try driver.link("app.now", "app.other.m", weak: true)
        #expect(value("app.now.x") == 5)
        try driver.set("app.other.m", "null")
        #expect(!known.contains("app.now.x") && value("app.now.x") == nil)
        #expect(driver.tree.faults() == [])
    }
}
