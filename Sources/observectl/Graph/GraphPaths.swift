// SPDX-License-Identifier: MIT
// The paths to the models of a graph, and the references that hold them. Independent of views.

import ObserveCore

struct GraphPaths: Sendable {
    struct Holder: Equatable, Sendable {
        let place: ModelGraph.Place
        let isWeak: Bool
    }

    /// The path to each model, the first in the order of a listing.
    private var paths: [ModelGraph.Instance: String] = [:]
    private var holders: [ModelGraph.Instance: [Holder]] = [:]
    /// The ends of bindings, by property.
    private(set) var bound: [ModelGraph.Place: [BoundEnd]] = [:]

    enum Direction: Equatable, Sendable { case feeds, isFed, both }

    struct BoundEnd: Equatable, Sendable {
        let direction: Direction
        let other: String
    }

    init() {}

    init(_ graph: ModelGraph) {
        paths[0] = graph.base
        // Depth first, in the order of properties. A list instead of recursion: links make any depth.
        var pending: [ModelGraph.Instance] = [0]
        while let instance = pending.popLast() {
            var found: [ModelGraph.Instance] = []
            for property in graph.models[instance]?.properties ?? [] {
                let place = ModelGraph.Place(instance: instance, name: property.name)
                note(property.content, at: place, &found)
            }
            pending += found.reversed()
        }
        for binding in graph.bindings { note(binding, in: graph) }
    }

    func path(to instance: ModelGraph.Instance) -> String? { paths[instance] }

    /// The references to a model, apart from the one at a place.
    func holders(of instance: ModelGraph.Instance, except own: ModelGraph.Place? = nil) -> [Holder] {
        (holders[instance] ?? []).filter { $0.place != own }
    }

    /// The path of a place; nil if no path leads to its model.
    func path(of place: ModelGraph.Place) -> String? {
        guard let start = paths[place.instance] else { return nil }
        let names = [place.name] + place.indexes.map(String.init)
        return GraphPaths.joined(start, DottedKeyPath.text(of: names))
    }

    static func joined(_ path: String, _ rest: String) -> String { path.isEmpty ? rest : "\(path).\(rest)" }

    /// Notes the references in a content. Each model is `found` at its first reference that keeps it alive.
    private mutating func note(
        _ content: ModelGraph.Content,
        at place: ModelGraph.Place,
        _ found: inout [ModelGraph.Instance]
    ) {
        switch content {
        case .scalar, .computed, .weak(nil): return
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                var inner = place
                inner.indexes.append(index)
                note(element, at: inner, &found)
            }
        case .weak(let instance?): holders[instance, default: []].append(Holder(place: place, isWeak: true))
        case .model(let instance):
            holders[instance, default: []].append(Holder(place: place, isWeak: false))
            guard paths[instance] == nil, let path = path(of: place) else { return }
            paths[instance] = path
            found.append(instance)
        }
    }

    private mutating func note(_ binding: ModelGraph.Binding, in graph: ModelGraph) {
        let ends = [(binding.source, binding.target, true), (binding.target, binding.source, false)]
        for (end, other, isSource) in ends {
            guard let names = GraphPaths.names(of: end), let place = graph.place(of: names) else { continue }
            let direction: Direction = binding.isTwoWay ? .both : isSource ? .feeds : .isFed
            bound[place, default: []].append(BoundEnd(direction: direction, other: other))
        }
    }

    /// The names of a literal path; nil for other paths.
    static func names(of path: String) -> [String]? {
        (try? DottedKeyPath.literalNames(of: path, maxDepth: 100_000)) ?? nil
    }
}

extension StringProtocol {
    /// The text in UTF-8. A table with it as the key has two names for two forms of one character; `String` has one.
    var bytes: [UInt8] { Array(utf8) }
}

extension String {
    /// The name as one component of a key path.
    var escapedComponent: String { DottedKeyPath.text(of: [self]) }

    /// Whether it is the same name or path.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The rest of a path that leads below another one; nil for other paths.
    func rest(below path: String) -> String? {
        let start = "\(path).".utf8
        return utf8.starts(with: start) ? String(decoding: utf8.dropFirst(start.count), as: UTF8.self) : nil
    }
}
