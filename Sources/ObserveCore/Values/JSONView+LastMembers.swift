// SPDX-License-Identifier: MIT
// An object's members, each name once.

extension JSONView {
    /// The members, each at the place of its name's first occurrence, with the last value. Empty for other kinds.
    ///
    /// - Cost: O(members); copies the names into a table with a seeded hash.
    var lastMembers: [(name: JSONView, value: JSONView)] {
        var found: [(name: JSONView, value: JSONView)] = []
        var positions: [[UInt8]: Int] = [:]
        let buffer = ByteBuffer()
        forEachMember { name, value in
            buffer.removeAll()
            name.appendDecoded(to: buffer)
            if let position = positions.updateValue(found.count, forKey: buffer.array) {
                positions[buffer.array] = position
                found[position].value = value
            } else {
                found.append((name, value))
            }
        }
        return found
    }
}
