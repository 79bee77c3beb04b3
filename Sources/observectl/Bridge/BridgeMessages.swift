// SPDX-License-Identifier: MIT
// What a bridge's rules take and give: changes, puts, transactions. Independent of connections.

import ObserveCore

/// A change that the daemon reports.
struct LocalEvent: Equatable {
    let names: [String]
    /// Nil for null, or a path that is gone.
    let value: RawJSON?
    let revision: Int64
    /// Whether this bridge, or the one before it, made the change.
    var isOwn = false
    /// Whether the bridge has read the value, and no change of it is known.
    var isRead = false
}

/// A message for the stream.
struct BridgePut {
    let ticket: Int
    let node: KeyNode
    /// Nil for a key that is gone.
    let value: RawJSON?
    /// Put only if the key's last sequence is this. For the deletion of a key that a later one excludes.
    let expected: UInt64?
}

/// A write for the daemon.
struct BridgeWrite {
    let node: KeyNode
    /// The node that it assigns: ``node``, or a leaf above it.
    let target: KeyNode
    /// Nil removes the value.
    let value: RawJSON?
    /// The value that it replaces; nil for a model, which must be unchanged since the transaction's revision.
    let expected: RawJSON?
}

/// Writes that become one commit, with the position.
struct BridgeTransaction {
    let writes: [BridgeWrite]
    let position: BridgePosition
    /// The last revision that the bridge has seen.
    let revision: Int64
}
