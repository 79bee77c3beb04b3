// SPDX-License-Identifier: MIT
// An object's members, each name once, with those of the objects in it.

/// A member of an object. If its value is an object, `inner` are the members there.
struct JSONMember {
    let name: JSONView
    let value: JSONView
    var inner: [JSONMember] = []
}

extension JSONView {
    /// The members, each at the place of its name's first occurrence, with the last value. Empty for other kinds.
    /// - Cost: one pass at any depth, over arrays too. Names are found by a seeded hash; few members are compared with each other.
    var lastMembers: [JSONMember] {
        var walker = JSONWalker(in: self)
        return kind == .object ? walker.lastMembers() : []
    }

    private static let seed = UInt64.random(in: .min ... .max)

    /// Whether both strings have the same text, perhaps with other escapes.
    fileprivate func hasText(of other: JSONView) -> Bool {
        guard hasEscapes || other.hasEscapes else { return contents == other.contents }
        return decodedString().utf8.elementsEqual(other.decodedString().utf8)
    }

    /// Seeded randomly, so that no peer can choose names that collide.
    fileprivate var textHash: UInt64 {
        hasEscapes
            ? ByteView.with(decodedString()) { $0.hash(seed: JSONView.seed) }
            : contents.hash(seed: JSONView.seed)
    }
}

private extension JSONWalker {
    /// The members up to the end of the object, which the walker leaves. Recursion is as deep as the text may nest.
    mutating func lastMembers() -> [JSONMember] {
        var found: [JSONMember] = []
        while found.count < 8 {
            guard let member = nextMember() else { return found }
            if let known = found.firstIndex(where: { $0.name.hasText(of: member.name) }) {
                found[known] = member
            } else {
                found.append(member)
            }
        }
        // Only a further member needs the index.
        guard var member = nextMember() else { return found }
        var index = HashIndex<JSONMember>()
        for (number, member) in found.enumerated() { index.insert(member.name.textHash, ID(index: number)) }
        while true {
            let hash = member.name.textHash
            if let known = index.find(hash, { found[$0.index].name.hasText(of: member.name) }) {
                found[known.index] = member
            } else {
                if found.count.nonzeroBitCount == 1 { index.reserve(found.count) }
                index.insert(hash, ID(index: found.count))
                found.append(member)
            }
            guard let next = nextMember() else { return found }
            member = next
        }
    }

    mutating func nextMember() -> JSONMember? {
        guard let name = nextName() else { return nil }
        let start = JSONSteps.skipSeparators(text, from: position)
        guard text.byteOrZero(start) == 0x7B else {
            let value = JSONSteps.value(in: text, at: start)
            position = start &+ value.view.count
            return JSONMember(name: name, value: value)
        }
        position = start &+ 1
        let inner = lastMembers()
        let object = JSONView(view: text.slice(start..<position), kind: .object)
        return JSONMember(name: name, value: object, inner: inner)
    }
}
