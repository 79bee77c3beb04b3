// SPDX-License-Identifier: MIT
// Records' numbers as literals and random numbers, for tests of tables that stand alone.

@testable import ObserveCore

extension ID: ExpressibleByIntegerLiteral {
    /// The record with that number.
    public init(integerLiteral value: Int32) { self.init(value) }
}

extension ID {
    static func random(in range: Range<Int32>, using random: inout some RandomNumberGenerator) -> ID {
        ID(Int32.random(in: range, using: &random))
    }
}
