// SPDX-License-Identifier: MIT
// JSON Merge Patch (RFC 7396), applied in place. Independent of the patch's source.

extension WritingTree {
    /// Applies a patch to the value at `path`. Existing models keep their identity, and weak references stay weak. A patch that
    /// is not an object replaces the value, like ``set(_:to:parents:term:)``. Returns whether anything changed.
    func merge(_ path: ParsedKeyPath, with patch: JSONView) throws(TreeError) -> Bool {
        guard patch.kind == .object else { return try set(path, to: patch) }
        try refuseReserved(path)
        let place = walk(path)
        if let model = value(at: place).modelID {
            typing.beginTrail(.path(path))
            return try merge(patch.lastMembers, into: model, depth: 0)
        }
        return try set(path, at: place, to: patch, isPatch: true)
    }

    private func merge(_ patch: [JSONMember], into model: ModelID, depth: Int) throws(TreeError) -> Bool {
        try refuseDepth(depth)
        var changed = false
        for member in patch {
            typing.trail.append(.member(member.name))
            if try merge(member, into: model, depth: depth) { changed = true }
            _ = typing.trail.popLast()
        }
        return changed
    }

    private func merge(_ member: JSONMember, into model: ModelID, depth: Int) throws(TreeError) -> Bool {
        let name = member.name.decoded(in: scratchText)
        guard let declared = typing.declared(name, of: model, in: records)
        else { throw typing.unknownMember(name, of: records.models[model].type) }
        let known = records.presentProperty(model, name)
        // A readonly property may hold a model that is writable.
        if member.value.kind == .object, !declared.traits.contains(.computed), let known,
            let inner = records.properties[known].slot.modelID
        {
            return try merge(member.inner, into: inner, depth: depth + 1)
        }
        if let refusal = declared.refusal(at: typing.trailPath) { throw refusal }
        if member.value.kind == .null, !declared.traits.contains(.fixed) {
            guard let known else { return false }
            assign(known, .absent)
            return true
        }
        let new = try build(member.value, as: declared, depth: depth + 1, isPatch: true)
        return put(new, in: known ?? addProperty(named: member.name, to: model))
    }
}
