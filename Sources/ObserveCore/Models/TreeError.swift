// SPDX-License-Identifier: MIT
// Why the tree refused. Knows nothing of wire codes or messages' envelopes.

/// A refusal: nothing was changed.
package struct TreeError: Error, Equatable {
    package enum Kind: Sendable {
        case notFound
        case typeMismatch
        case readOnly
        case conflict
        case limitExceeded
        case referenceCycle
        /// The input itself is at fault: a number that no value can hold.
        case invalidValue
    }

    package let kind: Kind
    /// One sentence for people.
    package let message: String
    /// The key path at fault, in escaped form, where there is one.
    package let path: String?
    /// The declared type, and the kind of what was found instead of it.
    package var declared: String?
    package var found: String?
    /// The known name that is nearest to the unknown one.
    package var nearest: String?
}
