// SPDX-License-Identifier: MIT
// An object's members, each name once.

extension JSONView {
    /// The members, each at the place of its name's first occurrence, with the last value. Empty for other kinds.
    ///
    /// - Cost: O(members), by a seeded hash of each name. Few members are compared with each other.
    var lastMembers: [(name: JSONView, value: JSONView)] {
        var found = FoundMembers()
        forEachMember { name, value in
            if let position = found.position(of: name) {
                found.members[position].value = value
            } else {
                found.append(name, value)
            }
        }
        return found.members
    }
}

/// Members that are found by name: a hash table with linear probing, at most half full, once they are many.
private struct FoundMembers {
    private static let few = 8
    /// Random, so that no peer can choose names that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    var members: [(name: JSONView, value: JSONView)] = []
    /// The hash of each member's name, once they are many.
    private var hashes: ContiguousArray<Int> = []
    /// A member's position plus one; 0 in an empty place. Their number is a power of two.
    private var places: ContiguousArray<Int32> = []
    // Made for the second member.
    private lazy var decoded = ByteBuffer()
    private lazy var other = ByteBuffer()
    /// The hash of the last name that was searched.
    private var lastHash = 0

    mutating func position(of name: JSONView) -> Int? {
        if members.isEmpty { return nil }
        let text = FoundMembers.decoded(name, in: decoded)
        let other = other
        guard members.count >= FoundMembers.few else {
            return members.firstIndex { FoundMembers.decoded($0.name, in: other) == text }
        }
        if places.isEmpty { grow() }
        lastHash = FoundMembers.hash(text)
        var place = lastHash & (places.count - 1)
        while places[place] != 0 {
            let position = Int(places[place]) - 1
            if hashes[position] == lastHash,
                FoundMembers.decoded(members[position].name, in: other) == text
            {
                return position
            }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Adds the member whose name was searched last, and not found.
    mutating func append(_ name: JSONView, _ value: JSONView) {
        members.append((name, value))
        guard !places.isEmpty else { return }
        hashes.append(lastHash)
        if members.count * 2 > places.count { grow() } else { enter(members.count - 1) }
    }

    private mutating func grow() {
        places = ContiguousArray(repeating: 0, count: max(64, places.count * 4))
        let other = other
        for position in hashes.count..<members.count {
            hashes.append(FoundMembers.hash(FoundMembers.decoded(members[position].name, in: other)))
        }
        for position in members.indices { enter(position) }
    }

    private mutating func enter(_ position: Int) {
        var place = hashes[position] & (places.count - 1)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = Int32(truncatingIfNeeded: position + 1)
    }

    private static func decoded(_ name: JSONView, in buffer: ByteBuffer) -> ByteView {
        guard name.hasEscapes else { return name.contents }
        buffer.removeAll()
        name.appendDecoded(to: buffer)
        return buffer.view
    }

    private static func hash(_ text: ByteView) -> Int {
        Int(truncatingIfNeeded: text.hash(seed: seed))
    }
}
