// SPDX-License-Identifier: MIT
// From a pattern's text to its components, and the names that they retain. Independent of nodes.

extension ObservingTree {
    /// The components of a pattern, with names that the caller releases.
    func components(_ path: ParsedKeyPath) -> [PatternComponent] {
        var components: [PatternComponent] = []
        for index in 0..<(path.operatorIndex ?? path.count) {
            switch path.kind(index) {
            case .anyName:
                let condition = path.condition(index)
                let name: NameID = condition.isEmpty ? .noRecord : records.names.intern(condition)
                components.append(.anyName(where: name))
            case .anyDepth:
                // `**` alone matches every root, and all below it.
                if index == 0 { components.append(.anyName(where: .noRecord)) }
                components.append(.anyDepth)
            case .name, .choice, .collectionOperator: components.append(.name(internNodeName(path, index)))
            }
        }
        if let name = operatorName(path) { components.append(.derived(name)) }
        return components
    }

    func releaseNames(of components: [PatternComponent]) {
        for name in components.names { records.names.release(name) }
    }

    /// The name of a property's node with the condition, with a new reference.
    func name(_ name: NameID, where condition: NameID) -> NameID {
        scratchText.removeAll()
        scratchText.append(OperatorName.mark)
        scratchText.appendEscaped(name: records.names.text(name))
        scratchText.append(records.names.text(condition))
        return records.names.intern(scratchText.view)
    }

    /// The node at which a pattern continues behind a wildcard that has matched `child`.
    func matched(_ child: NodeID, where condition: NameID) -> NodeID {
        if let known = knownMatch(child, where: condition) { return known }
        let name = name(paths.nodes[child].name, where: condition)
        defer { records.names.release(name) }
        let node = addNode(below: paths.nodes[child].parent, named: name)
        if paths.isNotifying { wildcards.candidates.append(node) }
        return node
    }

    /// The next node with a condition that the running notification has made, and perhaps not visited.
    func popCandidate() -> NodeID? {
        while let node = wildcards.candidates.popLast() {
            if paths.nodes[node].property != .noRecord, paths.nodes[node][.isSelection] { return node }
        }
        return nil
    }

    /// The same; nil without such a node.
    func knownMatch(_ child: NodeID, where condition: NameID) -> NodeID? {
        guard condition != .noRecord else { return child }
        let name = name(paths.nodes[child].name, where: condition)
        defer { records.names.release(name) }
        return self.child(of: paths.nodes[child].parent, named: name)
    }

    func condition(of pattern: PatternID, at child: NodeID) -> NameID {
        let component = Int(paths.nodes[child].depth) - 1
        guard case .anyName(where: let condition) = wildcards.patterns[pattern].components[component] else {
            return .noRecord
        }
        return condition
    }

    /// Whether all conditions of the pattern's wildcards hold on the way to the node.
    func meets(_ pattern: PatternID, _ node: NodeID) -> Bool {
        let components = wildcards.patterns[pattern].components
        var node = node
        while node != paths.rootNode {
            let component = Int(paths.nodes[node].depth) - 1
            if component < components.count, case .anyName(where: let condition) = components[component],
                condition != .noRecord, currentValue(of: node).isNull
            {
                return false
            }
            node = paths.nodes[node].parent
        }
        return true
    }
}
