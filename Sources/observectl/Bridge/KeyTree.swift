// SPDX-License-Identifier: MIT
// The nodes of all keys, and the daemon's values in them. Independent of connections.

import ObserveCore

struct KeyTree {
    let root = KeyNode(name: "", parent: nil, scope: nil)
    /// The nodes of the bridged paths that are not below another one.
    let scopes: [KeyNode]

    init(_ paths: [BridgedPath]) {
        var scopes: [KeyNode] = []
        // A path below another one has its own direction.
        let ordered = paths.enumerated().sorted { $0.element.names.count < $1.element.names.count }
        for (index, path) in ordered {
            var node = root
            for (depth, name) in path.names.enumerated() {
                let isLast = depth == path.names.count - 1
                let child = node.child(name, scope: isLast ? index : node.scope)
                if isLast, node.scope == nil { scopes.append(child) }
                node = child
            }
        }
        self.scopes = scopes
    }

    /// The node of a path, made if it is missing; nil if no bridged path leads there.
    func node(_ names: [String]) -> KeyNode? {
        var node = root
        for name in names {
            if let child = node[name] {
                node = child
            } else {
                guard let scope = node.scope else { return nil }
                node = node.child(name, scope: scope)
            }
        }
        return node.scope == nil ? nil : node
    }

    /// Removes nodes of which nothing is known, from this one upwards.
    func forget(_ node: KeyNode) {
        var node = node
        while node.isForgettable, let above = node.parent, above[node.name] === node {
            above.remove(node)
            node = above
        }
    }

    func visit(_ body: (KeyNode) -> Void) { for scope in scopes { scope.visit(body) } }
}

/// The changes of one or more assignments to the daemon's values, so that they can be reversed.
struct LocalChanges {
    private(set) var former: [(node: KeyNode, value: RawJSON?)] = []

    mutating func set(_ node: KeyNode, _ value: RawJSON?) {
        guard node.local != value else { return }
        former.append((node, node.local))
        node.setLocal(value)
    }

    mutating func undo() {
        for (node, value) in former.reversed() { node.setLocal(value) }
        former = []
    }

    /// The nodes whose values differ now, in the order in which they changed.
    var differing: [KeyNode] {
        if former.count == 1 { return former[0].node.local == former[0].value ? [] : [former[0].node] }
        var seen: Set<ObjectIdentifier> = []
        return former.compactMap { node, value in
            seen.insert(ObjectIdentifier(node)).inserted && node.local != value ? node : nil
        }
    }

    /// Assigns what the daemon has at the node now: nil for nothing, else a leaf or a whole model.
    mutating func assign(_ node: KeyNode, _ value: RawJSON?) {
        let value = value.flatMap { $0.isNull ? nil : $0 }
        guard value != nil || node.local != nil || node.localBelow > 0 else { return }
        // A model's leaf is below it, so a leaf above goes. This also ends an empty model.
        if value != nil, let above = node.above.first(where: { $0.local != nil }) { set(above, nil) }
        if node.localBelow > 0 {
            var leaves: [KeyNode] = []
            node.visit(while: { $0.localBelow > 0 }) { if $0 !== node, $0.local != nil { leaves.append($0) } }
            for leaf in leaves { set(leaf, nil) }
        }
        guard let value else {
            set(node, nil)
            return keepModel(above: node)
        }
        guard value.isModel else { return set(node, value) }
        set(node, addLeaves(of: value, to: node) ? nil : .emptyModel)
    }

    /// A model that has lost its last leaf is an empty one, as long as it is within the bridged path.
    private mutating func keepModel(above node: KeyNode) {
        guard let above = node.parent, above.scope != nil, above.localBelow == 0, above.local == nil
        else { return }
        set(above, .emptyModel)
    }

    /// False if the model has no property that is not null.
    private mutating func addLeaves(of model: RawJSON, to node: KeyNode) -> Bool {
        var hasLeaf = false
        for (name, value) in model.members ?? [] where !value.isNull {
            hasLeaf = true
            let child = node.child(name, scope: node.scope)
            if !value.isModel || !addLeaves(of: value, to: child) {
                set(child, value.isModel ? .emptyModel : value)
            }
        }
        return hasLeaf
    }
}
