// SPDX-License-Identifier: MIT
// Elements that are inserted and removed anywhere, beside an array of Swift's.

import Testing

@testable import ObserveCore

struct ElementListTests {
    private func list(_ numbers: some Sequence<Int>) -> ElementList<StoredValue> {
        ElementList(ContiguousArray(numbers.map { StoredValue.int(Int64($0)) }))
    }

    private func numbers(_ list: ElementList<StoredValue>) -> [Int] {
        list.map { if case .int(let number) = $0 { Int(number) } else { -1 } }
    }

    private func numbersByIndex(_ list: ElementList<StoredValue>) -> [Int] {
        list.indices.map { if case .int(let number) = list[$0] { Int(number) } else { -1 } }
    }

    @Test(arguments: [0, 1, 5000, 20_000])
    func `random changes of a list are those of an array`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        var expected = Array(0..<count)
        var list = list(expected)
        var shared: [(list: ElementList<StoredValue>, expected: [Int])] = []
        for step in 0..<6000 {
            // Growth and shrinking alternate, so that chunks split, merge and become contiguous again.
            let grows = (step / 1500) % 2 == 0
            let isInsertion = expected.isEmpty || Int.random(in: 0..<10, using: &generator) < (grows ? 8 : 2)
            let index = Int.random(in: 0..<(expected.count + (isInsertion ? 1 : 0)), using: &generator)
            if isInsertion {
                list.insert(.int(Int64(step)), at: index)
                expected.insert(step, at: index)
            } else {
                guard case .int(let removed) = list.remove(at: index) else {
                    Issue.record("no number")
                    return
                }
                #expect(Int(removed) == expected.remove(at: index))
            }
            if !expected.isEmpty, step % 3 == 0 {
                let other = Int.random(in: 0..<expected.count, using: &generator)
                list[other] = .int(Int64(-step))
                expected[other] = -step
            }
            if step % 1000 == 999 {
                shared.append((list, expected))
                #expect(numbers(list) == expected)
            }
        }
        #expect(numbersByIndex(list) == expected)
        #expect(list.count == expected.count)
        for copy in shared { #expect(numbers(copy.list) == copy.expected) }
    }

    @Test
    func `a list in chunks shrinks from its end to nothing`() {
        var list = list(0..<10_000)
        list.insert(.int(-1), at: 0)
        var expected = [-1] + Array(0..<10_000)
        for removed in [1, 511, 512, 513, 0, 3000, 5464] {
            list.removeLast(removed)
            expected.removeLast(removed)
            #expect(numbers(list) == expected)
        }
        #expect(list.isEmpty)
        list.insert(.int(7), at: 0)
        #expect(numbers(list) == [7])
    }

    @Test(arguments: [1, 3, 700, 5000]) func `appended elements come last, and copies keep theirs`(size: Int)
    {
        var (list, expected) = (list([]), [Int]())
        var shared: [(list: ElementList<StoredValue>, expected: [Int])] = []
        while expected.count < 12_000 {
            let new = (0..<size).map { expected.count + $0 }
            list.append(ContiguousArray(new.map { StoredValue.int(Int64($0)) }))
            expected += new
            if shared.count < 10 { shared.append((list, expected)) }
        }
        list.trim()
        #expect(numbers(list) == expected && numbersByIndex(list) == expected)
        for copy in shared { #expect(numbers(copy.list) == copy.expected) }
    }
}
