// SPDX-License-Identifier: MIT
// Loads a dump into a tree in use. Independent of the dump's text.

extension ModelTree {
    /// Assigns the dump's roots, or the value of its path, with new models. The tree keeps its other values and its
    /// bindings, and adds those of the dump.
    ///
    /// - Returns: whether anything was changed; it is one commit.
    /// - Errors: after an error, nothing was changed.
    @discardableResult func load(_ dump: DumpReader) throws(TreeError) -> Bool {
        dump.endTemporaryValues()
        return try commit(refusingAs: { $0 }) { () throws(TreeError) in
            let roots = dump.roots
            let paths = try roots.map { (root) throws(TreeError) in
                if let path = dump.path { try parsed(path) } else { try path(toRoot: root.name) }
            }
            for path in paths { _ = try place(toLoad: path) }
            var importer = ModelImporter(dump.tree, into: self, below: try parentPath(of: dump))
            try importer.run()
            for (root, path) in zip(roots, paths) {
                try assign(importer.mapped(root.value), to: path, isWeak: root.isWeak)
            }
            for (index, binding) in dump.bindings.enumerated() {
                do throws(TreeError) { try add(binding) } catch {
                    let place = "binding \(index + 1) of the dump"
                    throw error.said(as: "\(place): \(error.message)", at: error.path)
                }
            }
        }
    }

    /// The dump's path without its last component; empty for a dump of all roots.
    private func parentPath(of dump: DumpReader) throws(TreeError) -> String {
        guard let path = dump.path else { return "" }
        let parsed = try parsed(path)
        return parsed.escaped(first: parsed.count - 1)
    }

    /// Makes the binding, unless its paths are bound already, one way or both.
    private func add(_ binding: StateLoader.KeptBinding) throws(TreeError) {
        let (from, to) = (try parsed(binding.source, orOperator: true), try parsed(binding.target))
        if self.binding(from: from.escaped, to: to.escaped) != nil { return }
        try requireRoomForBinding()
        _ = try addBinding(from, to: to, isTwoWay: binding.isTwoWay, isRestored: true)
    }
}
