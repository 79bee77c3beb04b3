// SPDX-License-Identifier: MIT
// From a pattern's text to its components, and the names that they retain. Independent of nodes.

extension ModelTree {
    /// The components of a pattern, with names that the caller releases.
    func patternComponents(_ path: ParsedKeyPath) -> [PatternComponent] {
        var components: [PatternComponent] = []
        for index in 0..<(path.operatorIndex ?? path.count) {
            switch path.kind(index) {
            case .anyName: components.append(.anyName)
            case .anyDepth:
                // `**` alone matches every root, and all below it.
                if index == 0 { components.append(.anyName) }
                components.append(.anyDepth)
            case .name, .collectionOperator: components.append(.name(records.names.intern(path.name(index))))
            }
        }
        if let name = operatorName(path) { components.append(.derived(name)) }
        return components
    }

    func releaseNames(of components: [PatternComponent]) {
        for component in components {
            switch component {
            case .name(let name), .derived(let name): records.names.release(name)
            case .anyName, .anyDepth: break
            }
        }
    }
}
