// SPDX-License-Identifier: MIT
// Why an observer is told. Knows nothing of who tells or how.

/// Why a change event was made. The words are CwlKeyValueObserver's, and `initial` is KVO's option.
package enum ChangeReason: UInt8, Sendable {
    /// The value at the time of observing.
    case initial
    /// The last component of the key path was assigned, or an input of what is computed there.
    case valueChanged
    /// An earlier component was assigned: the path leads through another branch now.
    case pathChanged
    /// The root model was removed.
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
package enum ChangeKind: UInt8, Sendable {
    case setting
    case insertion
    case removal
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

/// What an observer asks for beside the new value: KVO's options, and Combine's `removeDuplicates`.
struct ObservingOptions: OptionSet, Sendable {
    let rawValue: UInt8

    static let old = ObservingOptions(rawValue: 1)
    static let prior = ObservingOptions(rawValue: 2)
    static let distinct = ObservingOptions(rawValue: 4)
    /// Everything below the path as well, through strong references.
    static let deep = ObservingOptions(rawValue: 8)
    /// Who made the change.
    static let origin = ObservingOptions(rawValue: 16)
    /// Not the changes that the observer's own client assigned.
    static let othersOnly = ObservingOptions(rawValue: 32)
}
