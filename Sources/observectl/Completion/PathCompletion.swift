// SPDX-License-Identifier: MIT
// Completes a key path with what the daemon describes. Independent of command lines and shells.

import ObserveCore

/// Asks a daemon for the properties at which a path may continue. Without an answer, there are no candidates.
struct PathCompletion {
    private static let mostElements: Int64 = 100
    /// The number of places that a path with `*` is completed for.
    private static let mostPlaces = 32
    private static let maxDepth = 100

    let describe: (String) -> RawJSON?

    func candidates(for typed: String) -> [Candidate] {
        let (parent, partial) = PathCompletion.split(typed)
        let prefix = parent.isEmpty ? "" : "\(parent)."
        var found: [Candidate] = []
        var positions: [[UInt8]: Int] = [:]
        for place in places(of: parent) {
            for candidate in children(of: place, prefix, hasOperators: partial.hasPrefix("@")) {
                guard candidate.word.utf8.starts(with: typed.utf8) else { continue }
                if let known = positions[candidate.word.bytes] {
                    found[known].continues = found[known].continues || candidate.continues
                } else {
                    positions[candidate.word.bytes] = found.count
                    found.append(candidate)
                }
            }
        }
        return found
    }

    /// The paths that match a parent, the first of them if it has `*`; the parent itself without `*`.
    private func places(of parent: String) -> [String] {
        let depth = PathCompletion.maxDepth
        guard let components = try? DottedKeyPath.components(of: parent, maxDepth: depth, areWhole: false)
        else { return [parent] }
        guard components.contains(.anyName) else { return [DottedKeyPath.text(of: components)] }
        var places = [""]
        for component in components {
            switch component {
            case .name(let name): places = places.map { GraphPaths.joined($0, name.escapedComponent) }
            case .anyName: places = expanded(places)
            case .anyDepth, .collectionOperator, .selection: return []
            }
        }
        return places
    }

    /// The first models and arrays in some places.
    private func expanded(_ places: [String]) -> [String] {
        var found: [String] = []
        for place in places where found.count < PathCompletion.mostPlaces {
            let children = children(of: place, place.isEmpty ? "" : "\(place).", hasOperators: false)
            found += children.filter(\.continues).map(\.word)
        }
        return Array(found.prefix(PathCompletion.mostPlaces))
    }

    private func children(of place: String, _ prefix: String, hasOperators: Bool) -> [Candidate] {
        guard let answer = describe(place) else { return [] }
        var found = (answer.member("properties")?.elements ?? []).compactMap { property -> Candidate? in
            guard let name = property.string("name") else { return nil }
            let (word, type) = (prefix + name.escapedComponent, PathCompletion.type(property))
            let continues = ["model", "array"].contains(property.string("kind"))
            return Candidate(word: word, description: type, continues: continues)
        }
        if answer.string("kind") == "array" { found += elements(of: answer, prefix) }
        if hasOperators, !place.isEmpty { found += operators(prefix) }
        return found
    }

    private func elements(of array: RawJSON, _ prefix: String) -> [Candidate] {
        let type = array.string("type") ?? ""
        let element = type.hasPrefix("[") && type.hasSuffix("]") ? String(type.dropFirst().dropLast()) : ""
        return (0..<min(array.int("count") ?? 0, PathCompletion.mostElements)).map {
            Candidate(word: "\(prefix)\($0)", description: element, continues: true)
        }
    }

    private func operators(_ prefix: String) -> [Candidate] {
        let operators = CollectionOperator.allCases.map { ($0.rawValue, "collection operator") }
        let choices = Choice.allCases.map { ($0.rawValue, "choice") }
        return (operators + choices).map { name, description in
            Candidate(word: prefix + name, description: description, continues: name != "@count")
        }
    }

    /// The declared type, or else the kind of the present value.
    private static func type(_ property: RawJSON) -> String {
        let type = property.string("type") ?? "Any"
        let kind = property.string("kind") ?? ""
        let shown = type == "Any" ? kind : type
        return property.isTrue("computed") ? "\(shown), computed" : shown
    }

    /// The path before the last component, and that component as far as it is typed.
    private static func split(_ typed: String) -> (parent: String, partial: String) {
        let start = Expression.componentStarts(in: typed).last ?? 0
        let scalars = typed.unicodeScalars
        return (String(scalars.prefix(max(start - 1, 0))), String(scalars.dropFirst(start)))
    }
}
