// SPDX-License-Identifier: MIT
// The reason why an observed operator is stale.

/// Why an operator is stale, and the way by which its node is notified.
struct Staleness {
    var descent: Descent
    /// The change, if it is the only one: then the tally needs no recount.
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
