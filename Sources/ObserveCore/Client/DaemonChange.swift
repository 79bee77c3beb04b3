// SPDX-License-Identifier: MIT
// A daemon's change event as values. Independent of connections.

/// A change of a path in a daemon.
/// - Threading: a value type.
public struct DaemonChange: Equatable, Sendable {
    /// The path that changed.
    public let path: String
    /// The reason of the event.
    public let reason: ChangeReason
    /// The new value; nil in an event without it: if the value is too large, or in a prior event.
    public let new: Value?
    /// The old value, if requested.
    public let old: Value?
    /// The first assigned component, if it is not the last component.
    public let changedAt: String?
    /// The first component that is null, if it is not the last component.
    public let nilAt: String?
    /// The kind of array edit; ``ChangeKind/setting`` for all other changes.
    public let kind: ChangeKind
    /// The indexes of the elements in ``new`` and ``old``; empty for ``ChangeKind/setting``.
    public let indexes: [Int]
    /// The daemon's revision.
    public let revision: UInt64
    /// The number of changes that were coalesced.
    public let coalesced: Int
    /// The number or text that the subscription was given as its tag.
    public let tag: Value?
    /// Whether it is the last of its frame: the changes that one commit made to the subscription's paths, its initial values,
    /// or those that were missed. After it, all paths are as reported.
    public let isLast: Bool
}

extension ChangeEvent {
    private static let edits: [ChangeKind] = [.insertion, .removal, .replacement]

    func change() -> Result<DaemonChange, ClientError> {
        guard let path = params.string("path"), let reason
        else { return .failure(.malformed("an event without path or reason")) }
        return .success(
            DaemonChange(
                path: path,
                reason: reason,
                new: try? new?.value(),
                old: try? params.member("old")?.value(),
                changedAt: params.string("changedAt"),
                nilAt: params.string("nilAt"),
                kind: params.string("kind").flatMap { name in Self.edits.first { "\($0.name)" == name } }
                    ?? .setting,
                indexes: indexes,
                revision: params.int("revision").map { UInt64(max(0, $0)) } ?? 0,
                coalesced: params.int("coalesced").map(Int.init) ?? 1,
                tag: try? params.member("tag")?.value(),
                isLast: isLast
            )
        )
    }
}

/// The options of a subscription.
/// - Threading: a value type.
public struct SubscriptionOptions: Equatable, Sendable {
    /// Send the current values first.
    public var initial = true
    /// Send old values.
    public var old = false
    /// Send only values that differ from the last sent value.
    public var distinct = true
    /// Send this client's own changes.
    public var own = true
    /// The minimum time between two changes of a path, in milliseconds. After a lost connection, such a subscription gets the
    /// current values, not the missed changes; so with ``debounce``.
    public var throttle = 0
    /// The time without a further change before an event, in milliseconds.
    public var debounce = 0
    /// Send arrays whole, never the edited elements alone.
    public var whole = false
    /// A text of at most 128 bytes, or an integer, that each change repeats.
    public var tag: Value?

    /// The default options: current values first, then each different value.
    public init() {}

    func params(_ paths: [String]) -> RequestParams {
        [
            "path": paths.count == 1 ? RawJSON(.string(paths[0])) : nil,
            "paths": paths.count == 1 ? nil : RawJSON(paths.modelValue),
            "initial": initial ? nil : false, "old": old ? true : nil, "distinct": distinct ? nil : false,
            "own": own ? nil : false, "whole": whole ? true : nil, "tag": tag.map(RawJSON.init),
            "throttle": throttle != 0 ? RawJSON(throttle.modelValue) : nil,
            "debounce": debounce != 0 ? RawJSON(debounce.modelValue) : nil,
        ]
    }
}
