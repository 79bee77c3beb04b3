// SPDX-License-Identifier: MIT
// Converts a client's events for the oracle. Independent of the expected ones.

@testable import ObserveCore

extension TreeEvent {
    /// An event from a client's line.
    init?(_ params: Value) {
        self.init(watcher: -1, path: "", reason: .initial, old: "", new: "", revision: 0)
        for (name, value) in params.object ?? ValueMembers() {
            switch name {
            case "subscription": watcher = Int32(value.int ?? -1)
            case "path": path = value.string ?? ""
            case "reason":
                let reasons: [ChangeReason] = [.initial, .valueChanged, .pathChanged, .sourceDeleted]
                guard let known = reasons.first(where: { "\($0)" == value.string }) else { return nil }
                reason = known
            case "old": old = value.json
            case "new": new = value.json
            case "kind":
                let kinds: [ChangeKind] = [.insertion, .removal, .replacement]
                guard let known = kinds.first(where: { "\($0)" == value.string }) else { return nil }
                kind = known
            case "indexes": indexes = value.array?.compactMap { $0.int.map(Int.init) } ?? []
            case "changedAt": changedAt = value.string
            case "nilAt": nilAt = value.string
            case "revision": revision = UInt64(value.int ?? 0)
            case "prior" where value == true: break
            case "more" where value == true: break
            default: return nil
            }
        }
        if watcher < 0 || path.isEmpty || (kind == nil) != indexes.isEmpty { return nil }
    }

    /// Whether this is the prior event of that change.
    func isPrior(of change: TreeEvent) -> Bool {
        var expected = change
        expected.new = ""
        expected.nilAt = nil
        if change.old.isEmpty { expected.old = old }
        return self == expected
    }
}
