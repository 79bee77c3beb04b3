// SPDX-License-Identifier: MIT
// KVC's collection operators by name. Knows nothing of how they are computed.

/// What may stand after an array in a key path: `contents.@sum.weight`.
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

/// The name of a path node that stands for an operator and its path, `@sum.weight`: that text behind a byte which no
/// property's name can hold, since it is not UTF-8.
enum OperatorName {
    static let mark: UInt8 = 0xFF
}
