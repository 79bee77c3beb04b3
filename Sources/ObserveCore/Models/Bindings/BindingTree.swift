// SPDX-License-Identifier: MIT
// The link to Swift models.

/// A tree that agrees with itself at the end of each commit: bindings propagate values from path to path, and Swift models
/// have the values of their models.
package class BindingTree: WritingTree {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var hosted: (any CommitExchange)?

    package final var bindingCount: Int { dependents.bindings.byNumber.count }
}
