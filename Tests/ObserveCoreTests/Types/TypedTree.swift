// SPDX-License-Identifier: MIT
// Typed trees for tests, declared like a configuration's.

@testable import ObserveCore

extension TypeDeclaration {
    /// `readonly id: String = "x"`: the property's name, its type, and a default as JSON.
    init(_ name: String, _ lines: String...) {
        self.init(name, lines.map(PropertyDeclaration.init(line:)))
    }
}

extension PropertyDeclaration {
    init(line: String) {
        let halves = line.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        let head = halves[0].split(separator: ":", maxSplits: 1).map { String($0).trimmed }
        self.init(head[0], head[1])
        if head[1].hasPrefix("computed ") {
            type = String(head[1].dropFirst(9))
            computed = halves[1]
        } else if halves.count == 2 {
            initial = try? Value(json: halves[1], maxDepth: 200)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}

/// A tree with every kind of type.
enum TypedTree {
    static let types = [
        TypeDeclaration(
            "App",
            "player: Player?",
            "volume: Int = 50",
            "gain: Double",
            "title: String",
            "on: Bool",
            "note: String?",
            "tags: [String]",
            "grid: [[Int]]",
            "queue: [Player]",
            "maybe: [Player?]",
            "users: [String: User]",
            "counts: [String: Int]",
            "spare: [String: Int?]",
            "extra: Any",
            "main: User = {\"name\": \"unnamed\"}",
            "current: weak Player?",
            "any: weak Any?",
            "id: readonly String = \"x\"",
            "fixed: readonly [Int]",
            "label: computed String? = {title}"
        ),
        TypeDeclaration("Player", "videoTitle: String", "position: Double?", "next: weak Player?"),
        TypeDeclaration("User", "name: String", "age: Int?", "home: Home?"),
        TypeDeclaration("Home", "city: String", "owner: User"),
    ]

    static func make(
        types: [TypeDeclaration] = TypedTree.types,
        _ roots: (name: String, type: String?, json: String?)...
    ) throws -> TreeDriver {
        let driver = try TreeDriver()
        try declare(types, roots, in: driver.tree)
        return driver
    }

    static func declare(
        _ types: [TypeDeclaration],
        _ roots: [(name: String, type: String?, json: String?)],
        in tree: ModelTree
    ) throws {
        if let fault = tree.declare(types).first { throw fault }
        for root in roots {
            if let type = root.type { try tree.declare(root: root.name, type: type) }
        }
        for root in roots { try tree.define(root: root.name, json: root.json) }
    }

    /// A conversation with a hub with these roots.
    static func talk(_ roots: (name: String, type: String?, json: String?)...) throws -> Conversation {
        try talk(types, roots)
    }

    static func talk(_ types: [TypeDeclaration], _ roots: [(name: String, type: String?, json: String?)])
        throws
        -> Conversation
    {
        let talk = Conversation()
        try declare(types, roots, in: talk.hub.tree)
        return talk
    }
}
