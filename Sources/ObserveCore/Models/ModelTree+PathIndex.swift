// SPDX-License-Identifier: MIT
// The trie of observed paths: nodes come with their first observer and go with their last. Tells nobody anything.

extension ModelTree {
    /// Adds an observer of a literal path. Not during a commit.
    ///
    /// - Cost: O(components) for a path that nobody observes yet.
    func observe(_ path: ParsedKeyPath, options: ObservingOptions, tag: Int32) -> ObserverID {
        precondition(touches.isEmpty, "an observer was added in the middle of a commit")
        var node = rootNode
        for component in 0..<(path.operatorIndex ?? path.count) {
            let name = names.intern(path.name(component))
            node = childOrNew(of: node, named: name)
            names.release(name)
        }
        if let name = derivedName(path) {
            node = childOrNew(of: node, named: name)
            names.release(name)
        }
        let observer = observers.allocate()
        observers[observer].tag = tag
        add(observer, options, to: node)
        return observer
    }

    func add(_ observer: ObserverID, _ options: ObservingOptions, to node: NodeID) {
        observers[observer].options = options
        if nodes[node].firstObserver == noRecord { indexPath(of: node) }
        append(observer, to: node)
        if !options.contains(.distinct) { addIndistinctObserver() }
    }

    private func addIndistinctObserver() {
        indistinctObservers += 1
        guard !notesEqualAssignments else { return }
        notesEqualAssignments = true
        equalAssignmentsNotedSince = revision
    }

    private func removeIndistinctObserver() {
        indistinctObservers -= 1
        guard indistinctObservers == 0 else { return }
        lastIndistinctObserver = revision
        if history.commitLimit == 0 { notesEqualAssignments = false }
    }

    /// Takes an observer away, and the nodes that were there for it alone.
    func removeObserver(_ observer: ObserverID) {
        let node = observers[observer].node
        drop(observer)
        prune(node)
    }

    /// Takes an observer away, and leaves its node.
    func drop(_ observer: ObserverID) {
        let node = observers[observer].node
        if !observers[observer].options.contains(.distinct) { removeIndistinctObserver() }
        unlink(observer)
        observers.release(observer)
        if nodes[node].firstObserver == noRecord { unindexPath(of: node) }
    }

    /// The node of the observed path with this text: escaped, as it stands in a JSON string.
    @inline(__always)
    func observedNode(_ pathText: ByteView) -> NodeID? {
        pathIndex.find(pathText.hash(seed: seed)) { nodes[$0].path.view == pathText }
    }

    /// What the node's path reads as now; text is lent.
    func currentValue(of node: NodeID) -> StoredValue {
        let property = nodes[node].property
        if property != noRecord { return properties[property].slot }
        if nodes[node].isDerived { return derivations[node]?.value ?? .null }
        guard node != rootNode else { return .model(rootModel) }
        guard case .array(let array) = currentValue(of: nodes[node].parent) else { return .absent }
        return array.element(Int(nodes[node].index))
    }

    /// The node of the first component before `node` that is null or a scalar.
    func brokenAncestor(of node: NodeID) -> NodeID {
        var broken = noRecord
        var above = nodes[node].parent
        while above != rootNode, nodes[node].property == noRecord {
            if !currentValue(of: above).isContainer { broken = above }
            above = nodes[above].parent
        }
        return broken
    }

    // MARK: Nodes

    func childOrNew(of parent: NodeID, named name: NameID) -> NodeID {
        child(of: parent, named: name) ?? addNode(below: parent, named: name)
    }

    func child(of parent: NodeID, named name: NameID) -> NodeID? {
        nodeIndex.find(pairHash(parent, name, seed: seed)) {
            nodes[$0].parent == parent && nodes[$0].name == name
        }
    }

    private func addNode(below parent: NodeID, named name: NameID) -> NodeID {
        let node = nodes.allocate()
        names.retain(name)
        text.removeAll()
        text.appendEscaped(name: names.text(name))
        let escaped = ByteBuffer()
        escaped.appendJSONString(decoded: text.view)
        nodes[node].parent = parent
        nodes[node].name = name
        nodes[node].index = Int32(names.text(name).arrayIndex ?? -1)
        nodes[node].depth = nodes[parent].depth + 1
        if isTelling {
            nodes[node].isNewborn = true
            newborn.append(node)
        }
        nodes[node].isReplayed = isReplaying
        nodes[node].pathLength =
            nodes[parent].pathLength + Int32(escaped.count - 2) + (parent == rootNode ? 0 : 1)
        nodeIndex.insert(pairHash(parent, name, seed: seed), node)
        if names.text(name)[0] == OperatorName.mark {
            prependChild(node, to: parent)
            derive(node)
        } else {
            appendChild(node, to: parent)
            if case .model(let model) = currentValue(of: parent) {
                bind(node, to: propertyOrPlaceholder(model, name))
            }
        }
        return node
    }

    /// Removes `node` and those above it that nobody needs any more.
    func prune(_ node: NodeID) {
        var node = node
        while node != rootNode, nodes[node].firstObserver == noRecord, nodes[node].firstChild == noRecord,
            nodes[node].firstFollower == noRecord
        {
            let (parent, name) = (nodes[node].parent, nodes[node].name)
            unbind(node)
            if nodes[node].isDerived { removeDerivation(of: node) }
            nodeIndex.remove(pairHash(parent, name, seed: seed), node)
            removeChild(node, from: parent)
            names.release(name)
            nodes.release(node)
            node = parent
        }
    }

    private func indexPath(of node: NodeID) {
        var chain: [NodeID] = []
        var above = node
        while above != rootNode {
            chain.append(above)
            above = nodes[above].parent
        }
        let dotted = ByteBuffer()
        for step in chain.reversed() {
            if !dotted.isEmpty { dotted.append(0x2E) }
            dotted.appendEscaped(name: names.text(nodes[step].name))
        }
        let json = ByteBuffer()
        json.appendJSONString(decoded: dotted.view)
        let contents = json.view.slice(1..<json.count - 1)
        nodes[node].path = texts.make(contents)
        pathIndex.insert(contents.hash(seed: seed), node)
    }

    private func unindexPath(of node: NodeID) {
        let path = nodes[node].path
        guard !path.isNone else { return }
        pathIndex.remove(path.view.hash(seed: seed), node)
        nodes[node].path = .none
        texts.release(path)
    }

    // MARK: Binding

    /// Leads the node to that property instead of where it led before.
    @inline(__always)
    func bind(_ node: NodeID, to property: PropertyID) {
        let bound = unsafe nodes.address(node)
        if unsafe bound.pointee.property == property { return }
        if isReplaying, properties[property].flags.contains(.computed) { hasReplayedComputed = true }
        unbind(node)
        unsafe bound.pointee.property = property
        unsafe bound.pointee.nextBound = noRecord
        let place = unsafe properties.address(property)
        let first = unsafe place.pointee.bound
        if first == noRecord {
            unsafe place.pointee.bound = node
            unsafe bound.pointee.previousBound = node
        } else {
            let last = nodes[first].previousBound
            nodes[last].nextBound = node
            unsafe bound.pointee.previousBound = last
            nodes[first].previousBound = node
        }
    }

    /// Leads the node nowhere: its parent is no model.
    @inline(__always)
    func unbind(_ node: NodeID) {
        let bound = unsafe nodes.address(node)
        let property = unsafe bound.pointee.property
        guard property != noRecord else { return }
        let place = unsafe properties.address(property)
        if unsafe place.pointee.bound == node {
            let next = unsafe bound.pointee.nextBound
            unsafe place.pointee.bound = next
            if next != noRecord { nodes[next].previousBound = unsafe bound.pointee.previousBound }
        } else {
            unlinkBound(node, from: property)
        }
        unsafe bound.pointee.property = noRecord
        if unsafe place.pointee.slot.isAbsent { freeIfUnused(property) }
    }

    /// Takes a node that is not the first out of those that are bound to the property.
    @inline(never)
    private func unlinkBound(_ node: NodeID, from property: PropertyID) {
        let (next, previous) = (nodes[node].nextBound, nodes[node].previousBound)
        nodes[previous].nextBound = next
        nodes[next == noRecord ? properties[property].bound : next].previousBound = previous
    }

    // MARK: Lists; a first entry's `previous` is the last one, so that appending needs no further field

    private func appendChild(_ node: NodeID, to parent: NodeID) {
        let first = nodes[parent].firstChild
        if first == noRecord {
            nodes[parent].firstChild = node
            nodes[node].previous = node
        } else {
            let last = nodes[first].previous
            nodes[last].next = node
            nodes[node].previous = last
            nodes[first].previous = node
        }
    }

    private func prependChild(_ node: NodeID, to parent: NodeID) {
        let first = nodes[parent].firstChild
        if first == noRecord { return appendChild(node, to: parent) }
        nodes[node].previous = nodes[first].previous
        nodes[node].next = first
        nodes[first].previous = node
        nodes[parent].firstChild = node
    }

    private func removeChild(_ node: NodeID, from parent: NodeID) {
        let (next, previous, first) = (nodes[node].next, nodes[node].previous, nodes[parent].firstChild)
        if first == node { nodes[parent].firstChild = next } else { nodes[previous].next = next }
        if next != noRecord {
            nodes[next].previous = previous
        } else if first != node {
            nodes[first].previous = previous
        }
    }

    private func append(_ observer: ObserverID, to node: NodeID) {
        observers[observer].node = node
        let first = nodes[node].firstObserver
        if first == noRecord {
            nodes[node].firstObserver = observer
            observers[observer].previous = observer
        } else {
            let last = observers[first].previous
            observers[last].next = observer
            observers[observer].previous = last
            observers[first].previous = observer
        }
    }

    private func unlink(_ observer: ObserverID) {
        let record = observers[observer]
        let first = nodes[record.node].firstObserver
        if first == observer {
            nodes[record.node].firstObserver = record.next
        } else {
            observers[record.previous].next = record.next
        }
        if record.next != noRecord {
            observers[record.next].previous = record.previous
        } else if first != observer {
            observers[first].previous = record.previous
        }
    }
}
