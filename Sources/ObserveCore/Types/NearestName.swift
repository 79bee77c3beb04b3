// SPDX-License-Identifier: MIT
// Guesses the known name that an unknown name was meant to be. Independent of what the names mean.

package enum NearestName {
    /// A longer name is not a typing error.
    private static let longest = 128

    /// The known name that differs least: by at most two letters, and about a third of them; case does not count. Otherwise the
    /// first that begins with the unknown one, or is its beginning. Nil if no name is near.
    package static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let wanted = letters(of: name)
        guard wanted.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        var related: String?
        for candidate in known {
            let letters = letters(of: candidate)
            let distance = distance(wanted, letters)
            if distance <= (wanted.count + 1) / 3, distance < best?.distance ?? 3 {
                best = (candidate, distance)
            }
            if related == nil, isBeginning(wanted, of: letters) || isBeginning(letters, of: wanted) {
                related = candidate
            }
        }
        return best?.name ?? related
    }

    private static func letters(of name: String) -> [UInt32] {
        name.unicodeScalars.map { $0.value >= 0x41 && $0.value <= 0x5A ? $0.value | 0x20 : $0.value }
    }

    private static func isBeginning(_ short: [UInt32], of long: [UInt32]) -> Bool {
        short.count >= 2 && long.starts(with: short)
    }

    /// How many letters must be inserted, removed, replaced, or swapped with their neighbours; 3 if more than two.
    private static func distance(_ a: [UInt32], _ b: [UInt32]) -> Int {
        guard abs(a.count - b.count) <= 2 else { return 3 }
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return min(last[b.count], 3)
    }
}
