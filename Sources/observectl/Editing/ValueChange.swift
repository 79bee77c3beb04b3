// SPDX-License-Identifier: MIT
// The differences between two values, as writes and as a JSON Merge Patch (RFC 7396). Independent of editors and daemons.

import ObserveCore

/// One difference: a write at a place in the value.
struct ValueChange: Equatable {
    /// The names on the way, none for the value itself.
    let place: [String]
    /// Nil if the member was removed.
    let value: Value?

    /// The differences, in the order of the new members. Members of objects differ by themselves; everything else as a whole.
    static func changes(from old: Value, to new: Value, at place: [String] = []) -> [ValueChange] {
        if old == new { return [] }
        guard let before = old.object, let after = new.object
        else { return [ValueChange(place: place, value: new)] }
        var changes = before.filter { after[$0.name] == nil }.map {
            ValueChange(place: place + [$0.name], value: nil)
        }
        for (name, value) in after {
            if let former = before[name] {
                changes += self.changes(from: former, to: value, at: place + [name])
            } else {
                changes.append(ValueChange(place: place + [name], value: value))
            }
        }
        return changes
    }

    /// The write below the path of the whole value, if the place is unchanged since a revision; always without one.
    func write(below path: String, ifUnchangedSince revision: Int64?) -> WriteOperation {
        let whole = ([path] + place.map(\.escapedComponent)).joined(separator: ".")
        let condition = revision.map { RawJSON(.int($0)) }
        let params: RequestParams = ["value": value.map(RawJSON.init), "ifRevision": condition]
        return WriteOperation(value == nil ? .remove : .set, whole, params)
    }
}

extension Value {
    /// The value after a patch. Members that are null are removed, or stay so that the result is a patch for both.
    func merging(_ patch: Value, keepsRemoved: Bool = false) -> Value {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? ValueMembers()
        for (name, value) in changes {
            // A plain nil would be the value null.
            members[name] =
                value.isNull && !keepsRemoved
                ? Value?.none : (members[name] ?? .null).merging(value, keepsRemoved: keepsRemoved)
        }
        return .object(members)
    }

    /// The patch that makes the other value of this one. Null in the other value can't be told from a missing member.
    func mergePatch(to other: Value) -> Value {
        guard case .object(let before) = self, case .object(let after) = other else { return other }
        var patch = ValueMembers()
        for (name, _) in before where after[name] == nil { patch[name] = .null }
        for (name, value) in after where before[name] != value {
            patch[name] = before[name]?.mergePatch(to: value) ?? value
        }
        return .object(patch)
    }
}
