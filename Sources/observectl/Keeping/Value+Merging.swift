// SPDX-License-Identifier: MIT
// JSON Merge Patch (RFC 7396) on values. Independent of daemons.

import ObserveCore

extension Value {
    /// The value after a patch: its members are set or merged, and those that are null removed.
    func merging(_ patch: Value) -> Value {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? ValueMembers()
        for (name, value) in changes {
            members[name] = value.isNull ? nil : (members[name] ?? .null).merging(value)
        }
        return .object(members)
    }
}
