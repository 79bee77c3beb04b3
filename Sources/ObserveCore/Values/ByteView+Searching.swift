// SPDX-License-Identifier: MIT
// Compares and searches UTF-8. Independent of JSON's escapes.

extension ByteView {
    /// How many Unicode scalars the bytes have: all bytes but those that continue a scalar.
    var scalarCount: Int {
        var (count, index) = (self.count, 0)
        while index &+ 8 <= self.count {
            let word = word(at: index)
            count &-= (word & ~(word &<< 1) & 0x8080_8080_8080_8080).nonzeroBitCount
            index &+= 8
        }
        for index in index..<self.count where self[index] & 0xC0 == 0x80 { count &-= 1 }
        return count
    }

    /// Negative if these bytes precede the other ones, 0 if both are equal.
    func order(to other: ByteView) -> Int {
        let common = min(count, other.count)
        var index = 0
        while index &+ 8 <= common, word(at: index) == other.word(at: index) { index &+= 8 }
        while index < common, self[index] == other[index] { index &+= 1 }
        return index < common ? Int(self[index]) - Int(other[index]) : count - other.count
    }

    func starts(with other: ByteView) -> Bool { other.count <= count && prefix(other.count) == other }

    /// Whether the other bytes occur here, in time proportional to both. Knuth, Morris and Pratt: after a mismatch, the search
    /// continues with the longest border of the matched part.
    func contains(_ wanted: ByteView) -> Bool {
        if wanted.isEmpty { return true }
        guard var index = firstIndex(of: wanted[0], from: 0), count &- index >= wanted.count
        else { return false }
        let borders = wanted.borders
        var matched = 0
        while index < count {
            let byte = self[index]
            if byte == wanted[matched] {
                (index, matched) = (index &+ 1, matched &+ 1)
                if matched == wanted.count { return true }
            } else if matched > 0 {
                matched = borders[matched &- 1]
            } else if let next = firstIndex(of: wanted[0], from: index &+ 1) {
                index = next
            } else {
                return false
            }
        }
        return false
    }

    /// For each beginning, how long its longest other beginning is that also ends it.
    private var borders: [Int] {
        var borders = [0]
        borders.reserveCapacity(count)
        var matched = 0
        for index in 1..<count {
            while matched > 0, self[matched] != self[index] { matched = borders[matched - 1] }
            if self[matched] == self[index] { matched += 1 }
            borders.append(matched)
        }
        return borders
    }
}
