// SPDX-License-Identifier: MIT
// The rows of a tree: which models are shown where, and which are collapsed. Independent of their drawing.

import ObserveCore

/// A row of a tree: a property, an element, or the model that the tree begins with.
struct TreeRow: Equatable, Sendable {
    let path: String
    let name: String
    let place: ModelGraph.Place
    /// Whether others follow, at each level above this one and at its own.
    var continues: [Bool] = []
    /// The row that shows the model, if that is another one.
    var link: String?
    /// Whether its children are hidden; nil if it has none.
    let isCollapsed: Bool?
    /// The columns of the longest name beside it.
    var nameColumns = 0

    var depth: Int { continues.count }
}

/// The rows of a graph from a place on. A model that several references lead to is shown once, and linked elsewhere.
struct TreeOutline {
    /// Deeper levels stay collapsed. No path of a daemon leads there.
    private static let deepest = 250
    /// Names beyond that do not widen the column of the others.
    private static let widestName = 24

    /// Whether the children of a row are shown.
    typealias IsOpen = (_ path: String, _ depth: Int) -> Bool

    private let graph: ModelGraph
    private let isOpen: IsOpen
    /// No more rows than these are made.
    private let limit: Int
    private(set) var rows: [TreeRow] = []
    private var shown: [ModelGraph.Instance: String] = [:]

    /// - Parameter start: the names of the path that the tree begins with; empty for all roots.
    init(_ graph: ModelGraph, from start: [String], limit: Int = .max, isOpen: @escaping IsOpen) {
        (self.graph, self.limit, self.isOpen) = (graph, limit, isOpen)
        if start.isEmpty { add(children(of: .model(0), at: nil), below: "", []) }
        guard let place = graph.place(of: start), let content = graph.content(at: place) else { return }
        let child = Child(name: DottedKeyPath.text(of: start), place: place, content: content)
        add([child], below: "", [], isStart: true)
    }

    private struct Child {
        let name: String
        let place: ModelGraph.Place
        let content: ModelGraph.Content

        /// The name as the tree shows it: an empty one as in a path.
        var shown: String { name.isEmpty ? name.escapedComponent : name }
    }

    /// The properties of a model, or the elements of an array that has models.
    private func children(of content: ModelGraph.Content, at place: ModelGraph.Place?) -> [Child] {
        switch content {
        case .model(let instance):
            return (graph.models[instance]?.properties ?? []).map { property in
                let place = ModelGraph.Place(instance: instance, name: property.name)
                return Child(name: property.name, place: place, content: property.content)
            }
        case .list(let elements) where !content.isFlat:
            return elements.enumerated().compactMap { index, element in
                guard var place else { return nil }
                place.indexes.append(index)
                return Child(name: String(index), place: place, content: element)
            }
        case .list, .scalar, .weak, .computed: return []
        }
    }

    private mutating func add(
        _ children: [Child],
        below path: String,
        _ continues: [Bool],
        isStart: Bool = false
    ) {
        let widths = children.map { DisplayWidth.of($0.shown) }.filter { $0 <= TreeOutline.widestName }
        let nameColumns = widths.max() ?? 0
        for (index, child) in children.enumerated() where rows.count < limit {
            let inner = isStart ? child.name : GraphPaths.joined(path, child.name.escapedComponent)
            // Roots have no branches.
            let levels = path.isEmpty ? [] : continues + [index + 1 < children.count]
            let depth = path.isEmpty ? 0 : continues.count + 1
            var link: String?
            if case .model(let instance) = child.content {
                link = shown[instance]
                if link == nil { shown[instance] = inner }
            }
            let below = link == nil ? self.children(of: child.content, at: child.place) : []
            let isOpen = !below.isEmpty && depth < TreeOutline.deepest && self.isOpen(inner, depth)
            let isCollapsed = below.isEmpty ? nil : !isOpen
            var row = TreeRow(path: inner, name: child.shown, place: child.place, isCollapsed: isCollapsed)
            (row.continues, row.link, row.nameColumns) = (levels, link, nameColumns)
            rows.append(row)
            if isOpen { add(below, below: inner, levels) }
        }
    }

    /// The levels of the deepest tree of at most that many rows, and one at least.
    static func fittingDepth(_ rows: Int, _ graph: ModelGraph, from start: [String]) -> Int {
        var count = TreeOutline(graph, from: start, limit: rows + 1) { $1 < 1 }.rows.count
        for depth in 2..<deepest {
            let next = TreeOutline(graph, from: start, limit: rows + 1) { $1 < depth }.rows.count
            if next > rows { return depth - 1 }
            if next == count { return depth }
            count = next
        }
        return deepest
    }
}
