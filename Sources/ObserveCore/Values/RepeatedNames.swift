// SPDX-License-Identifier: MIT
// Finds names that occur more than once in an object of a JSON text.

package struct RepeatedName: Equatable, Sendable {
    /// The names and indexes from the outermost value to the member; its own name is the last.
    package let place: [String]
}

package enum RepeatedNames {
    /// The repeated names, each once, in the order of their second occurrence; empty if `text` is not JSON.
    /// - Cost: one pass for each level; copies every name.
    package static func find(in text: [UInt8], maxDepth: Int = 512) -> [RepeatedName] {
        ByteView.with(text) { view in
            guard let value = try? JSONScanner.validate(view, maxDepth: maxDepth) else { return [] }
            var found: [RepeatedName] = []
            search(value, at: [], &found)
            return found
        }
    }

    /// Recursion is as deep as the text may nest.
    private static func search(_ value: JSONView, at place: [String], _ found: inout [RepeatedName]) {
        // These names compare by their bytes.
        var times = ValueMembers()
        for (name, value) in value.members {
            let name = name.decodedString()
            let timesNow = (times[name]?.int ?? 0) + 1
            times[name] = .int(timesNow)
            if timesNow == 2 { found.append(RepeatedName(place: place + [name])) }
            if value.kind.isContainer { search(value, at: place + [name], &found) }
        }
        for (index, element) in value.elements.enumerated() where element.kind.isContainer {
            search(element, at: place + [String(index)], &found)
        }
    }
}
