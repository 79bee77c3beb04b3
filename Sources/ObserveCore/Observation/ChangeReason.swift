// SPDX-License-Identifier: MIT
// The reasons and kinds of changes, and the options of observers. Independent of the detection of changes.

/// The reason of a notification. The names are CwlKeyValueObserver's; `initial` is KVO's option.
public enum ChangeReason: UInt8, Sendable {
    /// The value at the time of observing.
    case initial
    /// The last component of the key path was assigned, or an input of a computed property there.
    case valueChanged
    /// An earlier component was assigned, so the path now leads through another branch.
    case pathChanged
    /// The model at the start of the path was deinitialised, or the root was removed.
    case sourceDeleted

    @inlinable package var name: StaticString {
        switch self {
        case .initial: "initial"
        case .valueChanged: "valueChanged"
        case .pathChanged: "pathChanged"
        case .sourceDeleted: "sourceDeleted"
        }
    }
}

/// The kind of change of an array, as in KVO. The wire omits `setting`.
public enum ChangeKind: UInt8, Sendable {
    /// The value was assigned as a whole.
    case setting
    /// Elements were inserted.
    case insertion
    /// Elements were removed.
    case removal
    /// Elements were replaced by as many others.
    case replacement

    @inlinable package var name: StaticString {
        switch self {
        case .setting: "setting"
        case .insertion: "insertion"
        case .removal: "removal"
        case .replacement: "replacement"
        }
    }
}

/// The options of an observer: KVO's, and Combine's `removeDuplicates`.
public struct ObservingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// The options whose bits are set.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value before the change.
    @inlinable public static var old: ObservingOptions { ObservingOptions(rawValue: 1) }
    /// Notify before each change as well. The change itself then follows, even if the value is equal.
    @inlinable public static var prior: ObservingOptions { ObservingOptions(rawValue: 2) }
    /// Notify only if the value differs. Without it each assignment along the path notifies, as in KVO.
    @inlinable public static var distinct: ObservingOptions { ObservingOptions(rawValue: 4) }
    /// The value after the change.
    @inlinable public static var new: ObservingOptions { ObservingOptions(rawValue: 64) }
    /// Notify at once, when the observation begins.
    @inlinable public static var initial: ObservingOptions { ObservingOptions(rawValue: 128) }
}
