// SPDX-License-Identifier: MIT
// Makes the nodes for a pattern's matches in slices, before the pattern observes them. Independent of observers.

extension ObservingTree {
    /// Adds a pattern to the preparation, unless it has few matches, or more than any may have. Returns the size it would have.
    func add(_ path: ParsedKeyPath, to preparation: PatternPreparation) -> PatternSize {
        let components = components(path)
        let size = needs(of: components)
        guard size.total >= wildcards.fewestPrepared, size.fits(patternLimit) else {
            releaseNames(of: components)
            return size
        }
        paths.nodeIndex.reserve(size.total)
        paths.pathIndex.reserve(size.matches)
        preparation.patterns.append(components)
        wildcards.preparations[ObjectIdentifier(preparation)] = preparation
        return size
    }

    /// Makes the next node. Not during a commit.
    func advance(_ preparation: PatternPreparation) {
        guard let components = preparation.patterns.last else { return }
        if preparation.levels.isEmpty {
            descend(0, at: paths.rootNode, .model(records.root), components, preparation)
        } else if let (name, value, property) = nextChild(preparation) {
            let level = preparation.levels[preparation.levels.count - 1]
            var node = prepared(level.node, name, for: property, preparation)
            var value = value
            if case .anyName(where: let condition) = components[level.component - 1], condition != .noRecord {
                let selected = self.name(name, where: condition)
                node = prepared(level.node, selected, preparation)
                value = currentValue(of: node)
                records.names.release(selected)
            }
            descend(level.component, at: node, value, components, preparation)
            records.names.release(name)
        } else {
            preparation.levels.removeLast()
        }
        if preparation.levels.isEmpty {
            preparation.patterns.removeLast()
            releaseNames(of: components)
        }
    }

    /// Removes those of the last `count` prepared nodes that nothing needs.
    func discard(_ count: Int, of preparation: PatternPreparation) {
        while let components = preparation.patterns.popLast() { releaseNames(of: components) }
        for node in preparation.nodes.suffix(count) where paths.nodes[node].parent != .noRecord {
            if paths.nodes[node].firstObserver == .noRecord { unindexPath(of: node) }
            prune(node)
        }
        freeUnusedSelections()
        preparation.nodes.removeLast(min(count, preparation.nodes.count))
        if preparation.nodes.isEmpty { wildcards.preparations[ObjectIdentifier(preparation)] = nil }
    }

    /// Continues with the components from `component` at a node, up to the next wildcard.
    private func descend(
        _ component: Int,
        at node: NodeID,
        _ value: StoredValue,
        _ components: [PatternComponent],
        _ preparation: PatternPreparation
    ) {
        var (node, value) = (node, value)
        for component in component..<components.count {
            switch components[component] {
            case .derived: return
            case .anyDepth: return index(node, preparation)
            case .name(let name):
                value = child(named: name, of: value)
                node = prepared(node, name, preparation)
            case .anyName:
                switch value {
                case .model(let model):
                    let first = records.models[model].first
                    preparation.levels.append(
                        .init(node: node, component: component + 1, model: model, property: first)
                    )
                case .array:
                    preparation.levels.append(.init(node: node, component: component + 1, model: .noRecord))
                default: break
                }
                return
            }
        }
        index(node, preparation)
    }

    /// Notes the path of a prepared node that is about to have an observer.
    private func index(_ node: NodeID, _ preparation: PatternPreparation) {
        if preparation.nodes.last == node, paths.nodes[node].path.isNone { indexPath(of: node) }
    }

    /// The next property or element of the last level, with a name that the caller releases; nil if there is none, or if the
    /// level's node has another container since.
    private func nextChild(_ preparation: PatternPreparation) -> (NameID, StoredValue, PropertyID)? {
        let last = preparation.levels.count - 1
        let level = preparation.levels[last]
        // Others may have freed the node: another preparation made it, or an observer that has gone.
        guard level.node == paths.rootNode || paths.nodes[level.node].parent != .noRecord else { return nil }
        switch currentValue(of: level.node) {
        case .model(let model):
            guard model == level.model, level.property != .noRecord,
                records.properties[level.property].model == model
            else { return nil }
            let property = records.properties[level.property]
            preparation.levels[last].property = property.next
            records.names.retain(property.name)
            return (property.name, property.slot, level.property)
        case .array(let array):
            guard level.model == .noRecord, level.index < array.elements.count else { return nil }
            preparation.levels[last].index += 1
            scratchText.removeAll()
            scratchText.append(decimal: UInt64(level.index))
            return (records.names.intern(scratchText.view), array.element(level.index), .noRecord)
        default: return nil
        }
    }

    private func prepared(
        _ parent: NodeID,
        _ name: NameID,
        for property: PropertyID = .noRecord,
        _ preparation: PatternPreparation
    ) -> NodeID {
        if let known = child(of: parent, named: name, for: property) { return known }
        let node = addNode(below: parent, named: name, for: property)
        preparation.nodes.append(node)
        return node
    }
}
