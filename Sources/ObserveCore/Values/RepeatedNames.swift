// SPDX-License-Identifier: MIT
// Finds names that occur more than once in an object of a JSON text.

package enum RepeatedNames {
    /// The places of the repeated names, each once, in the order of their second occurrence; empty if `text` is not JSON. A place
    /// has the names and indexes from the outermost value to the member, whose own name is the last.
    /// - Cost: one pass for each level; copies every name.
    package static func find(in text: [UInt8], maxDepth: Int = 512) -> [[String]] {
        ByteView.with(text) { view in
            guard let value = try? JSONScanner.validate(view, maxDepth: maxDepth) else { return [] }
            var found: [[String]] = []
            search(value, at: [], &found)
            return found
        }
    }

    /// Recursion is as deep as the text may nest.
    private static func search(_ value: JSONView, at place: [String], _ found: inout [[String]]) {
        // These names compare by their bytes.
        var times = ValueMembers()
        for (name, value) in value.members {
            let name = name.decodedString()
            let timesNow = (times[name]?.int ?? 0) + 1
            times[name] = .int(timesNow)
            if timesNow == 2 { found.append(place + [name]) }
            if value.kind.isContainer { search(value, at: place + [name], &found) }
        }
        for (index, element) in value.elements.enumerated() where element.kind.isContainer {
            search(element, at: place + [String(index)], &found)
        }
    }
}
