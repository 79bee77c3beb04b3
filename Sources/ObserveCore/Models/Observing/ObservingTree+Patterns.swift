// SPDX-License-Identifier: MIT
// Expands patterns: a wildcard makes nodes for all existing paths, and follows later changes. Notifies no observer.

extension ObservingTree {
    /// Observes every path that matches a pattern, including later ones. Not during a commit.
    ///
    /// - Parameters:
    ///   - tag: passed to ``ChangeSink/pathMatched(pattern:_:isMet:in:)``.
    ///   - shared: bounds its size together with that of others.
    func observe(
        pattern path: ParsedKeyPath,
        options: ObservingOptions,
        tag: Int32,
        shared: SharedNeeds? = nil
    ) -> PatternID {
        precondition(pending.touches.isEmpty, "a pattern was observed in the middle of a commit")
        return observe(components(path), options, tag, shared)
    }

    /// Observes another pattern with the same components, options and tag, below the present root.
    func observe(again pattern: PatternID) -> PatternID {
        let record = wildcards.patterns[pattern]
        for name in record.components.names { records.names.retain(name) }
        allowElements()
        return observe(record.components, record.options, record.tag, nil)
    }

    private func observe(
        _ components: [PatternComponent],
        _ options: ObservingOptions,
        _ tag: Int32,
        _ shared: SharedNeeds?
    ) -> PatternID {
        let pattern = wildcards.patterns.allocate()
        wildcards.patterns[pattern].components = components
        wildcards.patterns[pattern].lastWildcard = components.lastWildcard
        wildcards.patterns[pattern].options = options
        wildcards.patterns[pattern].tag = tag
        wildcards.patterns[pattern].sharedNeeds = shared
        // Also without a match: an equal assignment may be missed at a path that no longer matches.
        if !options.contains(.distinct) { addIndistinctObserver() }
        begin(pattern)
        return pattern
    }

    func removePattern(_ pattern: PatternID) {
        var ending = EndingMatches()
        // What a pattern without a match costs.
        records.effort.count(128)
        collapse(pattern, 0, at: paths.rootNode, &ending)
        releaseNames(of: wildcards.patterns[pattern].components)
        // That of an overfull pattern is not exact.
        if let shared = wildcards.patterns[pattern].sharedNeeds {
            shared.needs = shared.needs - wildcards.patterns[pattern].needs
        }
        if !wildcards.patterns[pattern].options.contains(.distinct) { removeIndistinctObserver() }
        wildcards.patterns.free(pattern)
        pruneAll(ending.leaves)
        freeUnusedSelections()
    }

    func ignoreNewPaths(_ pattern: PatternID) { wildcards.patterns[pattern].isOverfull = true }

    /// Ends about `limit` matches of a pattern that is about to be removed: from now on, it ignores new paths. So its removal need
    /// not end all of them at once. Returns whether none is left. Not during a commit.
    func endMatches(of pattern: PatternID, atMost limit: Int) -> Bool {
        ignoreNewPaths(pattern)
        var ending = EndingMatches(room: limit, next: wildcards.patterns[pattern].nextEnding)
        collapse(pattern, 0, at: paths.rootNode, &ending)
        wildcards.patterns[pattern].nextEnding = ending.next
        pruneAll(ending.leaves)
        freeUnusedSelections()
        return !ending.isCut
    }

    // MARK: Expanding

    private func begin(_ pattern: PatternID) {
        let size = needs(of: wildcards.patterns[pattern].components)
        // Measured beside an evaluation: to make, observe and remove the nodes of a place, and of a match.
        guard mayReplay(steps: 15 * size.matches + 4 * size.places), size.fits(patternLimit),
            wildcards.patterns[pattern].sharedNeeds.map({ size.fits($0.room) }) ?? true
        else { return noteOverfull(pattern) }
        let prepared = wildcards.preparations.values.reduce(0) { $0 + $1.nodes.count }
        paths.nodeIndex.reserve(max(0, size.total - prepared))
        paths.pathIndex.reserve(max(0, size.matches - prepared))
        paths.patternObservers.reserve(size.matches)
        expand(pattern, 0, at: paths.rootNode)
    }

    /// Continues with the pattern's components from `component` at a node that matches the earlier ones.
    private func expand(_ pattern: PatternID, _ component: Int, at node: NodeID) {
        let isMatch = component > wildcards.patterns[pattern].lastWildcard
        guard hasRoom(pattern, isMatch ? PatternSize(matches: 1) : PatternSize(places: 1)) else { return }
        guard component < wildcards.patterns[pattern].components.count else {
            return beginMatch(pattern, node, isDeep: false)
        }
        switch wildcards.patterns[pattern].components[component] {
        case .name(let name), .derived(let name):
            let child = nearChild(of: node, named: name) ?? addNode(below: node, named: name)
            expand(pattern, component + 1, at: child)
        case .anyDepth: beginMatch(pattern, node, isDeep: true)
        case .anyName(where: let condition):
            let isFirst = paths.nodes[node].firstWildcard == .noRecord
            resize(pattern, places: 1)
            records.effort.count(16)
            let first = paths.nodes[node].firstWildcard
            paths.nodes[node].firstWildcard = wildcards.add(pattern, to: node, first: first)
            if isFirst { list(node, under: currentValue(of: node)) }
            if condition != .noRecord { paths.nodes[node][.hasCandidates] = true }
            // During a notification the tree visits the node's children next, and expands them then.
            if !paths.isNotifying { expandChildren(of: node, pattern, isFirst: isFirst) }
        }
    }

    /// Continues behind the wildcard that matches `child`.
    private func expand(_ pattern: PatternID, behind child: NodeID) {
        let condition = condition(of: pattern, at: child)
        if condition != .noRecord {
            let size = conditionSize(condition)
            guard hasRoom(pattern, size) else { return }
            resize(pattern, places: size.places)
        }
        expand(pattern, Int(paths.nodes[child].depth), at: matched(child, where: condition))
    }

    /// The reverse of ``expand(_:behind:)``.
    private func collapse(_ pattern: PatternID, behind child: NodeID, _ ending: inout EndingMatches) {
        let condition = condition(of: pattern, at: child)
        guard let match = knownMatch(child, where: condition) else { return }
        if condition != .noRecord { resize(pattern, places: -conditionSize(condition).places) }
        collapse(pattern, Int(paths.nodes[child].depth), at: match, &ending)
    }

    /// Whether the pattern may have so much more. Once it may not, it ignores all new paths.
    private func hasRoom(_ pattern: PatternID, _ more: PatternSize) -> Bool {
        let fitsShared = wildcards.patterns[pattern].sharedNeeds.map { more.fits($0.room) } ?? true
        let fits = (wildcards.patterns[pattern].needs + more).fits(patternLimit) && fitsShared
        if !fits { noteOverfull(pattern) }
        return !wildcards.patterns[pattern].isOverfull
    }

    private func resize(_ pattern: PatternID, matches: Int = 0, places: Int = 0) {
        let change = PatternSize(matches: matches, places: places)
        wildcards.patterns[pattern].needs = wildcards.patterns[pattern].needs + change
        if let shared = wildcards.patterns[pattern].sharedNeeds { shared.needs = shared.needs + change }
    }

    private func noteOverfull(_ pattern: PatternID) {
        if wildcards.patterns[pattern].isOverfull { return }
        wildcards.patterns[pattern].isOverfull = true
        notifyOverfull(wildcards.patterns[pattern].tag)
    }

    /// Whether a container has more members than any pattern may match or lead through: then it gets no nodes for them.
    private func exceedsMatches(_ container: StoredValue) -> Bool {
        records.elementCount(of: container) > max(limits.maxMatches, limits.maxElements)
    }

    private func expandChildren(of node: NodeID, _ pattern: PatternID, isFirst: Bool) {
        let value = currentValue(of: node)
        let mayLackChildren = isFirst || paths.nodes[node][.lacksChildren]
        if exceedsMatches(value) {
            paths.nodes[node][.lacksChildren] = true
            return noteOverfull(pattern)
        }
        if mayLackChildren { makeChildren(of: node, for: value) }
        forEachChild(of: node) { child in
            if mayLackChildren, !paths.nodes[child][.isOperator], !paths.nodes[child][.isSelection] {
                paths.nodes[child][.isMatched] = !currentValue(of: child).isAbsent
            }
            if paths.nodes[child][.isMatched] { expand(pattern, behind: child) }
        }
    }

    /// Notes that a node's value exceeds what its wildcards may match.
    private func noteOverfull(at node: NodeID) { forEachPattern(at: node) { noteOverfull($0) } }

    private func forEachPattern(at node: NodeID, _ body: (PatternID) -> Void) {
        var wildcard = paths.nodes[node].firstWildcard
        while wildcard != .noRecord {
            let place = wildcards.places[wildcard]
            body(place.pattern)
            wildcard = place.next
        }
    }

    /// Makes nodes for all properties of the container, or for its elements from `first` on.
    private func makeChildren(of node: NodeID, for container: StoredValue, from first: Int = 0) {
        if exceedsMatches(container) {
            paths.nodes[node][.lacksChildren] = true
            return noteOverfull(at: node)
        }
        if first == 0 { paths.nodes[node][.lacksChildren] = false }
        // Names in a container are distinct, so the children of a node without any need no search.
        let isBare = paths.nodes[node].firstChild == .noRecord
        switch container {
        case .model(let model):
            forEachProperty(of: model) { id in
                let name = records.properties[id].name
                if isBare || child(of: node, named: name, for: id) == nil {
                    _ = addNode(below: node, named: name, for: id)
                }
            }
        case .array(let array) where !array.isExcess:
            for index in array.elements.indices.dropFirst(first) {
                scratchText.removeAll()
                scratchText.append(decimal: UInt64(index))
                let name = records.names.intern(scratchText.view)
                if isBare || child(of: node, named: name) == nil { _ = addNode(below: node, named: name) }
                records.names.release(name)
            }
        default: break
        }
    }

    /// Makes the pattern observe the node's path, or that path and all below it.
    private func beginMatch(_ pattern: PatternID, _ node: NodeID, isDeep: Bool) {
        resize(pattern, matches: 1)
        let tag = wildcards.patterns[pattern].tag
        var observer = paths.observer(of: tag, at: node)
        if observer == .noRecord {
            observer = paths.observers.allocate()
            paths.observers[observer].group = tag
            add(observer, wildcards.patterns[pattern].options, to: node)
            let isMet = !paths.nodes[node][.isSelected] || meets(pattern, node)
            paths.observers[observer].tag = tagOfMatch(pattern: tag, observer, isMet: isMet)
        } else {
            var count = multiplicity(of: observer)
            if isDeep { count.deep += 1 } else { count.shallow += 1 }
            wildcards.shared[observer] = count
        }
        guard isDeep, !paths.observers[observer].options.contains(.deep) else { return }
        paths.setDeep(true, observer)
    }

    private func multiplicity(of observer: ObserverID) -> Multiplicity {
        if !wildcards.shared.isEmpty, let count = wildcards.shared[observer] { return count }
        return paths.observers[observer].options.contains(.deep)
            ? Multiplicity(deep: 1) : Multiplicity(shallow: 1)
    }

    // MARK: Collapsing

    /// Undoes ``expand(_:_:at:)``, as far as there is room. Keeps nodes that may have become useless, and lists them as leaves.
    private func collapse(
        _ pattern: PatternID,
        _ component: Int,
        at node: NodeID,
        _ ending: inout EndingMatches
    ) {
        guard component < wildcards.patterns[pattern].components.count else {
            return endMatch(pattern, node, isDeep: false, &ending)
        }
        switch wildcards.patterns[pattern].components[component] {
        case .name(let name), .derived(let name):
            if let child = nearChild(of: node, named: name) {
                collapse(pattern, component + 1, at: child, &ending)
            }
        case .anyDepth: endMatch(pattern, node, isDeep: true, &ending)
        case .anyName:
            let wildcard = wildcards.place(of: pattern, at: node)
            if wildcard == .noRecord { return }
            let begun = exchange(&ending.next, with: .noRecord)
            var child = paths.nodes[node].firstChild
            if begun != .noRecord, paths.nodes[begun].parent == node { child = begun }
            while child != .noRecord, ending.room > 0 {
                if paths.nodes[child][.isMatched] { collapse(pattern, behind: child, &ending) }
                if ending.isCut { break }
                child = paths.nodes[child].next
            }
            ending.next = child
            if child == .noRecord { remove(wildcard, of: pattern, from: node, &ending) }
        }
    }

    private func remove(
        _ wildcard: WildcardID,
        of pattern: PatternID,
        from node: NodeID,
        _ ending: inout EndingMatches
    ) {
        let first = wildcards.remove(wildcard, from: node, first: paths.nodes[node].firstWildcard)
        paths.nodes[node].firstWildcard = first
        resize(pattern, places: -1)
        if paths.nodes[node].firstChild == .noRecord { ending.leaves.append(node) }
        guard first == .noRecord else { return }
        forEachChild(of: node) { child in
            paths.nodes[child][.isMatched] = false
            ending.leaves.append(child)
        }
        wildcards.unlist(node)
        paths.nodes[node][.hasCandidates] = false
    }

    /// Undoes ``beginMatch(_:_:isDeep:)``. Patterns with one tag share an observer, which goes with the last of their matches.
    private func endMatch(_ pattern: PatternID, _ node: NodeID, isDeep: Bool, _ ending: inout EndingMatches) {
        let observer = paths.observer(of: wildcards.patterns[pattern].tag, at: node)
        guard observer != .noRecord else { return }
        var count = multiplicity(of: observer)
        let wasShared = count.total > 1
        resize(pattern, matches: -1)
        if isDeep { count.deep -= 1 } else { count.shallow -= 1 }
        // An overfull pattern may not have counted itself here. Its removal removes all patterns of its tag.
        if wildcards.patterns[pattern].isOverfull { count = Multiplicity() }
        if wasShared { wildcards.shared[observer] = count.total > 1 ? count : nil }
        if count.deep == 0, paths.observers[observer].options.contains(.deep) {
            paths.setDeep(false, observer)
        }
        guard count.total == 0 else { return }
        notifyForgotten(paths.observers[observer].tag)
        drop(observer)
        ending.leaves.append(node)
        ending.room -= 1
    }

    private func pruneAll(_ leaves: [NodeID]) {
        for node in leaves where node != paths.rootNode && paths.nodes[node].parent != .noRecord {
            prune(node)
        }
    }

    // MARK: Following

    /// Before a notification: makes nodes for new properties of models with wildcards.
    func makeNodesThatAppeared() {
        guard !wildcards.nodes.isEmpty else { return }
        for index in pending.touches.indices {
            let id = pending.touches[index].property
            guard pending.touches[index].edits.isEmpty, pending.touches[index].old.isAbsent,
                !records.properties[id].slot.isAbsent,
                let following = wildcards.nodes[records.properties[id].model]
            else { continue }
            for node in following where paths.isVisited(node) {
                wildcards.appeared.append(childOrNew(of: node, named: records.properties[id].name))
            }
        }
    }

    /// During a notification: updates whether the node exists, since its parent has wildcards.
    func updateMatch(_ node: NodeID, isThere: Bool) {
        guard paths.nodes[node][.isMatched] != isThere else { return }
        guard isThere else { return wildcards.vanished.append(node) }
        paths.nodes[node][.isMatched] = true
        forEachPattern(at: paths.nodes[node].parent) { expand($0, behind: node) }
    }

    /// During a notification: makes children for the new value of a node with wildcards. The tree visits them next.
    func followValue(of node: NodeID, _ value: StoredValue) {
        wildcards.unlist(node)
        list(node, under: value)
        makeChildren(of: node, for: value)
    }

    /// The same for elements that edits of an array added. `old` is nil after a single edit, which adds at most one.
    func followEdits(of node: NodeID, _ old: StoredArray?, _ array: StoredArray) {
        let known = old?.elements.count ?? max(0, array.elements.count - 1)
        makeChildren(of: node, for: .array(array), from: known)
    }

    /// Whether a node that nothing needs may go. If patterns have expanded there, its parent notes that it lacks one.
    func releaseMatch(_ node: NodeID, below parent: NodeID) -> Bool {
        guard paths.nodes[node][.isMatched] else { return true }
        if paths.nodes[parent][.hasCandidates] { return false }
        paths.nodes[parent][.lacksChildren] = true
        return true
    }

    /// After a notification: forgets nodes that no longer exist.
    func forgetVanished() {
        guard !wildcards.isIdle else { return }
        var ending = EndingMatches()
        for index in wildcards.vanished.indices {
            let node = wildcards.vanished[index]
            // If its parent vanished too, that node's turn has already collapsed this one.
            guard paths.nodes[node][.isMatched] else { continue }
            paths.nodes[node][.isMatched] = false
            forEachPattern(at: paths.nodes[node].parent) {
                collapse($0, behind: node, &ending)
                wildcards.patterns[$0].nextEnding = .noRecord
            }
            ending.leaves.append(node)
        }
        wildcards.vanished.removeAll()
        // A new node is useless if no pattern leads to it any more.
        for index in wildcards.appeared.indices { ending.leaves.append(wildcards.appeared[index]) }
        wildcards.appeared.removeAll()
        pruneAll(ending.leaves)
    }

    private func list(_ node: NodeID, under value: StoredValue) {
        if case .model(let model) = value { wildcards.list(node, under: model) }
    }
}
