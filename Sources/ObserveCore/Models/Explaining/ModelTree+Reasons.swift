// SPDX-License-Identifier: MIT
// Finds why a commit changed a property: from the last change on a path back to what the request did. Changes nothing.

extension ModelTree {
    /// The reasons for the last change on the path, as it was right after that commit; nil if the history lacks it.
    /// - Parameters:
    ///   - readable: the paths at and below which the client may read; nil if it may read all.
    ///   - allows: whether it may read the path of a component.
    func reasons(for path: ParsedKeyPath, readable: [ParsedKeyPath]?, where allows: (ParsedKeyPath) -> Bool)
        -> Explanation.Reasons?
    {
        guard let (first, prefix) = lastChanged(on: path),
            let commit = history.commit(of: records.properties[first].revision, records.horizon)
        else { return nil }
        var reasons = Explanation.Reasons(revision: records.properties[first].revision)
        var search = ReasonSearch(revision: reasons.revision)
        for index in history.touches(of: commit) where history.touches[index].isChanged {
            search.touches.append(index)
            search.causes[history.touches[index].property] = history.touches[index].cause
        }
        records.effort.count(4 * search.touches.count)
        let author = history.authors[history.commits[commit].author]
        read(at: reasons.revision) {
            let starts = readable.map { $0.compactMap(pathStart) } ?? [rootPathStart]
            var next: PropertyID? = first
            while let id = next, reasons.steps.count < Explanation.Reasons.mostSteps {
                search.seen.insert(id)
                let cause = search.causes[id] ?? .writer
                let manner = manner(of: id, cause)
                var text: String?
                if id == first {
                    text = allows(prefix) ? prefix.escaped : nil
                } else {
                    for isWeak in [false, true] {
                        for start in starts where text == nil {
                            text = self.path(of: id, from: start, isWeak: isWeak)
                        }
                    }
                }
                reasons.steps.append((text, manner))
                reasons.origin = ValueOrigin(author: author, cause: cause)
                next = inputs(of: id, manner).lazy.compactMap { self.changed($0, &search) }.first
            }
        }
        return reasons
    }

    /// The existing property on the path that changed last, the first of several, and the path to it.
    private func lastChanged(on path: ParsedKeyPath) -> (PropertyID, ParsedKeyPath)? {
        var last: (id: PropertyID, count: Int)?
        for count in 1...path.count {
            guard case .property(let id) = walk(path.prefix(count)) else { continue }
            if last.map({ records.properties[id].revision > records.properties[$0.id].revision }) ?? true {
                last = (id, count)
            }
        }
        return last.map { ($0.id, path.prefix($0.count)) }
    }

    /// The inputs of a computed property, or the properties on the way to a binding's other end, in the order of reading.
    private func inputs(of id: PropertyID, _ manner: ChangeManner) -> [PropertyID] {
        dependents.reads.removeAll()
        defer { dependents.reads.removeAll() }
        var cursor = EdgeCursor.listing
        switch manner {
        case .computed:
            guard let dependent = dependents.computedDependent(of: id, in: records) else { return [] }
            _ = compute(dependent, &cursor)
        case .binding(let number):
            guard let binding = dependents.binding(number) else { return [] }
            var none = EdgeCursor.none
            let root = TracedPlace(records.root)
            // A two-way binding may have written its source.
            let isBackward = binding.isTwoWay && trace(binding.targetPath, from: root, &none).holder != id
            _ = trace(isBackward ? binding.targetPath : binding.sourcePath, from: root, &cursor)
        case .assigned, .released: return []
        }
        return dependents.reads
    }

    /// The property if the commit changed it; of a model's set of properties, the first that it removed.
    private func changed(_ id: PropertyID, _ search: inout ReasonSearch) -> PropertyID? {
        var id = id
        if records.names.text(records.properties[id].name) == dependents.membersName.view {
            let model = records.properties[id].model
            let removed = search.touches.lazy.map { self.history.touches[$0] }.first {
                $0.isRemoval && self.records.properties[$0.property].model == model
            }
            guard let removed else { return nil }
            id = removed.property
        }
        return revision(of: id) == search.revision && !search.seen.contains(id) ? id : nil
    }

    func manner(of id: PropertyID, _ cause: ChangeCause) -> ChangeManner {
        if records.properties[id].flags.contains(.computed) { return .computed }
        if let number = cause.binding { return .binding(number) }
        return cause == .consequence ? .released : .assigned
    }
}

/// The commit whose changes are explained, and the properties that are explained already.
private struct ReasonSearch {
    let revision: UInt64
    /// The numbers of its changes in the history, and their causes.
    var touches: [Int] = []
    var causes: [PropertyID: ChangeCause] = [:]
    var seen: Set<PropertyID> = []
}
