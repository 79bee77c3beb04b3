// SPDX-License-Identifier: MIT
// One change of one observed path, as observers are notified of it.

struct PathChange {
    var node: NodeID
    var reason: ChangeReason
    /// For ``ChangeReason/pathChanged``, the first component that the commit assigned; otherwise `noRecord`.
    var changedAt: NodeID = .noRecord
    /// The first component before the last that is null or a scalar; `noRecord` if there is none.
    var nilAt: NodeID = .noRecord
    /// The value before the commit; for an edited array, see ``edit``.
    var old: StoredValue
    var new: StoredValue
    /// The single edit of an array. If set, ``old`` is absent, and ``ModelTree/oldValue(of:)`` computes the old value.
    var edit: ArrayEdit?
    /// The rest of the changed path below the node's path, for observers with ``ObservingOptions/deep``: text
    /// as in a JSON string. Nil for the path itself. Valid only during the call of the sink.
    var suffix: ByteBuffer?
    /// False for an assignment of an equal value: only observers without `distinct` get that.
    var differs: Bool
    var cause = ChangeCause.writer
}

extension ObservingOptions {
    /// Include changes below the path, through strong references.
    static var deep: ObservingOptions { ObservingOptions(rawValue: 8) }
    /// The origin of the change.
    static var origin: ObservingOptions { ObservingOptions(rawValue: 16) }
    /// Omit changes by the observer's own client.
    static var othersOnly: ObservingOptions { ObservingOptions(rawValue: 32) }
}
