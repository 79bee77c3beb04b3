// SPDX-License-Identifier: MIT
// An object's members, each name once.

extension JSONView {
    /// The members, each at the place of its name's first occurrence, with the last value. Empty for other kinds.
    /// - Cost: O(members), by a seeded hash of each name. Few members are compared with each other.
    var lastMembers: [(name: JSONView, value: JSONView)] {
        var found: [(name: JSONView, value: JSONView)] = []
        var members = members
        while found.count < JSONView.few, let (name, value) = members.next() {
            if let known = found.firstIndex(where: { $0.name.hasText(of: name) }) {
                found[known].value = value
            } else {
                found.append((name, value))
            }
        }
        // Only a further member needs the index.
        var further = members
        guard further.next() != nil else { return found }
        var index = HashIndex<JSONView>()
        for (number, member) in found.enumerated() { index.insert(member.name.textHash, ID(index: number)) }
        while let (name, value) = members.next() {
            let hash = name.textHash
            if let known = index.find(hash, { found[$0.index].name.hasText(of: name) }) {
                found[known.index].value = value
            } else {
                if found.count.nonzeroBitCount == 1 { index.reserve(found.count) }
                index.insert(hash, ID(index: found.count))
                found.append((name, value))
            }
        }
        return found
    }

    private static let few = 8
    /// Random, so that no peer can choose names that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    /// Whether both strings have the same text, perhaps with other escapes.
    private func hasText(of other: JSONView) -> Bool {
        guard hasEscapes || other.hasEscapes else { return contents == other.contents }
        return decodedString().utf8.elementsEqual(other.decodedString().utf8)
    }

    private var textHash: UInt64 {
        hasEscapes
            ? ByteView.with(decodedString()) { $0.hash(seed: JSONView.seed) }
            : contents.hash(seed: JSONView.seed)
    }
}
