// SPDX-License-Identifier: MIT
// Patterns with wildcards and conditions, followed through a naive copy of the tree. Independent of its walks.

@testable import ObserveCore

/// A component of a path or a pattern: a name or `*`, and perhaps a condition.
struct CatchingUpComponent {
    let name: String
    /// The condition with its brackets; empty without one.
    let condition: String

    init(_ text: String) {
        let start = text.firstIndex(of: "[") ?? text.endIndex
        name = String(text[..<start])
        condition = String(text[start...])
    }

    var isWildcard: Bool { name == "*" }
    var text: String { name + condition }

    /// Whether a component of a concrete path stands at this place.
    func matches(_ text: String) -> Bool {
        guard isWildcard else { return text == self.text }
        return text.hasSuffix(condition) && (!condition.isEmpty || !text.contains("["))
    }
}

/// A path, or a pattern, of a subscription.
struct CatchingUpPattern {
    let text: String
    /// Without a `**` at the end.
    let components: [CatchingUpComponent]
    /// It ends in `**`.
    let isDeep: Bool

    init(_ text: String) {
        self.text = text
        let names = CatchingUpPattern.split(text)
        isDeep = names.last == "**"
        components = (isDeep ? names.dropLast() : names[...]).map(CatchingUpComponent.init)
    }

    var isLiteral: Bool { !isDeep && !components.contains(where: \.isWildcard) }

    /// The patterns of the values that a mirror keeps. Under `**` alone, each root is one.
    var base: [CatchingUpComponent] {
        isDeep && components.isEmpty ? [CatchingUpComponent("*")] : components
    }

    /// Whether the path begins with the pattern, or equals it if the pattern is not deep.
    func matches(_ path: [String]) -> Bool {
        let base = base
        guard isDeep ? path.count >= base.count : path.count == base.count else { return false }
        return zip(base, path).allSatisfy { $0.matches($1) }
    }

    /// The components of a path without escapes. A condition may have dots.
    static func split(_ path: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        for character in path {
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            if character == ".", depth == 0 {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }
}

extension TreeImage {
    /// The value at a path, and the path of the component at which it breaks.
    func state(of path: [CatchingUpComponent]) -> (cell: Cell, nilAt: String?) {
        var cell = Cell.model(root)
        for (index, component) in path.enumerated() {
            cell = step(component, from: cell)
            guard case .scalar = cell, index < path.count - 1 else { continue }
            return (.scalar(.null), path[...index].map(\.text).joined(separator: "."))
        }
        return (cell, nil)
    }

    /// The paths that a pattern without `**` matches, with their values.
    func matches(of pattern: [CatchingUpComponent]) -> [String: Cell] {
        var places: [(path: [String], cell: Cell)] = [([], .model(root))]
        for component in pattern {
            places = places.flatMap { path, cell -> [([String], Cell)] in
                guard component.isWildcard else {
                    return [(path + [component.text], step(component, from: cell))]
                }
                return children(of: cell).filter { holds(component.condition, at: $0.cell) }.map {
                    (path + [$0.name + component.condition], $0.cell)
                }
            }
        }
        return Dictionary(uniqueKeysWithValues: places.map { ($0.joined(separator: "."), $1) })
    }

    private func step(_ component: CatchingUpComponent, from cell: Cell) -> Cell {
        if component.name == "@count" {
            guard case .array(let elements) = cell else { return .scalar(.null) }
            return .scalar(.int(Int64(elements.count)))
        }
        let next = member(component.name, of: cell)
        return holds(component.condition, at: next) ? next : .scalar(.null)
    }

    private func children(of cell: Cell) -> [(name: String, cell: Cell)] {
        switch cell {
        case .model(let model): (models[model] ?? []).map { ($0.name, $0.cell) }
        case .array(let elements): elements.enumerated().map { (String($0.offset), $0.element) }
        case .scalar: []
        }
    }

    /// Whether a condition as `[n.k > 1]`, `[. == 2]` or `[k == null]` is true of the value.
    private func holds(_ condition: String, at cell: Cell) -> Bool {
        if condition.isEmpty { return true }
        let words = condition.dropFirst().dropLast().split(separator: " ").map(String.init)
        var operand = cell
        for name in words[0].split(separator: ".") { operand = member(String(name), of: operand) }
        guard case .scalar(let value) = operand else { return false }
        guard words[1] == ">" else { return value == Int64(words[2]).map { .int($0) } ?? .null }
        guard let number = value.double, let limit = Double(words[2]) else { return false }
        return number > limit
    }
}
