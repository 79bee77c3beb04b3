// SPDX-License-Identifier: MIT
// An object's members, each name once. Does not know what the names stand for.

extension JSONView {
    /// The members, of several with one name the last value, where the name first stands; none for other kinds.
    ///
    /// - Cost: O(members); names are copied into a table with a seeded hash.
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
