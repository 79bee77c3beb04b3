// SPDX-License-Identifier: MIT
// What a daemon tells of a change, as values. Knows nothing of how it came.

/// A change of a path in a daemon.
///
/// - Threading: a plain value.
public struct DaemonChange: Equatable, Sendable {
    /// The path that changed.
    public let path: String
    /// Why this is told.
    public let reason: ChangeReason
    /// The value now. Nil in an event that does not carry it: what is too large to be shown, or is still to come.
    public let new: Value?
    /// The value before, if it was asked for.
    public let old: Value?
    /// The first component that was assigned, where that is an earlier one than the last.
    public let changedAt: String?
    /// The first component that is null, where it is an earlier one than the last.
    public let nilAt: String?
    /// What happened to an array: ``ChangeKind/setting`` for everything else.
    public let kind: ChangeKind
    /// Which elements ``new`` and ``old`` are, unless it is ``ChangeKind/setting``.
    public let indexes: [Int]
    /// The daemon's commit that made it.
    public let revision: UInt64
    /// How many changes it stands for.
    public let coalesced: Int
}

extension ChangeEvent {
    /// Its members as values.
    func change() -> Result<DaemonChange, ClientError> {
        guard let path = params.string("path"), let reason else {
            return .failure(.malformed("an event without path or reason"))
        }
        let kind: ChangeKind =
            switch params.string("kind") {
            case "insertion": .insertion
            case "removal": .removal
            case "replacement": .replacement
            default: .setting
            }
        return .success(
            DaemonChange(
                path: path,
                reason: reason,
                new: try? new?.value(),
                old: try? params.member("old")?.value(),
                changedAt: params.string("changedAt"),
                nilAt: params.string("nilAt"),
                kind: kind,
                indexes: (params.member("indexes")?.elements ?? []).compactMap { element in
                    (try? element.value())?.int.map(Int.init)
                },
                revision: params.int("revision").map { UInt64(max(0, $0)) } ?? 0,
                coalesced: params.int("coalesced").map(Int.init) ?? 1
            )
        )
    }
}

/// What a subscription asks for.
///
/// - Threading: a plain value.
public struct SubscriptionOptions: Equatable, Sendable {
    /// The values at the time of subscribing.
    public var initial = true
    /// The values before.
    public var old = false
    /// Only what differs from what was told before.
    public var distinct = true
    /// The changes that this client makes as well.
    public var own = true
    /// At most one change of a path in so many milliseconds.
    public var throttle = 0
    /// A change only when so many milliseconds have passed without another.
    public var debounce = 0

    /// All values, and each that differs.
    public init() {}

    func params(_ paths: [String]) -> RequestParams {
        var params: RequestParams =
            paths.count == 1
            ? ["path": RawJSON(.string(paths[0]))] : ["paths": RawJSON(paths.modelValue)]
        if !initial { params.append("initial", RawJSON(false)) }
        if old { params.append("old", RawJSON(true)) }
        if !distinct { params.append("distinct", RawJSON(false)) }
        if !own { params.append("own", RawJSON(false)) }
        if throttle > 0 { params.append("throttle", RawJSON(throttle.modelValue)) }
        if debounce > 0 { params.append("debounce", RawJSON(debounce.modelValue)) }
        return params
    }
}
