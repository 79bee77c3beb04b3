// SPDX-License-Identifier: MIT
// Temporary values and the values they shadow. Independent of clocks and connections.

/// How long a temporary value holds. See "Temporary values" in docs/protocol.md.
enum Lifetime: Equatable, Sendable {
    /// Until the end of the connection that set the value.
    case connection
    case milliseconds(Int64)
}

/// When a temporary value expires: with its owner, whose number the writer chooses, or at a time.
enum Term {
    case owner(Int32)
    case time(MonotonicTime, milliseconds: Int64)

    var lifetime: Lifetime {
        switch self {
        case .owner: .connection
        case .time(_, let milliseconds): .milliseconds(milliseconds)
        }
    }
}

struct StackedValue {
    /// Counts all temporary values of the tree; 0 for the permanent value, which never expires.
    var number: UInt64 = 0
    let term: Term?
    /// The author and the cause of the value; nil if they are unknown.
    var origin: ValueOrigin?
    /// The value to show when all values above it have expired. Unused at the top: the property holds that value.
    var value: StoredValue = .absent
    var isWeak = false
    /// The instance of the model that a shadowed weak reference refers to; 0 otherwise. It shows whether the model still exists.
    var instance: UInt64 = 0

    var isTimed: Bool { if case .time = term { true } else { false } }

    /// Whether the value expires at that time or before.
    func expires(by time: MonotonicTime) -> Bool {
        if case .time(let end, _) = term { end <= time } else { false }
    }
}
