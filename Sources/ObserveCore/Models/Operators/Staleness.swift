// SPDX-License-Identifier: MIT
// The reason why an observed operator is stale. Data only.

/// Why an operator is stale, and how the change reached its node.
struct Staleness {
    var descent: Descent
    /// The change, if it is the only one: the operator can then adjust its value without a recount.
    var cause: Cause

    enum Cause {
        case anything
        case edit(ArrayEdit)
        /// A change in the element that is this model.
        case inside(ModelID)
        /// A change of this property of the container, which is a model.
        case member(PropertyID)
    }
}
