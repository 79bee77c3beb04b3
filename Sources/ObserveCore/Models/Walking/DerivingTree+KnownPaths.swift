// SPDX-License-Identifier: MIT
// The fast path of walking: looks up a path by its text. Changes no value.

extension DerivingTree {
    /// The present property that a dotted path without escapes leads to. Nil if the path leads nowhere, or if
    /// ``walk(_:)`` must follow it: for elements, wildcards and operators, and while a dependent is stale.
    ///
    /// - Cost: one lookup for an observed or recently used path; two per component for others. It does not parse the path.
    @inline(__always) func fastPathProperty(_ path: ByteView) -> PropertyID? {
        let hash = path.hash(seed: records.seed)
        // A commit rebinds observed paths at its end. Until it touches a property, the nodes are right.
        if paths.pathIndex.count > 0, pending.touches.isEmpty,
            let node = paths.pathIndex.find(hash, { paths.nodes[$0].path.view == path })
        {
            let property = paths.nodes[node].property
            if property != .noRecord, !records.properties[property].slot.isAbsent {
                return paths.nodes[node][.isSelected] ? nil : property
            }
        }
        guard !dependents.isStale else { return nil }
        if let known = paths.known.find(hash, path) { return known }
        return fastPathProperty(path, hash)
    }

    @inline(never) private func fastPathProperty(_ path: ByteView, _ hash: UInt64) -> PropertyID? {
        var model = records.root
        var start = 0
        // How many more components the limits allow.
        var rest = limits.maxDepth
        var marks: UInt64 = 0
        while rest > 0 {
            rest &-= 1
            let end = path.firstIndex(of: 0x2E, from: start) ?? path.count
            let name = path.slice(start..<end)
            guard !name.isEmpty, name[0] != 0x2A, name[0] != 0x40,
                let found = records.presentProperty(model, name), name.firstIndex(of: 0x5B, from: 0) == nil
            else { return nil }
            if end == path.count {
                paths.known.note(hash, path, found, through: marks)
                return found
            }
            marks |= KnownPaths.mark(found)
            var value = records.properties[found].slot
            start = end &+ 1
            while case .array(let array) = value {
                rest &-= 1
                let end = path.firstIndex(of: 0x2E, from: start) ?? path.count
                guard end < path.count, let index = path.slice(start..<end).arrayIndex else { return nil }
                value = array.element(index)
                start = end &+ 1
            }
            guard case .model(let next) = value else { return nil }
            model = next
        }
        return nil
    }
}
