// SPDX-License-Identifier: MIT
// Finds values below an observed path, by the rest of their paths as text. Changes nothing.

extension NotifyingTree {
    /// A mirror's value at the rest of a path below the node, as in ``PathChange/suffix``: weak references count as absent.
    func ownedValue(below node: NodeID, at suffix: ByteView) -> StoredValue {
        var value = currentValue(of: node)
        guard !suffix.isEmpty else { return value }
        let path = path(nil, suffix)
        for component in 0..<path.count {
            switch value {
            case .model(let model):
                guard let found = records.presentProperty(model, path.name(component)),
                    !records.properties[found].isWeak
                else { return .absent }
                value = records.properties[found].value
            case .array(let array): value = array.element(path.name(component).arrayIndex ?? -1)
            default: return .absent
            }
        }
        return value
    }

    /// The path that changed: the node's, or one below it.
    func path(of change: borrowing PathChange) -> ParsedKeyPath {
        path(paths.nodes[change.node].path.view, change.suffix?.view)
    }

    /// Parses the path of a node, as in a JSON string, or one below it.
    func path(_ node: ByteView?, _ suffix: ByteView?) -> ParsedKeyPath {
        let json = ByteBuffer()
        json.append(0x22)
        if let node { json.append(node) }
        // The rest begins with a dot.
        if let suffix { json.append(suffix.dropFirst(json.count == 1 ? 1 : 0)) }
        json.append(0x22)
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        guard let whole = try? JSONScanner.validate(json.view, maxDepth: 1), (try? path.parse(whole)) != nil
        else { preconditionFailure("the text of a notified path is not a path") }
        return path
    }
}
