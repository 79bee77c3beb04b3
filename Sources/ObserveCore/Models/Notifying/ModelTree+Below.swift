// SPDX-License-Identifier: MIT
// What stands below an observed path, by the text of the way there. Changes nothing.

extension ModelTree {
    /// What a mirror of the node's value has at a path below it: weak references count as absent.
    ///
    /// - Parameter suffix: how the path goes on after the node's, as in ``PathChange/suffix``.
    func ownedValue(below node: NodeID, at suffix: ByteView) -> StoredValue {
        var value = currentValue(of: node)
        guard !suffix.isEmpty else { return value }
        let json = ByteBuffer()
        json.append(0x22)
        json.append(suffix.dropFirst(1))
        json.append(0x22)
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        guard let token = try? JSONScanner.validate(json.view, maxDepth: 1),
            (try? path.parse(JSONView(token))) != nil
        else { preconditionFailure("the text of a path that was told is no path") }
        for component in 0..<path.count {
            switch value {
            case .model(let model):
                guard let found = presentProperty(model, path.name(component)),
                    !records.properties[found].isWeak
                else { return .absent }
                value = records.properties[found].value
            case .array(let array): value = array.element(path.name(component).arrayIndex ?? -1)
            default: return .absent
            }
        }
        return value
    }
}
