// SPDX-License-Identifier: MIT
// Conditions and choices on observed paths: their values, events and ends.

import Testing

@testable import ObserveCore

@Suite struct SelectionTests {
    private func rooms() throws -> TreeDriver {
        try TreeDriver(
            ("rooms", #"{"a":{"on":true,"x":1},"b":{"on":false,"x":2},"c":null}"#),
            ("arr", #"[{"on":true,"x":1},{"on":false,"x":2}]"#)
        )
    }

    private func hasUnread(_ driver: TreeDriver) -> Bool { !driver.tree.dependents.updates.unread.isEmpty }

    /// Sets the value and rolls it back.
    ///
    /// - Returns: whether it changed anything.
    private func dryRun(_ path: String, _ json: StaticString, in driver: TreeDriver) throws -> Bool {
        let parsed = try driver.tree.parsed(path)
        return try driver.tree.preview(
            refusingAs: { $0 },
            isLimited: false,
            { () throws(TreeError) in
                _ = try driver.tree.set(parsed, to: JSONView(validated: ByteView(json)))
            },
            inspect: {}
        )
    }

    @Test func `a condition is a computed property at its component`() throws {
        let driver = try rooms()
        try driver.observe("rooms.b[on].x")
        try driver.observe("rooms.b[on]")
        try driver.set("rooms.b.x", "3")
        try driver.set("rooms.b.on", "true")
        try driver.set("rooms.b.x", "4")
        try driver.set("rooms.b", #"{"on":true,"x":5}"#)
        try driver.set("rooms", #"{"b":{"on":true,"x":6}}"#)
        try driver.set("rooms", "null")
        #expect(
            driver.take() == [
                #"rooms.b[on] valueChanged null -> {"on":true,"x":3} r4"#,
                "rooms.b[on].x pathChanged null -> 3 changedAt=rooms.b[on] r4",
                "rooms.b[on].x valueChanged 3 -> 4 r5",
                #"rooms.b[on] valueChanged {"on":true,"x":4} -> {"on":true,"x":5} r6"#,
                "rooms.b[on].x pathChanged 4 -> 5 changedAt=rooms.b[on] r6",
                #"rooms.b[on] pathChanged {"on":true,"x":5} -> {"on":true,"x":6} changedAt=rooms r7"#,
                "rooms.b[on].x pathChanged 5 -> 6 changedAt=rooms r7",
                #"rooms.b[on] pathChanged {"on":true,"x":6} -> null changedAt=rooms nilAt=rooms r8"#,
                "rooms.b[on].x pathChanged 6 -> null changedAt=rooms nilAt=rooms r8",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
        driver.stopAll()
        #expect(driver.tree.selectionProperties.isEmpty)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `elements of arrays have conditions and are chosen`() throws {
        let driver = try rooms()
        try driver.observe("arr.1[on].x")
        try driver.observe("arr.@first[!on].x")
        try driver.observe("arr.@count[on]")
        try driver.observe("arr.@sum[on].x")
        try driver.set("arr.1.on", "true")
        try driver.insert("arr", #"{"on":true,"x":9}"#, at: 0)
        try driver.set("arr.0.on", "false")
        let events = driver.take()
        #expect(
            Set(events) == [
                "arr.1[on].x pathChanged null -> 2 changedAt=arr.1[on] r3",
                "arr.@first[!on].x pathChanged 2 -> null changedAt=arr.@first[!on] nilAt=arr.@first[!on] r3",
                "arr.@count[on] valueChanged 1 -> 2 r3",
                "arr.@sum[on].x valueChanged 1 -> 3 r3",
                "arr.1[on].x pathChanged 2 -> 1 changedAt=arr r4",
                "arr.@count[on] valueChanged 2 -> 3 r4",
                "arr.@sum[on].x valueChanged 3 -> 12 r4",
                "arr.@first[!on].x pathChanged null -> 9 changedAt=arr.@first[!on] r5",
                "arr.@count[on] valueChanged 3 -> 2 r5",
                "arr.@sum[on].x valueChanged 12 -> 3 r5",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `the latest is the youngest match`() throws {
        let driver = try rooms()
        try driver.observe("rooms.@latest[on].x")
        try driver.set("rooms.b.on", "true")
        try driver.set("rooms.a.on", "false")
        try driver.set("rooms.a.on", "true")
        try driver.set("rooms.b.x", "7")
        try driver.remove("rooms.a")
        try driver.set("rooms.d", #"{"on":true,"x":8}"#)
        #expect(
            driver.take() == [
                "rooms.@latest[on].x pathChanged 1 -> 2 changedAt=rooms.@latest[on] r3",
                "rooms.@latest[on].x pathChanged 2 -> 1 changedAt=rooms.@latest[on] r5",
                "rooms.@latest[on].x pathChanged 1 -> 7 changedAt=rooms.@latest[on] r7",
                "rooms.@latest[on].x pathChanged 7 -> 8 changedAt=rooms.@latest[on] r8",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `patterns take conditions, and choices before a wildcard`() throws {
        let driver = try rooms()
        try driver.observe(pattern: "rooms.*[on].x")
        try driver.observe(pattern: "arr.*[on].x")
        try driver.observe(pattern: "rooms.@first[on].*")
        #expect(driver.tree.faults().isEmpty)
        try driver.set("rooms.b.on", "true")
        try driver.set("rooms.d", #"{"on":true,"x":4}"#)
        try driver.remove("rooms.a")
        try driver.insert("arr", #"{"on":true,"x":9}"#, at: 2)
        #expect(
            Set(driver.take()) == [
                "rooms.b[on].x pathChanged null -> 2 changedAt=rooms.b[on] r3",
                "rooms.d[on].x pathChanged null -> 4 changedAt=rooms.d[on] r4",
                "rooms.a[on].x pathChanged 1 -> null changedAt=rooms.a[on] nilAt=rooms.a[on] r5",
                "rooms.@first[on].x pathChanged 1 -> 2 changedAt=rooms.@first[on] r5",
                "arr.2[on].x pathChanged null -> 9 changedAt=arr r6",
            ]
        )
        #expect(driver.tree.faults().isEmpty)
        driver.stopAll()
        #expect(driver.tree.faults().isEmpty)
        #expect(driver.tree.selectionProperties.isEmpty)
    }

    @Test func `a binding and a link take conditions and choices as their source`() throws {
        let driver = try rooms()
        try driver.tree.define(root: "out", json: #"{"x":null,"link":null}"#)
        try driver.tree.bind(source: "rooms.@latest[on].x", target: "out.x", isTwoWay: false)
        try driver.set("rooms.b.on", "true")
        #expect(try driver.get("out.x") == "2")
        try driver.set("rooms.b.x", "5")
        #expect(try driver.get("out.x") == "5")
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a commit that is rolled back leaves selections as they were`() throws {
        let driver = try rooms()
        try driver.observe("rooms.b[on].x")
        #expect(throws: TreeError.self) {
            try driver.commit([
                .set(path: "rooms.b.on", json: "true", parents: false),
                .set(path: "rooms.none.on", json: "true", parents: false),
            ])
        }
        #expect(driver.take() == [])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a selection that a commit has no looks left for follows the next commit`() throws {
        var limits = TreeLimits()
        limits.maxElements = 32
        let models = (0..<8).map { "\"m\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let driver = try TreeDriver(limits: limits, ("r", "{\(models)}"))
        let watchers = try (0..<8).map { try driver.observe("r.@latest[n != \(90 + $0)].n") }
        try driver.set("r.m3.n", "20")
        let following = driver.takeEvents().filter { $0.new == "20" }.map(\.watcher)
        #expect(!following.isEmpty && following.count < 8)
        for watcher in watchers where following.contains(watcher) { driver.stop(watcher) }
        try driver.set("r.m3.n", "30")
        #expect(driver.takeEvents().contains { $0.new == "30" })
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a selection takes no memory of the tree`() throws {
        let text = String(repeating: "x", count: 1000)
        let driver = try TreeDriver(("r", #"{"a":{"on":true},"b":{"on":true},"t":"\#(text)"}"#))
        let before = driver.tree.usedBytes
        let watchers = try ["r.a[on]", "r.@latest[on].on", "r.t[len(.) > 1]"].map { try driver.observe($0) }
        #expect(driver.tree.usedBytes == before)
        #expect(driver.tree.faults().isEmpty)
        try driver.remove("r.b")
        try driver.set("r.t", #""y""#)
        #expect(driver.tree.faults().isEmpty)
        for watcher in watchers { driver.stop(watcher) }
        #expect(driver.tree.usedBytes < before && driver.tree.faults().isEmpty)
    }

    @Test func `a dry run without looks left leaves nothing that reads its models`() throws {
        var limits = TreeLimits()
        limits.maxElements = 4
        let driver = try TreeDriver(limits: limits, ("r", #"{"list":[{"n":1},{"n":2},{"n":3}],"p":{}}"#))
        try driver.compute("r.p", "label", "{sub.title}")
        for number in 0..<8 {
            driver.tree.allowElements()
            try driver.observe("r.list.@first[n > \(90 + number)].n")
        }
        let (sub, element) = (ParsedKeyPath(maxDepth: 64), ParsedKeyPath(maxDepth: 64))
        try sub.parse(dotted: "r.p.sub")
        try element.parse(dotted: "r.list.0.n")
        let changed = try driver.tree.preview(
            refusingAs: { $0 },
            isLimited: false,
            { () throws(TreeError) in
                _ = try driver.tree.set(sub, to: JSONView(validated: ByteView(#"{"title":"s"}"#)))
                _ = try driver.tree.set(element, to: JSONView(validated: ByteView("5")))
            },
            inspect: {}
        )
        #expect(changed)
        #expect(driver.take() == [])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a selection that a rollback has no looks left for follows the next commit`() throws {
        var limits = TreeLimits()
        limits.maxElements = 32
        let others = (0..<24).map { "\"p\($0)\":\($0)," }.joined()
        let driver = try TreeDriver(
            limits: limits,
            ("r", "{\"a\":{\"sub\":{\"v\":1}},\"b\":{\(others)\"sub\":{\"v\":2}}}")
        )
        try driver.observe("r.@latest[sub.v < 90].sub.v")
        // The rollback makes these follow their paths again, since they read which properties r.b has.
        let watchers = try (0..<5).map { number in
            driver.tree.allowElements()
            return try driver.observe("r.b.@first[. != \(90 + number)]")
        }
        let changed = try dryRun("r.b.sub", #"{"v":5}"#, in: driver)
        #expect(changed)
        for watcher in watchers { driver.stop(watcher) }
        #expect(driver.take() == [])
        try driver.set("r.b.sub.v", "95")
        #expect(driver.takeEvents().map(\.new) == ["1"])
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a selection that a commit has no looks left for keeps its value until one has`() throws {
        var limits = TreeLimits()
        limits.maxElements = 32
        let others = (0..<24).map { "\"p\($0)\":\($0)," }.joined()
        let driver = try TreeDriver(
            limits: limits,
            ("r", "{\"a\":{\"sub\":{\"v\":1}},\"b\":{\(others)\"sub\":{\"v\":2}}}"),
            ("out", "{}")
        )
        try driver.observe("r.@latest[sub.v < 90].sub.v")
        // Bindings come first, and use up all looks: in the rollback, and in the commit after it.
        let bindings = try (0..<5).map { try driver.bind("r.b.@first[. != \(90 + $0)]", "out.x\($0)") }
        let changed = try dryRun("r.b.sub", #"{"v":5}"#, in: driver)
        #expect(changed && hasUnread(driver))
        try driver.set("r.b.p0", "50")
        #expect(driver.take() == [])
        #expect(hasUnread(driver))
        for binding in bindings { try driver.unbind(binding) }
        try driver.set("r.b.sub.v", "95")
        #expect(driver.takeEvents().map(\.new) == ["1"])
        #expect(!hasUnread(driver))
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a selection that is too large for any commit is not retried for ever`() throws {
        var limits = TreeLimits()
        limits.maxElements = 32
        let others = (0..<40).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        let driver = try TreeDriver(limits: limits, ("r", "{\(others)}"), ("s", "{}"))
        try driver.observe("r.@first[. > 90]")
        _ = try dryRun("r.q", "1", in: driver)
        #expect(hasUnread(driver))
        // Nor does a dry run end the retry.
        _ = try dryRun("s.x", "1", in: driver)
        #expect(hasUnread(driver))
        try driver.set("s.x", "1")
        #expect(!hasUnread(driver))
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a binding whose condition would look at too much looks at nothing`() throws {
        var limits = TreeLimits()
        limits.maxElements = 1000
        let models = (0..<1000).map { "\"m\($0)\":{\"on\":true}" }.joined(separator: ",")
        let driver = try TreeDriver(limits: limits, ("r", "{\(models)}"), ("out", "{}"))
        try driver.tree.bind(source: "r.@count[on && on]", target: "out.x", isTwoWay: false)
        #expect(driver.tree.failingBindings == 1)
        for value in ["false", "true"] {
            let before = driver.tree.records.effort.steps
            try driver.set("r.m0.on", value)
            #expect(driver.tree.records.effort.steps - before < 1000)
        }
        try driver.commit((400..<1000).map { TreeWrite.remove(path: "r.m\($0)") })
        #expect(try driver.get("out.x") == "400")
        #expect(driver.tree.failingBindings == 0)
        try driver.set("r.m0.on", "false")
        #expect(try driver.get("out.x") == "399")
        #expect(driver.tree.faults().isEmpty)
    }

    @Test(arguments: [
        "r.a[on].v", "r.a.v[. > 0]", "r.@first[on].v", "r.@latest[on]", "r.@count[on]",
    ])
    func `a commit beyond the history may remove what a selection reads`(_ path: String) throws {
        var limits = TreeLimits()
        limits.maxHistoryCommits = 1
        let driver = try TreeDriver(limits: limits, ("r", #"{"a":{"on":true,"v":1}}"#))
        driver.tree.keepHistory(commits: 1)
        try driver.observe(path)
        try driver.remove("r")
        #expect(driver.take().count == 1)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `selections have a bounded number of inputs in containers`() throws {
        var limits = TreeLimits()
        limits.maxElements = 32
        let models = (0..<8).map { "\"m\($0)\":{\"n\":\($0)}" }.joined(separator: ",")
        let driver = try TreeDriver(limits: limits, ("r", "{\(models)}"))
        for number in 0..<100 {
            driver.tree.allowElements()
            try driver.observe("r.@first[n != \(90 + number)].n")
        }
        // A choice has two inputs for each element.
        #expect(driver.tree.dependents.elementInputs == 4 * limits.maxElements)
        #expect(driver.tree.dependents.edges.count <= 4 * limits.maxElements + 10 * 100)
        for _ in 0..<20 { try driver.set("r.m3.n", "20") }
        #expect(driver.tree.dependents.elementInputs == 4 * limits.maxElements)
        driver.stopAll()
        #expect(driver.tree.dependents.elementInputs == 0)
        #expect(driver.tree.faults().isEmpty)
    }

    @Test func `a write costs nothing that no condition concerns`() throws {
        let driver = try rooms()
        try driver.observe("rooms.b[on].x")
        let before = driver.tree.dependents.updateCount
        try driver.set("arr.0.x", "5")
        #expect(driver.tree.dependents.updateCount == before)
    }
}
