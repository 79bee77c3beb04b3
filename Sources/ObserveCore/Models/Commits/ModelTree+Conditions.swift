// SPDX-License-Identifier: MIT
// The conditions of conditional writes: when a path's value last changed, and whether it equals a given
// value.

extension ModelTree {
    /// Throws a conflict if the result of `get path`, or a component on the way, changed after `revision`.
    func require(_ path: ParsedKeyPath, unchangedSince revision: UInt64) throws(TreeError) {
        let latest = lastChange(path, beyond: revision)
        guard latest > revision else {
            if records.effort.isExhausted { throw tooManyElements(path) }
            return
        }
        throw conflict(path, "\(path.escaped) has changed since revision \(revision)")
    }

    /// Throws a conflict unless the result of `get path` equals `expected`; null matches absent.
    func require(_ path: ParsedKeyPath, equals expected: Value) throws(TreeError) {
        guard !matches(value(at: walk(path)), expected) else { return }
        if records.effort.isExhausted { throw tooManyElements(path) }
        throw conflict(path, "\(path.escaped) has another value than expected")
    }

    private func conflict(_ path: ParsedKeyPath, _ message: String) -> TreeError {
        TreeError(kind: .conflict, message: message, path: path.escaped)
    }

    /// The revision of the latest commit that changed the path's value, or of any that is later than `revision`.
    ///
    /// For an absent property, its removal counts.
    private func lastChange(_ path: ParsedKeyPath, beyond revision: UInt64) -> UInt64 {
        let place = walk(path)
        var latest: UInt64 = 0
        for index in walk.properties.indices {
            latest = max(latest, records.properties[walk.properties[index]].revision)
        }
        if walk.lackingModel != .noRecord {
            var lacking = path.count - 1
            if case .broken(let component, isScalar: false) = place { lacking = component }
            latest = max(latest, lastRemoval(of: path.name(lacking), from: walk.lackingModel))
        }
        if latest > revision { return latest }
        return max(latest, lastChange(inside: value(at: place), beyond: revision))
    }

    /// The revision at which the model last lost the property; 0 if it never had it.
    ///
    /// While the history has the removal, the property's record has its revision. For older removals, the
    /// model's latest one counts, whichever property it removed.
    private func lastRemoval(of name: ByteView, from model: ModelID) -> UInt64 {
        let known = records.names.find(name).flatMap { property(model, $0) }
        return max(
            known.map { records.properties[$0].revision } ?? 0,
            min(records.models[model].removalRevision, history.horizon)
        )
    }

    /// The latest change of anything that `value` renders; it stops at the first one beyond `revision`. Visits each model once,
    /// however often it is shared.
    private func lastChange(inside value: StoredValue, beyond revision: UInt64) -> UInt64 {
        var latest: UInt64 = 0
        var pending = [value]
        // Only models with several references can be found again.
        var seen: Set<ModelID> = []
        while latest <= revision, let next = pending.popLast() {
            switch next {
            case .array(let array) where !array.isPlain:
                guard records.effort.look(at: array.elements.count) else { return latest }
                pending.append(contentsOf: array.elements.lazy.filter(\.isContainer))
            case .model(let model)
            where records.models[model].strongReferences < 2 || seen.insert(model).inserted:
                guard records.effort.look(at: 2 + Int(records.models[model].count)) else { return latest }
                latest = max(latest, records.models[model].removalRevision)
                var id = records.models[model].first
                while id != .noRecord {
                    if !records.properties[id].flags.contains(.computed) {
                        latest = max(latest, records.properties[id].revision)
                    }
                    if !records.properties[id].isWeak, records.properties[id].slot.isContainer {
                        pending.append(records.properties[id].slot)
                    }
                    id = records.properties[id].next
                }
            default: break
            }
        }
        return latest
    }

    /// Whether the rendering of `stored` equals `value`. Recursion is as deep as `value` nests.
    func matches(_ stored: StoredValue, _ value: Value) -> Bool {
        switch (stored, value) {
        case (.absent, .null), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Numbers.equal(a, b)
        case (.string(let a), .string(let b)): a.equals(utf8: b)
        case (.text(let a), .string(let b)): StoredString.make(a.view).equals(utf8: b)
        case (.array(let a), .array(let b)):
            a.elements.count == b.count && zip(a.elements, b).allSatisfy { matches($0, $1) }
        case (.model(let model), .object(let members)): matches(model, members)
        default: false
        }
    }

    private func matches(_ model: ModelID, _ members: ValueMembers) -> Bool {
        var strong = 0
        var id = records.models[model].first
        while id != .noRecord, strong <= members.count, records.effort.look(at: 1) {
            if !records.properties[id].isWeak { strong += 1 }
            id = records.properties[id].next
        }
        guard strong == members.count else { return false }
        return members.allSatisfy { member in
            let found = ByteView.with(Array(member.name.utf8)) { presentProperty(model, $0) }
            guard let found, !records.properties[found].isWeak else { return false }
            return matches(records.properties[found].slot, member.value)
        }
    }
}

extension StoredString {
    /// Whether the text is `other`, scalar by scalar.
    func equals(utf8 other: String) -> Bool {
        let canonical = ByteBuffer()
        canonical.appendJSONString(utf8: other)
        return equals(canonical.view.slice(1..<canonical.count - 1))
    }
}
