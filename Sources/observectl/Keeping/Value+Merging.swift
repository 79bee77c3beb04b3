// SPDX-License-Identifier: MIT
// JSON Merge Patch (RFC 7396) on values. Independent of daemons.

import ObserveCore

extension Value {
    /// The value after a patch: its members are set or merged, and those that are null removed.
    func merging(_ patch: Value) -> Value {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? ValueMembers()
        for (name, value) in changes {
            // A plain nil would be the value null.
            members[name] = value.isNull ? Value?.none : (members[name] ?? .null).merging(value)
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
