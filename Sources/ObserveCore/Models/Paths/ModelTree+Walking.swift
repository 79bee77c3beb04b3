// SPDX-License-Identifier: MIT
// Walks from a key path to its place. Changes nothing.

extension ModelTree {
    /// Follows `path`, which is literal, as far as it leads.
    func walk(_ path: ParsedKeyPath) -> Place {
        var model = records.root
        var component = 0
        walk.properties.removeAll()
        walk.lackingModel = .noRecord
        let last = path.count - 1
        while true {
            guard let found = records.presentProperty(model, path.name(component)) else {
                walk.lackingModel = model
                return component == last
                    ? .missingProperty(model) : .broken(component: component, isScalar: false)
            }
            walk.properties.append(found)
            if hasStaleDependents, records.properties[found].flags.contains(.computed) {
                refresh(found)
            }
            if component == last { return .property(found) }
            switch records.properties[found].slot {
            case .model(let next):
                model = next
                component += 1
            case .array(let array):
                switch walk(path, from: component + 1, into: array, heldBy: found) {
                case .place(let place): return place
                case .model(let next, let reached):
                    model = next
                    component = reached
                }
            case let value: return .broken(component: component, isScalar: !value.isNull)
            }
        }
    }

    /// The present property that a dotted path without escapes leads to. Nil if the path leads nowhere, or if
    /// ``walk(_:)`` must follow it: for elements, wildcards and operators, and while a dependent is stale.
    ///
    /// - Cost: one lookup for an observed or recently used path; two per component for others. It does not
    ///   parse the path.
    @inline(__always)
    func fastPathProperty(_ path: ByteView) -> PropertyID? {
        let hash = path.hash(seed: records.seed)
        // A commit rebinds observed paths at its end. Until it touches a property, the nodes are right.
        if paths.pathIndex.count > 0, pending.touches.isEmpty,
            let node = paths.pathIndex.find(hash, { paths.nodes[$0].path.view == path })
        {
            let property = paths.nodes[node].property
            if property != .noRecord, !records.properties[property].slot.isAbsent {
                return paths.nodes[node].isSelected ? nil : property
            }
        }
        guard !hasStaleDependents else { return nil }
        if let known = paths.known.find(hash, path) { return known }
        return fastPathProperty(path, hash)
    }

    @inline(never)
    private func fastPathProperty(_ path: ByteView, _ hash: UInt64) -> PropertyID? {
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
                let found = records.presentProperty(model, name),
                name.firstIndex(of: 0x5B, from: 0) == nil
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

    private enum ArrayStep {
        case place(Place)
        case model(ModelID, component: Int)
    }

    /// Follows the components that are array indices, into nested arrays too.
    private func walk(
        _ path: ParsedKeyPath,
        from first: Int,
        into array: StoredArray,
        heldBy holder: PropertyID
    ) -> ArrayStep {
        walk.indices.removeAll(keepingCapacity: true)
        var array = array
        var component = first
        let last = path.count - 1
        while true {
            guard let index = path.name(component).arrayIndex, index < array.elements.count else {
                return .place(
                    component == last
                        ? .missingElement(holder) : .broken(component: component, isScalar: false)
                )
            }
            walk.indices.append(index)
            if component == last { return .place(.element(holder)) }
            switch array.elements[index] {
            case .model(let model): return .model(model, component: component + 1)
            case .array(let inner): array = inner
            case let value: return .place(.broken(component: component, isScalar: !value.isNull))
            }
            component += 1
        }
    }

    /// The value of a place; text is borrowed.
    func value(at place: Place) -> StoredValue {
        switch place {
        case .property(let id): records.properties[id].slot
        case .element(let holder): element(of: records.properties[holder].slot, walk.indices)
        case .missingProperty, .missingElement, .broken: .absent
        }
    }

    /// Follows indices through nested arrays.
    func element(of value: StoredValue, _ indices: [Int]) -> StoredValue {
        var value = value
        for index in indices {
            guard case .array(let array) = value else { return .absent }
            value = array.element(index)
        }
        return value
    }
}
