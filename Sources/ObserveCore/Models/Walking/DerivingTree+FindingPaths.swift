// SPDX-License-Identifier: MIT
// Finds a path to a property or a model. Changes nothing.

/// The place at which the search for a path begins: the roots, or what a client may read.
struct PathStart {
    let model: ModelID
    /// The property there, or the one whose array holds the place, with the way through it.
    let property: PropertyID
    let indices: [Int]
    let text: String
}

extension DerivingTree {
    /// A path to the property, through strong references; nil if only shadowed values hold its model.
    func path(of id: PropertyID) -> String? { path(of: id, from: rootPathStart) }

    /// A path to the property that begins at that place; nil if no references lead there from it: strong ones, or also weak ones.
    func path(of id: PropertyID, from start: PathStart, isWeak: Bool = false) -> String? {
        if id == start.property, start.indices.isEmpty { return start.text }
        var search = PathSearch(start: start, isWeak: isWeak)
        let model = records.properties[id].model
        guard let way = path(to: model, atMost: limits.maxDepth, &search) else { return nil }
        // The set of a model's properties has the path of the model.
        if records.names.text(records.properties[id].name) == dependents.membersName.view { return way }
        return way.isEmpty ? escapedName(of: id) : "\(way).\(escapedName(of: id))"
    }

    /// Whether strong references lead from the roots to the model.
    func hasPath(to model: ModelID) -> Bool { path(to: model) != nil }

    /// A path to the model; empty for the set of roots.
    func path(to model: ModelID) -> String? {
        var search = PathSearch(start: rootPathStart, isWeak: false)
        return path(to: model, atMost: limits.maxDepth, &search)
    }

    var rootPathStart: PathStart {
        PathStart(model: records.root, property: .noRecord, indices: [], text: "")
    }

    /// The place at the path as the beginning of others; nil if the path leads nowhere.
    func pathStart(_ path: ParsedKeyPath) -> PathStart? {
        guard path.count > 0 else { return rootPathStart }
        let place = walk(path)
        if case .missingElement = place { return nil }
        guard let property = property(of: path, at: place) else { return nil }
        let (model, indices) = (value(at: place).modelID ?? .noRecord, elementIndices(place))
        return PathStart(model: model, property: property, indices: indices, text: path.escaped)
    }

    /// The property at the path's end: of an element, that of its array. It may be absent. Nil if the path leads nowhere, or
    /// if nothing has read or written the property.
    func property(of path: ParsedKeyPath, at place: Place) -> PropertyID? {
        switch place {
        case .property(let id), .element(let id), .missingElement(let id): id
        case .missingProperty(let model):
            records.names.find(path.name(path.count - 1)).flatMap { records.property(model, $0) }
        case .broken: nil
        }
    }

    func elementIndices(_ place: Place) -> [Int] { if case .element = place { walk.indices } else { [] } }

    private struct PathSearch {
        let start: PathStart
        let isWeak: Bool
        var seen: Set<ModelID> = []
    }

    /// A path to the model; empty for the set of roots. Recursion is as deep as a path may be long.
    private func path(to model: ModelID, atMost depth: Int, _ search: inout PathSearch) -> String? {
        if model == search.start.model { return search.start.text }
        guard depth > 0, search.seen.insert(model).inserted else { return nil }
        records.effort.count(8)
        if let first = records.firstStrongHolder(of: model),
            let path = path(to: model, by: first, depth, &search)
        {
            return path
        }
        for holder in records.furtherStrongHolders(of: model) {
            if let path = path(to: model, by: holder, depth, &search) { return path }
        }
        guard search.isWeak else { return nil }
        for holder in records.weakReferrers.sorted(of: model) where !records.isSelection(holder) {
            if let path = path(to: model, by: holder, depth, &search) { return path }
        }
        return nil
    }

    private func path(to model: ModelID, by holder: PropertyID, _ depth: Int, _ search: inout PathSearch)
        -> String?
    {
        let start = search.start
        var (place, below): ([Int]?, [Int]?) = (nil, nil)
        forEachPlace(of: model, in: holder) { indices in
            if place == nil { place = indices }
            if holder == start.property, below == nil, indices.starts(with: start.indices) { below = indices }
        }
        if let below { return below.dropFirst(start.indices.count).reduce(start.text) { "\($0).\($1)" } }
        guard let place else { return nil }
        let above = records.properties[holder].model
        guard let way = path(to: above, atMost: depth - 1 - place.count, &search) else { return nil }
        let name = way.isEmpty ? escapedName(of: holder) : "\(way).\(escapedName(of: holder))"
        return place.reduce(name) { "\($0).\($1)" }
    }

    func escapedName(of id: PropertyID) -> String {
        let out = ByteBuffer()
        out.appendEscaped(name: records.names.text(records.properties[id].name))
        return out.string
    }
}
