// SPDX-License-Identifier: MIT
// The fast path for events of scalars encodes the same lines as the general one.

import Testing

@testable import ObserveCore

@Suite struct EventEncodingTests {
    private static var values: [StoredValue] {
        [.absent, .null, .bool(true), .int(-1), .double(0.5), .string(.make(ByteView("text")))]
    }
    private static let reasons: [ChangeReason] = [.valueChanged, .pathChanged, .sourceDeleted, .initial]

    @Test(arguments: [false, true])
    func `both encodings of scalar events agree`(withOld: Bool) throws {
        let driver = try TreeDriver(("a", #"{"b\"":{"c":1}}"#))
        try driver.observe(#"a.b".c"#)
        let tree = driver.tree
        let found = (NodeID(0)..<NodeID(index: tree.paths.nodes.allocatedCount)).first {
            !tree.paths.nodes[$0].path.isNone
        }
        let node = try #require(found)
        let above = [
            .noRecord, tree.paths.nodes[node].parent, tree.paths.nodes[tree.paths.nodes[node].parent].parent,
        ]
        var revision = DecimalText()
        revision.show(1234)
        var events = 0
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
                        // Only an event of a path that leads elsewhere names components.
                        if reason != .pathChanged, changedAt != .noRecord { continue }
                        let (short, long) = (ByteBuffer(), ByteBuffer())
                        guard
                            tree.reader.encode(
                                scalars: change,
                                revision,
                                isLine: false,
                                withOld: withOld,
                                to: short
                            )
                        else {
                            #expect(short.isEmpty && reason != .pathChanged)
                            continue
                        }
                        tree.reader.encode(change, revision: 1234, .init(withOld: withOld), to: long)
                        #expect(short.string == long.string)
                        events += 1
                    }
                }
            }
        }
        // Six events of an unchanged path, and 54 of re-bound ones.
        #expect(events == 6 + 54)
    }
}
