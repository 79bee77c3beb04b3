// SPDX-License-Identifier: MIT
// Events of scalars are put together in one go, all others part by part. Both say the same.

import Testing

@testable import ObserveCore

@Suite struct EventEncodingTests {
    private static var values: [StoredValue] {
        [.absent, .null, .bool(true), .int(-1), .double(0.5), .string(.make(ByteView("text")))]
    }
    private static let reasons: [ChangeReason] = [.valueChanged, .pathChanged, .sourceDeleted, .initial]

    @Test(arguments: [false, true])
    func `scalars read the same either way`(withOld: Bool) throws {
        let driver = try TreeDriver(("a", #"{"b\"":{"c":1}}"#))
        try driver.observe(#"a.b".c"#)
        let tree = driver.tree
        let found = (NodeID(0)..<NodeID(index: tree.paths.nodes.allocatedCount)).first { !tree.paths.nodes[$0].path.isNone }
        let node = try #require(found)
        let above = [.noRecord, tree.paths.nodes[node].parent, tree.paths.nodes[tree.paths.nodes[node].parent].parent]
        var revision = DecimalText()
        revision.show(1234)
        var told = 0
        for reason in EventEncodingTests.reasons {
            for changedAt in above {
                for nilAt in above {
                    for value in EventEncodingTests.values {
                        var change = PathChange(
                            node: node,
                            reason: reason,
                            old: value,
                            new: value,
                            differs: true
                        )
                        (change.changedAt, change.nilAt) = (changedAt, nilAt)
                        // The way to a value is only said of a path that leads elsewhere.
                        if reason != .pathChanged, changedAt != .noRecord { continue }
                        let (short, long) = (ByteBuffer(), ByteBuffer())
                        guard
                            tree.encode(scalars: change, revision, isLine: false, withOld: withOld, to: short)
                        else {
                            #expect(short.isEmpty && reason != .pathChanged)
                            continue
                        }
                        tree.encode(change, revision: 1234, .init(withOld: withOld), to: long)
                        #expect(short.string == long.string)
                        told += 1
                    }
                }
            }
        }
        // Six values: of a path that leads where it led, and three by three of one that does not.
        #expect(told == 6 + 54)
    }
}
