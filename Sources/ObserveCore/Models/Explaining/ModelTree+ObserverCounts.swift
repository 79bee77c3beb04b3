// SPDX-License-Identifier: MIT
// Counts the observers of a path, and of paths below it. Changes nothing.

struct ObserverCounts {
    var exact = 0
    var below = 0
    var patterns = 0

    func write(to out: ByteBuffer) {
        out.append("{\"exact\":", exact)
        out.append(",\"below\":", below)
        out.append(",\"patterns\":", patterns, "}")
    }
}

extension ModelTree {
    /// - Cost: proportional to the observed paths below, and to the patterns. Counts about as many steps as a visit takes.
    func observerCounts(of path: ParsedKeyPath) -> ObserverCounts {
        var counts = ObserverCounts()
        if let node = node(at: path) {
            counts.exact = countLiteralObservers(at: node)
            var pending = [node]
            while let above = pending.popLast() {
                records.effort.count(8)
                forEachChild(of: above) {
                    counts.below += countLiteralObservers(at: $0)
                    pending.append($0)
                }
            }
        }
        for index in 0..<wildcards.patterns.allocatedCount {
            records.effort.count(4)
            count(wildcards.patterns[PatternID(index: index)].components, for: path, &counts)
        }
        return counts
    }

    private func node(at path: ParsedKeyPath) -> NodeID? {
        var node = paths.rootNode
        for component in 0..<path.count {
            guard let name = records.names.find(path.name(component)), let next = child(of: node, named: name)
            else { return nil }
            node = next
        }
        return node
    }

    private func countLiteralObservers(at node: NodeID) -> Int {
        var count = 0
        var observer = paths.nodes[node].firstObserver
        while observer != .noRecord {
            records.effort.count(1)
            if paths.observers[observer].group == ObserverRecord.noGroup { count += 1 }
            observer = paths.observers[observer].next
        }
        return count
    }

    /// Counts a pattern, or a literal path observed together with patterns. A freed record has no components.
    private func count(_ pattern: [PatternComponent], for path: ParsedKeyPath, _ counts: inout ObserverCounts)
    {
        guard !pattern.isEmpty else { return }
        var hasWildcard = false
        for (index, component) in pattern.enumerated() {
            switch component {
            case .name(let name):
                if index < path.count, !(records.names.text(name) == path.name(index)) { return }
            case .anyName: hasWildcard = true
            case .anyDepth:
                if path.count >= index { counts.patterns += 1 }
                return
            case .derived:
                if !hasWildcard, path.count <= index { counts.below += 1 }
                return
            }
        }
        if hasWildcard {
            if path.count == pattern.count { counts.patterns += 1 }
        } else if path.count == pattern.count {
            counts.exact += 1
        } else if path.count < pattern.count {
            counts.below += 1
        }
    }
}
