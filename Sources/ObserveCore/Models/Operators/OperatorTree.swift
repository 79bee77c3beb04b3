// SPDX-License-Identifier: MIT
// The state behind observed operators.

/// A tree that evaluates collection operators, and adjusts the values of those that are observed.
package class OperatorTree: DerivingTree {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var operators = OperatorTable()
}
