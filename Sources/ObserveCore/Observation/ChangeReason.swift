// SPDX-License-Identifier: MIT
// The reasons of changes, and the options of observers. Independent of how changes are found.

/// Why an observer was notified. The words are CwlKeyValueObserver's, and `initial` is KVO's option.
public enum ChangeReason: UInt8, Sendable {
    /// The value at the time of observing.
    case initial
    /// The last component of the key path was assigned, or an input of a computed property there.
    case valueChanged
    /// An earlier component was assigned: the path leads through another branch now.
    case pathChanged
    /// The start of the path is gone: the model was deinitialised, or the root model removed.
    case sourceDeleted

    package var name: StaticString {
        switch self {
        case .initial: "initial"
        case .valueChanged: "valueChanged"
        case .pathChanged: "pathChanged"
        case .sourceDeleted: "sourceDeleted"
        }
    }
}

/// How an array changed: KVO's change kinds. A whole assignment is `setting`, which the wire leaves out.
public enum ChangeKind: UInt8, Sendable {
    /// The value was assigned as a whole.
    case setting
    /// Elements were inserted.
    case insertion
    /// Elements were removed.
    case removal
    /// Elements were replaced by as many others.
    case replacement

    package var name: StaticString {
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
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value before the change.
    public static let old = ObservingOptions(rawValue: 1)
    /// Notify before each change as well. Each such call is followed by its change, even if the value is equal then.
    public static let prior = ObservingOptions(rawValue: 2)
    /// Notify only if the value differs. Without it each assignment along the path notifies, as in KVO.
    public static let distinct = ObservingOptions(rawValue: 4)
    /// Everything below the path as well, through strong references. Trees only.
    static let deep = ObservingOptions(rawValue: 8)
    /// The origin of the change. Trees only.
    static let origin = ObservingOptions(rawValue: 16)
    /// Leave out the changes that the observer's own client assigned. Trees only.
    static let othersOnly = ObservingOptions(rawValue: 32)
    /// The value after the change.
    public static let new = ObservingOptions(rawValue: 64)
    /// Notify at once, with the value at the time of observing.
    public static let initial = ObservingOptions(rawValue: 128)
}
