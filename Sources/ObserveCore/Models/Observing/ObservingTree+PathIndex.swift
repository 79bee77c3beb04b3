// SPDX-License-Identifier: MIT
// The trie of observed paths: a path's first observer makes its nodes, and its last one removes them. Notifies no observer.

extension ObservingTree {
    /// Adds an observer of a literal path. Not during a commit.
    func observe(_ path: ParsedKeyPath, options: ObservingOptions, tag: Int32) -> ObserverID {
        precondition(pending.touches.isEmpty, "an observer was added in the middle of a commit")
        let components = components(path)
        let node = components.names.reduce(paths.rootNode) { childOrNew(of: $0, named: $1) }
        releaseNames(of: components)
        let observer = paths.observers.allocate()
        paths.observers[observer].tag = tag
        add(observer, options, to: node)
        return observer
    }

    func add(_ observer: ObserverID, _ options: ObservingOptions, to node: NodeID) {
        paths.observers[observer].options = options
        if paths.nodes[node].path.isNone { indexPath(of: node) }
        paths.append(observer, to: node)
        if !options.contains(.distinct) { addIndistinctObserver() }
    }

    func addIndistinctObserver() {
        paths.indistinctObservers += 1
        guard !paths.notesEqualAssignments else { return }
        paths.notesEqualAssignments = true
        paths.equalAssignmentsNotedSince = revision
    }

    func removeIndistinctObserver() {
        paths.indistinctObservers -= 1
        guard paths.indistinctObservers == 0 else { return }
        paths.lastIndistinctObserver = revision
        if history.commitLimit == 0 { paths.notesEqualAssignments = false }
    }

    /// Removes an observer, and the nodes that are useless without it.
    func removeObserver(_ observer: ObserverID) {
        let node = paths.observers[observer].node
        drop(observer)
        prune(node)
        freeUnusedSelections()
    }

    /// Removes an observer, and keeps its node.
    func drop(_ observer: ObserverID) {
        let node = paths.observers[observer].node
        if !paths.observers[observer].options.contains(.distinct) { removeIndistinctObserver() }
        paths.unlink(observer)
        paths.observers.free(observer)
        if paths.nodes[node].firstObserver == .noRecord { unindexPath(of: node) }
    }

    /// The node of the observed path with this text: escaped, as in a JSON string. During a replay, the node in its trie.
    func visitedNode(_ pathText: ByteView) -> NodeID? {
        paths.pathIndex.find(pathText.hash(seed: records.seed)) {
            paths.nodes[$0].path.view == pathText && paths.isVisited($0)
        }
    }

    /// The node of the first component before `node` that is null or a scalar.
    func brokenAncestor(of node: NodeID) -> NodeID {
        var broken = NodeID.noRecord
        var above = paths.nodes[node].parent
        while above != paths.rootNode, paths.nodes[node].property == .noRecord {
            if !currentValue(of: above).isContainer { broken = above }
            above = paths.nodes[above].parent
        }
        return broken
    }

    // MARK: Nodes

    func childOrNew(of parent: NodeID, named name: NameID) -> NodeID {
        child(of: parent, named: name) ?? addNode(below: parent, named: name)
    }

    func child(of parent: NodeID, named name: NameID) -> NodeID? {
        paths.nodeIndex.find(pairHash(parent, name, seed: records.seed)) {
            paths.nodes[$0].parent == parent && paths.nodes[$0].name == name
        }
    }

    /// The same: without a search if it is the first one, as it is most often behind a wildcard.
    func nearChild(of parent: NodeID, named name: NameID) -> NodeID? {
        let first = paths.nodes[parent].firstChild
        if first == .noRecord || paths.nodes[first].name == name { return first == .noRecord ? nil : first }
        return child(of: parent, named: name)
    }

    /// The same for the name of a property of the parent's value: without a search, if few nodes lead to the property.
    func child(of parent: NodeID, named name: NameID, for property: PropertyID) -> NodeID? {
        // During a notification, nodes are still bound to former properties.
        guard property != .noRecord, !paths.isNotifying else { return child(of: parent, named: name) }
        let first = records.properties[property].bound
        if first != .noRecord, paths.nodes[first].parent != parent { return child(of: parent, named: name) }
        let known = first == .noRecord ? nil : first
        assert(known == child(of: parent, named: name), "a node is not bound to its property")
        return known
    }

    /// - Parameter property: the property of that name if the parent's value is a model that has it.
    func addNode(below parent: NodeID, named name: NameID, for property: PropertyID = .noRecord) -> NodeID {
        let node = paths.nodes.allocate()
        records.names.retain(name)
        scratchText.removeAll()
        scratchText.appendEscaped(name: records.names.text(name))
        paths.text.removeAll()
        paths.text.appendJSONContents(decoded: scratchText.view)
        paths.nodes[node].parent = parent
        paths.nodes[node].name = name
        paths.nodes[node].index = Int32(records.names.text(name).arrayIndex ?? -1)
        paths.nodes[node].depth = paths.nodes[parent].depth + 1
        paths.noteNewborn(node)
        paths.nodes[node][.isReplayed] = paths.nodes[parent][.isReplayed]
        paths.nodes[node][.isSelected] = paths.nodes[parent][.isSelected]
        paths.nodes[node].pathLength =
            paths.nodes[parent].pathLength + Int32(paths.text.count) + (parent == paths.rootNode ? 0 : 1)
        paths.nodeIndex.insert(pairHash(parent, name, seed: records.seed), node)
        if records.isSelection(named: name) {
            paths.appendChild(node, to: parent)
            paths.nodes[node][.isSelection] = true
            paths.nodes[node][.isSelected] = true
            if let property = selection(of: node, in: currentValue(of: parent)) { bind(node, to: property) }
        } else if records.names.text(name).byteOrZero(0) == OperatorName.mark {
            paths.prependChild(node, to: parent)
            addOperator(node)
        } else {
            paths.appendChild(node, to: parent)
            if property != .noRecord {
                bind(node, to: property)
            } else if case .model(let model) = currentValue(of: parent) {
                bind(node, to: propertyOrPlaceholder(model, name))
            }
        }
        return node
    }

    /// Removes `node` and those above it that have become useless.
    func prune(_ node: NodeID) {
        var node = node
        while node != paths.rootNode, paths.nodes[node].firstObserver == .noRecord,
            paths.nodes[node].firstChild == .noRecord, !paths.nodes[node].followsValue
        {
            let (parent, name) = (paths.nodes[node].parent, paths.nodes[node].name)
            guard releaseMatch(node, below: parent) else { return }
            unbind(node)
            unindexPath(of: node)
            if paths.nodes[node][.isOperator] { removeOperator(of: node) }
            paths.nodeIndex.remove(pairHash(parent, name, seed: records.seed), node)
            paths.removeChild(node, from: parent)
            records.names.release(name)
            paths.nodes.free(node)
            node = parent
        }
    }

    func indexPath(of node: NodeID) {
        scratchText.removeAll()
        appendPath(of: node, to: scratchText)
        paths.text.removeAll()
        paths.text.appendJSONContents(decoded: scratchText.view)
        paths.nodes[node].path = records.texts.make(paths.text.view)
        paths.pathIndex.insert(paths.text.view.hash(seed: records.seed), node)
    }

    private func appendPath(of node: NodeID, to text: ByteBuffer) {
        if paths.nodes[node].parent != paths.rootNode {
            appendPath(of: paths.nodes[node].parent, to: text)
            text.append(0x2E)
        }
        text.appendEscaped(name: records.names.text(paths.nodes[node].name))
    }

    func unindexPath(of node: NodeID) {
        let path = paths.nodes[node].path
        guard !path.isNone else { return }
        paths.pathIndex.remove(path.view.hash(seed: records.seed), node)
        paths.nodes[node].path = .none
        records.texts.release(path)
    }

    // MARK: Binding

    @inline(__always)
    func bind(_ node: NodeID, to property: PropertyID) {
        let bound = unsafe paths.nodes.address(node)
        if unsafe bound.pointee.property == property { return }
        unbind(node)
        unsafe bound.pointee.property = property
        unsafe bound.pointee.nextBound = .noRecord
        let place = unsafe records.properties.address(property)
        let first = unsafe place.pointee.bound
        if first == .noRecord {
            unsafe place.pointee.bound = node
            unsafe bound.pointee.previousBound = node
        } else {
            let last = paths.nodes[first].previousBound
            paths.nodes[last].nextBound = node
            unsafe bound.pointee.previousBound = last
            paths.nodes[first].previousBound = node
        }
    }

    /// Unbinds the node, whose parent is not a model.
    @inline(__always)
    func unbind(_ node: NodeID) {
        let bound = unsafe paths.nodes.address(node)
        let property = unsafe bound.pointee.property
        guard property != .noRecord else { return }
        let place = unsafe records.properties.address(property)
        if unsafe place.pointee.bound == node {
            let next = unsafe bound.pointee.nextBound
            unsafe place.pointee.bound = next
            if next != .noRecord { paths.nodes[next].previousBound = unsafe bound.pointee.previousBound }
        } else {
            unlinkBound(node, from: property)
        }
        unsafe bound.pointee.property = .noRecord
        if unsafe place.pointee.slot.isAbsent {
            records.freeIfUnused(property)
        } else if unsafe place.pointee.flags.contains(.computed) {
            noteUnbound(property)
        }
    }

    /// Call for each computed property from which a node was unbound.
    func noteUnbound(_ id: PropertyID) {
        if records.properties[id].bound == .noRecord, records.isSelection(id) {
            paths.unboundSelections.append(id)
        }
    }

    /// Removes a node, not the first one, from the list of the property's bound nodes.
    @inline(never)
    private func unlinkBound(_ node: NodeID, from property: PropertyID) {
        let (next, previous) = (paths.nodes[node].nextBound, paths.nodes[node].previousBound)
        paths.nodes[previous].nextBound = next
        paths.nodes[next == .noRecord ? records.properties[property].bound : next].previousBound = previous
    }
}
