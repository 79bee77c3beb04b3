// SPDX-License-Identifier: MIT
// The state of a running notification.

/// A tree that visits the observed paths which a commit touched, and calls its sink for those that changed.
package class NotifyingTree: ObservingTree {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var notification = Notification()
}
