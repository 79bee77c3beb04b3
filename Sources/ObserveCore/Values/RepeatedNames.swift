// SPDX-License-Identifier: MIT
// Finds names that occur more than once in an object of a JSON text.

/// A name that occurs more than once in an object.
package struct RepeatedName: Equatable, Sendable {
    /// The names and indexes from the outermost value to the member; its own name is the last.
    package let place: [String]
}

package enum RepeatedNames {
    /// The repeated names, each once, in the order of their second occurrence; empty if `text` is not JSON.
    ///
    /// - Cost: one pass; copies every name.
    package static func find(in text: [UInt8], maxDepth: Int = 512) -> [RepeatedName] {
        ByteView.with(text) { view in
            guard let token = try? JSONScanner.validate(view, maxDepth: maxDepth) else { return [] }
            var search = Search()
            for event in JSONWalker(JSONView(token)) where search.receive(event) { break }
            return search.found
        }
    }
}

private struct Search {
    /// An open object or array.
    private struct Level {
        let isObject: Bool
        /// The name and the index of the current value.
        var name = ""
        var index = -1
        /// The number of occurrences of each name. Names compare by their bytes.
        var times: [[UInt8]: Int] = [:]

        var part: String { isObject ? name : String(index) }
    }

    private(set) var found: [RepeatedName] = []
    private var levels: [Level] = []

    /// Returns whether the outermost value has ended.
    mutating func receive(_ event: JSONEvent) -> Bool {
        switch event {
        case .beginObject: begin(Level(isObject: true))
        case .beginArray: begin(Level(isObject: false))
        case .name(let name): note(name.decodedString())
        case .scalar: countElement()
        case .end: levels.removeLast()
        }
        return levels.isEmpty
    }

    private mutating func begin(_ level: Level) {
        countElement()
        levels.append(level)
    }

    private mutating func countElement() {
        if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }

    private mutating func note(_ name: String) {
        let last = levels.count - 1
        levels[last].name = name
        levels[last].times[Array(name.utf8), default: 0] += 1
        if levels[last].times[Array(name.utf8)] == 2 { found.append(RepeatedName(place: levels.map(\.part))) }
    }
}
