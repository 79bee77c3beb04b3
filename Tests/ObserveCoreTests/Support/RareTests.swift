// SPDX-License-Identifier: MIT
// A value that takes memory from its first change on.

import Testing

@testable import ObserveCore

@Suite struct RareTests {
    private struct Numbers: Blank {
        var all: [Int] = []
    }

    @Test func `it is blank until it is changed, and after it is forgotten`() {
        var rare = Rare<Numbers>()
        #expect(rare.value.all.isEmpty && !rare.isMade)
        rare.value.all.append(1)
        rare.value.all.append(2)
        #expect(rare.value.all == [1, 2] && rare.isMade)
        rare.forget()
        #expect(rare.value.all.isEmpty && !rare.isMade)
        rare.value.all = [3]
        #expect(rare.value.all == [3])
    }
}
