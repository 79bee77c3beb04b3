// SPDX-License-Identifier: MIT
// Searches and comparisons of UTF-8 have the results of plain ones on arrays.

import Testing

@testable import ObserveCore

@Suite struct ByteSearchTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `random texts compare and occur as arrays do`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &generator))
                .map { _ in ["a", "a", "b", "é", "日", "\u{1F600}"][Int.random(in: 0..<6, using: &generator)] }
                .joined()
        }
        for _ in 0..<2_000 {
            let (whole, other) = (text(0...40), text(0...4))
            let part = Bool.random(using: &generator) ? String(whole.unicodeScalars.suffix(9)) : other
            let (bytes, wanted) = (Array(whole.utf8), Array(part.utf8))
            ByteView.with(bytes) { view in
                #expect(view.scalarCount == whole.unicodeScalars.count)
                ByteView.with(wanted) { part in
                    let places = 0...max(0, bytes.count - wanted.count)
                    let occurs = places.contains { bytes[$0...].starts(with: wanted) }
                    #expect(view.contains(part) == occurs, "\(bytes) \(wanted)")
                    #expect(view.starts(with: part) == bytes.starts(with: wanted))
                    #expect(view.order(to: part).signum() == Self.order(bytes, wanted))
                }
            }
        }
    }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    }

    @Test(arguments: [
        ("aaaaaaaab", "aab", true), ("aabaabaaab", "aabaaab", true), ("abababac", "ababac", true),
        ("abcabcabd", "abcabd", true), ("aaaa", "aaaaa", false), ("", "", true), ("", "a", false),
        ("a", "", true),
    ])
    func `a search continues with the longest border`(text: String, wanted: String, occurs: Bool) {
        #expect(ByteView.with(text) { text in ByteView.with(wanted) { text.contains($0) } } == occurs)
    }
}
