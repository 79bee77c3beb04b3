// SPDX-License-Identifier: MIT
// KVC's collection operators, and choices, by name. Independent of their computation.

/// An operator that may follow an array in a key path: `contents.@sum.weight`.
/// Source: Key-Value Coding Programming Guide, "Using Collection Operators".
package enum CollectionOperator: String, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case avg = "@avg"
    case min = "@min"
    case max = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"

    init?(_ name: ByteView) { self.init(rawValue: name.string) }
}

/// A component that stands for one of the elements before it: `players.@latest[on].title`.
package enum Choice: String, CaseIterable {
    case first = "@first"
    case latest = "@latest"

    init?(_ name: ByteView) { self.init(rawValue: name.string) }
}

/// The names of path nodes for operators, conditions and choices: ``mark``, then the text of the component, such as
/// `@sum.weight` or `hall[on]`. The mark is not valid UTF-8, so no property of a client has such a name.
enum OperatorName { static let mark: UInt8 = 0xFF }
