// SPDX-License-Identifier: MIT
// Rows of tables as JSON objects. Independent of the tables.

import ObserveCore

extension RawJSON {
    /// An object with a name and a value.
    init(named name: String, value: RawJSON, as member: String) {
        self = RawJSON(.object(ValueMembers([("name", .string(name))]))).adding(member, value)
    }

    /// The object with one more member.
    func adding(_ name: String, _ value: RawJSON) -> RawJSON {
        let text = "\(text.dropLast()),\(RawJSON(.string(name)).text):\(value.text)}"
        return (try? RawJSON(validating: Array(text.utf8), maxDepth: .max)) ?? self
    }
}
