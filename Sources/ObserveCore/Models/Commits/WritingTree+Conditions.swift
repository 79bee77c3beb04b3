// SPDX-License-Identifier: MIT
// The conditions of conditional writes: when a path's value last changed, and whether it equals a given value.

extension WritingTree {
    /// Throws a conflict if the result of `get path`, or a component on the way, changed after `revision`.
    func require(_ path: ParsedKeyPath, unchangedSince revision: UInt64) throws(TreeError) {
        let latest = lastChange(path, beyond: revision)
        guard latest > revision else {
            if records.effort.isExhausted { throw tooManyElements(path) }
            return
        }
        throw TreeError(.conflict, path, "has changed since revision \(revision)")
    }

    /// Throws a conflict unless the result of `get path` equals `expected`; null matches absent.
    func require(_ path: ParsedKeyPath, equals expected: Value) throws(TreeError) {
        guard !records.isEqual(value(at: walk(path)), to: expected) else { return }
        if records.effort.isExhausted { throw tooManyElements(path) }
        throw TreeError(.conflict, path, "has another value than expected")
    }

    /// The revision of the latest commit that changed the path's value, or of any after `revision`. A removal counts.
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
        return max(latest, records.lastChange(inside: value(at: place), beyond: revision))
    }

    /// The revision at which the model last lost the property; 0 if it never had it. While the history has the removal, the
    /// property's record has its revision. Before that, the model's latest removal counts, of whichever property.
    private func lastRemoval(of name: ByteView, from model: ModelID) -> UInt64 {
        let known = records.names.find(name).flatMap { records.property(model, $0) }
        let last = known.map { records.properties[$0].revision } ?? 0
        return max(last, min(records.models[model].removalRevision, records.horizon))
    }
}
