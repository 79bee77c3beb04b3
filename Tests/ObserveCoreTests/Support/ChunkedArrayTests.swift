// SPDX-License-Identifier: MIT
// Rows in chunks, beside Swift's array.

import Testing

@testable import ObserveCore

struct ChunkedArrayTests {
    @Test(arguments: [0, 1, 255, 256, 257, 1000])
    func `elements stay where they were added, and can be changed there`(count: Int) {
        var row = ChunkedArray<Int>()
        for number in 0..<count {
            row.append(number)
            #expect(row[number] == number)
        }
        for index in 0..<count { row[index] += 1000 }
        #expect(row.count == count && row.isEmpty == (count == 0))
        #expect((0..<count).map { row[$0] } == (1000..<1000 + count).map { $0 })
    }

    @Test(arguments: [false, true], [1, 256, 600])
    func `an emptied row begins anew`(keepsCapacity: Bool, count: Int) {
        var row = ChunkedArray<Int>()
        for number in 0..<count { row.append(number) }
        row.removeAll(keepingCapacity: keepsCapacity)
        #expect(row.isEmpty)
        for number in 0..<count { row.append(-number) }
        #expect((0..<count).map { row[$0] } == (0..<count).map { -$0 })
    }

    /// Only whole chunks leave, and the others keep their indices.
    @Test func `the elements before an index are freed`() {
        final class Element {}
        var row = ChunkedArray<Element>()
        var first: [Unowned] = []
        struct Unowned { weak var element: Element? }
        for _ in 0..<600 {
            let element = Element()
            first.append(Unowned(element: element))
            row.append(element)
        }
        for index in 0...300 { row.free(before: index) }
        #expect(first[..<256].allSatisfy { $0.element == nil })
        #expect(first[256...].allSatisfy { $0.element != nil })
        #expect(row[256] === first[256].element && row.count == 600)
    }
}
