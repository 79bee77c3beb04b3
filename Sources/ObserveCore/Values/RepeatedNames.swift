// SPDX-License-Identifier: MIT
// Finds names that stand twice in one object of a JSON text. Does not know whether that is wrong.

/// A name that an object has more than once.
package struct RepeatedName: Equatable, Sendable {
    /// The names and indexes that lead to it from the outermost value, its own name last.
    package let place: [String]
}

package enum RepeatedNames {
    /// Each of them once, in the order in which they are repeated; none if `text` is not JSON.
    ///
    /// - Cost: one pass; every name is copied.
    package static func find(in text: [UInt8], maxDepth: Int = 512) -> [RepeatedName] {
        ByteView.with(text) { view in
            guard let token = try? JSONScanner.validate(view, maxDepth: maxDepth) else { return [] }
            var search = Search()
            for event in JSONWalker(JSONView(token)) where search.take(event) { break }
            return search.found
        }
    }
}

private struct Search {
    /// An object or array that has not ended.
    private struct Level {
        let isObject: Bool
        /// Where the value is that comes next, or came last.
        var name = ""
        var index = -1
        /// How often each name came, told apart by their bytes.
        var times: [[UInt8]: Int] = [:]

        var part: String { isObject ? name : String(index) }
    }

    private(set) var found: [RepeatedName] = []
    private var levels: [Level] = []

    /// Returns whether the outermost value has ended.
    mutating func take(_ event: JSONEvent) -> Bool {
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
