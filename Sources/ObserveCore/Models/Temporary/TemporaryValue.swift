// SPDX-License-Identifier: MIT
// Temporary values and the values they shadow. Independent of clocks and connections.

/// How long a temporary value holds. See "Temporary values" in docs/protocol.md.
enum Lifetime: Equatable, Sendable {
    /// Until the connection that set it ends.
    case connection
    case milliseconds(Int64)
}

/// When a temporary value expires: with its owner, whose number the writer chooses, or at a time.
enum Expiry {
    case owner(Int32)
    case time(MonotonicTime, milliseconds: Int64)

    var lifetime: Lifetime {
        switch self {
        case .owner: .connection
        case .time(_, let milliseconds): .milliseconds(milliseconds)
        }
    }
}

/// One value in a property's stack.
struct TemporaryValue {
    /// Counts all temporary values of the tree; 0 for the permanent value, which never expires.
    let number: UInt64
    let term: Expiry?
    /// The value to show when all above it have expired. Unused at the top, since the property holds that
    /// value.
    var value: StoredValue = .absent
    var isWeak = false
    /// The model that a weak reference refers to: the reference stays in the stack when that model is
    /// released.
    var instance: UInt64 = 0

    func isOwned(by other: Int32) -> Bool {
        if case .owner(let owner) = term { owner == other } else { false }
    }

    /// Whether a new value that shadows it with that expiry removes it. An owner's earlier value is removed,
    /// and one that would expire before it could ever show.
    func givesWay(to other: Expiry) -> Bool {
        switch (term, other) {
        case (_, .owner(let owner)): isOwned(by: owner)
        case (.time(let end, _), .time(let other, _)): end <= other
        default: false
        }
    }
}

/// What a temporary value is made of, or, as the first of a stack, the permanent value.
struct TemporaryLayer {
    /// Unused in the last of a stack: the property holds it.
    let value: StoredValue
    let isWeak: Bool
    let expiry: Expiry?
}
