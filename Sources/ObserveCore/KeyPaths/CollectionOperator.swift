// SPDX-License-Identifier: MIT
// KVC's collection operators, and choices, by name. Independent of their computation.

/// An operator that may follow an array in a key path: `contents.@sum.weight`.
/// Source: Key-Value Coding Programming Guide, "Using Collection Operators".
enum CollectionOperator: UInt8, CaseIterable {
    case count
    case sum
    case avg
    case min
    case max
    case unionOfObjects
    case distinctUnionOfObjects

    init?(_ name: ByteView) {
        switch name {
        case _ where name == "@count": self = .count
        case _ where name == "@sum": self = .sum
        case _ where name == "@avg": self = .avg
        case _ where name == "@min": self = .min
        case _ where name == "@max": self = .max
        case _ where name == "@unionOfObjects": self = .unionOfObjects
        case _ where name == "@distinctUnionOfObjects": self = .distinctUnionOfObjects
        default: return nil
        }
    }
}

/// A component that stands for one of the elements before it: `players.@latest[on].title`.
enum Choice: UInt8 {
    case first
    case latest

    init?(_ name: ByteView) {
        switch name {
        case _ where name == "@first": self = .first
        case _ where name == "@latest": self = .latest
        default: return nil
        }
    }
}

/// The names of path nodes for operators, conditions and choices: ``mark``, then the text of the component, such as
/// `@sum.weight` or `hall[on]`. The mark is not valid UTF-8, so no property of a client has such a name.
enum OperatorName {
    static let mark: UInt8 = 0xFF
}
