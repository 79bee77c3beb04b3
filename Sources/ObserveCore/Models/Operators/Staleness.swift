// SPDX-License-Identifier: MIT
// Why an observed operator may have another value.

/// Why a derivation is to be looked at again, and how its node is told.
struct Staleness {
    var descent: Descent
    /// What happened, where that is all that happened: then a tally need not be counted anew.
    var cause: Cause

    enum Cause {
        case anything
        case edit(ArrayEdit)
        /// Something in an element that is this model.
        case inside(ModelID)
        /// A property of the model that the container is.
        case member(PropertyID)
    }
}
