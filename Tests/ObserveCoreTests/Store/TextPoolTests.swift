// SPDX-License-Identifier: MIT
// The pool of short texts: each keeps its bytes, and the pool reuses freed memory.

import Testing

@testable import ObserveCore

extension PooledText {
    /// Its place, which no other text of its pool has.
    var address: UInt64 { word & (1 << 48 - 1) }
}

/// Texts in a pool, and their expected values.
private final class Shelf {
    var pool = TextPool()
    var texts: [(text: PooledText, bytes: [UInt8])] = []

    func add(_ bytes: [UInt8]) {
        let text = ByteView.with(bytes) { pool.make($0) }
        texts.append((text, bytes))
    }

    func add(count: Int) { add((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }) }

    func drop(at index: Int) {
        texts.swapAt(index, texts.count - 1)
        pool.release(texts.removeLast().text)
    }

    func dropAll() { while !texts.isEmpty { drop(at: texts.count - 1) } }

    var count: Int { pool.count }
    var pageBytes: Int { pool.pageBytes }

    var isIntact: Bool {
        pool.count == texts.count && texts.allSatisfy { $0.text.view.array == $0.bytes }
            && texts.allSatisfy { $0.text.count == $0.bytes.count && !$0.text.isNone }
            && Set(texts.map(\.text.address)).count == texts.count
    }
}

@Suite struct TextPoolTests {
    @Test func `the pool stores texts of any length`() {
        let shelf = Shelf()
        for count in Array(0...300) + [4096, 65_534, 65_535, 65_536, 100_000] { shelf.add(count: count) }
        #expect(shelf.isIntact)
        for index in [290, 150, 3, 0] { shelf.drop(at: index) }
        #expect(shelf.isIntact)
        shelf.dropAll()
        #expect(shelf.count == 0)
        #expect(PooledText.none.isNone)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `texts keep their bytes while others come and go`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let shelf = Shelf()
        for round in 0..<6000 {
            let isGrowing = round / 1000 % 2 == 0
            if shelf.texts.isEmpty || Int.random(in: 0..<10, using: &random) < (isGrowing ? 7 : 3) {
                let isFar = Int.random(in: 0..<50, using: &random) == 0
                shelf.add(count: Int.random(in: 0...(isFar ? 2000 : 80), using: &random))
            } else {
                shelf.drop(at: Int.random(in: shelf.texts.indices, using: &random))
            }
            if round % 1000 == 0 { #expect(shelf.isIntact) }
        }
        #expect(shelf.isIntact)
    }

    @Test func `the pool reuses a released text's place`() {
        let shelf = Shelf()
        for _ in 0..<1000 { shelf.add(count: 32) }
        let bytes = shelf.pageBytes
        for round in 0..<10_000 {
            shelf.drop(at: round * 7 % 1000)
            shelf.add(count: 25 + round % 8)
        }
        #expect(shelf.isIntact)
        #expect(shelf.pageBytes == bytes)
    }

    /// All texts have each size in turn: an empty page serves any size.
    @Test func `the pool frees the memory of texts that grow`() {
        let shelf = Shelf()
        for _ in 0..<500 { shelf.add(count: TextPool.longest) }
        let bytes = shelf.pageBytes
        shelf.dropAll()
        for size in stride(from: 0, through: TextPool.longest, by: 8) {
            for _ in 0..<500 { shelf.add(count: size) }
            #expect(shelf.isIntact)
            shelf.dropAll()
        }
        #expect(shelf.pageBytes == bytes)
    }

    @Test func `a text takes its bytes, rounded up to eight`() {
        for (count, atMost) in [(8, 8), (12, 16), (32, 32), (33, 40), (250, 275)] {
            let shelf = Shelf()
            let number = 10_000
            for _ in 0..<number { shelf.add(count: count) }
            // A page's header takes less than a hundredth; the last region is not full.
            #expect(shelf.pageBytes <= number * atMost * 101 / 100 + 64 * 4096, "\(count) bytes")
        }
    }
}
