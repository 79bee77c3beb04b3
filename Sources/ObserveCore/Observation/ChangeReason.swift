// SPDX-License-Identifier: MIT
// Why an observer is told, and what it asks for. Knows nothing of who tells or how.

/// Why a change was told. The words are CwlKeyValueObserver's, and `initial` is KVO's option.
public enum ChangeReason: UInt8, Sendable {
    /// The value at the time of observing.
    case initial
    /// The last component of the key path was assigned, or an input of what is computed there.
    case valueChanged
    /// An earlier component was assigned: the path leads through another branch now.
    case pathChanged
    /// What the path starts from is gone: the model was deinitialised, or the root model removed.
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

/// What happened to an array: KVO's change kinds. A whole assignment is `setting`, which the wire leaves out.
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

/// What an observer asks for: KVO's options, and Combine's `removeDuplicates`.
public struct ObservingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// The options whose bits are set.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value before the change.
    public static let old = ObservingOptions(rawValue: 1)
    /// Told before each change as well. Each such call is followed by its change, even if the value turns out equal.
    public static let prior = ObservingOptions(rawValue: 2)
    /// Only told when the value differs. Without it each assignment along the path is told, as KVO does.
    public static let distinct = ObservingOptions(rawValue: 4)
    /// Everything below the path as well, through strong references. Trees only.
    static let deep = ObservingOptions(rawValue: 8)
    /// Who made the change. Trees only.
    static let origin = ObservingOptions(rawValue: 16)
    /// Not the changes that the observer's own client assigned. Trees only.
    static let othersOnly = ObservingOptions(rawValue: 32)
    /// The value after the change.
    public static let new = ObservingOptions(rawValue: 64)
    /// Told at once, with the value at the time of observing.
    public static let initial = ObservingOptions(rawValue: 128)
}
