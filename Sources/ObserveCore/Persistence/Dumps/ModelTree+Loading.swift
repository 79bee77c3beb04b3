// SPDX-License-Identifier: MIT
// A dump put into a tree that is alive. Knows no text.

extension ModelTree {
    /// Assigns what the dump says: each root in it, or what is at its path. New models are made of its models; what else
    /// there is stays, and so do bindings, to which its own come.
    ///
    /// - Returns: whether anything was changed; it is one commit.
    /// - Errors: nothing was changed.
    @discardableResult
    func load(_ dump: DumpReader) throws(TreeError) -> Bool {
        dump.endLifetimes()
        var bound: [Int32] = []
        var present = allBindings
        do throws(TreeError) {
            return try commit { () throws(TreeError) in
                let targets = try targets(of: dump)
                for (_, path) in targets { _ = try place(toLoad: path) }
                var importer = ModelImporter(dump.tree, into: self, below: try dump.parentPath(limits))
                try importer.run()
                for (root, path) in targets {
                    try assign(
                        importer.mapped(dump.tree.records.properties[root].value),
                        to: path,
                        isWeak: dump.tree.records.properties[root].isWeak
                    )
                }
                for (index, binding) in dump.bindings.enumerated() {
                    do throws(TreeError) { try add(binding, beside: &present, &bound) } catch {
                        throw error.said(of: "binding \(index + 1) of the dump")
                    }
                }
            }
        } catch {
            for number in bound.reversed() { _ = removeBinding(number) }
            throw error
        }
    }

    /// The dump's roots, and where each is to be.
    private func targets(of dump: DumpReader) throws(TreeError) -> [(PropertyID, ParsedKeyPath)] {
        var targets: [(PropertyID, ParsedKeyPath)] = []
        var root = dump.tree.records.models[dump.tree.records.root].first
        while root != .noRecord {
            if let path = dump.path {
                targets.append((root, try parsed(path)))
            } else {
                let name = dump.tree.records.names.text(dump.tree.records.properties[root].name)
                targets.append((root, try self.path(toRoot: name.string)))
            }
            root = dump.tree.records.properties[root].next
        }
        return targets
    }

    private func place(toLoad path: ParsedKeyPath) throws(TreeError) -> (Place, Declared?) {
        try refuseReserved(path)
        try refuseUnknown(path)
        let place = walk(path)
        try refuseMissing(path, at: place)
        return (place, try writable(path, at: place))
    }

    private func assign(_ value: StoredValue, to path: ParsedKeyPath, isWeak: Bool) throws(TreeError) {
        let (place, declared) = try place(toLoad: path)
        var new = value
        if let declared {
            beginTrail(.path(path))
            new = try converted(value, as: declared, isWeak: isWeak)
            if declared.isWeak, new.modelID != nil {
                throw TreeError(
                    kind: .typeMismatch,
                    message: "\(path.escaped): it is weak, and nothing else would keep the model alive",
                    path: path.escaped
                )
            }
        }
        switch place {
        case .property(let id) where isWeak: assign(id, new, isWeak: true)
        case .missingProperty(let model) where isWeak:
            assign(addProperty(named: path.name(path.count - 1), to: model), new, isWeak: true)
        default: _ = try put(new, path, at: place)
        }
    }

    /// - Parameter present: those that were there before, without those that others of the dump stand for.
    private func add(
        _ binding: StateLoader.KeptBinding,
        beside present: inout [Binding],
        _ bound: inout [Int32]
    ) throws(TreeError) {
        let (from, to) = (try parsed(binding.source, orOperator: true), try parsed(binding.target))
        let known = present.firstIndex {
            $0.isTwoWay == binding.isTwoWay && $0.source.escaped == from.escaped
                && $0.target.escaped == to.escaped
        }
        if let known {
            present.remove(at: known)
        } else {
            bound.append(try addBinding(from, to: to, isTwoWay: binding.isTwoWay, isRestored: true))
        }
    }

    /// `value`, which may be a weak reference, as it is declared; below the trail that there is.
    func converted(_ value: StoredValue, as declared: Declared, isWeak: Bool) throws(TreeError) -> StoredValue
    {
        let new = try converted(value, as: declared.type)
        if declared.isWeak, !new.isNull, new.modelID == nil { throw mismatch(declared.type, value) }
        if isWeak, !declared.isWeak, !declared.type.isOptional { throw notNullable(declared.type) }
        return new
    }
}

extension DumpReader {
    /// What stands before the last component of the path that the dump is of.
    fileprivate func parentPath(_ limits: TreeLimits) throws(TreeError) -> String {
        let parsed = ParsedKeyPath(maxDepth: limits.maxDepth)
        guard let path, (try? parsed.parse(dotted: path)) != nil else { return "" }
        return parsed.escaped(first: parsed.count - 1)
    }
}

extension TreeError {
    fileprivate func said(of what: String) -> TreeError {
        var said = TreeError(kind: kind, message: "\(what): \(message)", path: path)
        (said.declared, said.found, said.nearest) = (declared, found, nearest)
        return said
    }
}
