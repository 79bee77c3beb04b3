// SPDX-License-Identifier: MIT
// The numbers by which records refer to each other. Independent of what the records hold.

/// The number of a record of one kind. The compiler rejects a node's number in place of a property's.
struct ID<Record>: Hashable {
    let number: Int32

    @inline(__always) init(_ number: Int32) { self.number = number }

    /// The record at that index of a table with one entry per record.
    @inline(__always) init(index: Int) { number = Int32(truncatingIfNeeded: index) }

    /// Marks a missing record.
    @inline(__always) static var noRecord: ID { ID(-1) }

    /// The index in a table with one entry per record.
    @inline(__always) var index: Int { Int(truncatingIfNeeded: number) }
}

extension ID: Comparable, Strideable {
    @inline(__always) static func < (left: ID, right: ID) -> Bool { left.number < right.number }

    @inline(__always) func distance(to other: ID) -> Int { other.index - index }

    @inline(__always) func advanced(by count: Int) -> ID { ID(index: index &+ count) }
}
