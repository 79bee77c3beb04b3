// SPDX-License-Identifier: MIT
// Names along a path as keys of a bucket.

import Testing

@testable import observectl

@Suite struct BridgeKeyTests {
    @Test(arguments: [
        (["house", "kitchen"], "house.kitchen"), (["a.b", "=", "é x", "*"], "a=2Eb.=3D.=C3=A9=20x.=2A"),
        (["A-Z_/9"], "A-Z_/9"), (["$", ">"], "=24.=3E"),
        (["packages", "", "version"], "packages.=.version"), ([""], "="), (["", ""], "=.="),
        (["=", ""], "=3D.="),
    ])
    func `each path has one key`(names: [String], key: String) {
        #expect(BridgeKey.key(of: names) == key && BridgeKey.names(of: Array(key.utf8)[...]) == names)
        let node = KeyTree([BridgedPath(names: names, direction: .both)]).scopes[0]
        #expect(node.key == Array(key.utf8))
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "==", "a=", "=2", "=2e", "=41", "a b", "é", "=FF", "=G0"])
    func `no other key is a path's`(key: String) {
        #expect(BridgeKey.names(of: Array(key.utf8)[...]) == nil)
    }
}
