// SPDX-License-Identifier: MIT
// How much the tree has done, so that clients can take turns. Independent of clients.

extension ModelTree {
    /// The work of reads and commits so far, in units of about 100 ns. It leaves out work in proportion to the request or to
    /// the answer.
    var work: UInt64 {
        notification.comparedNodes &+ UInt64(operators.evaluations &+ operators.collectedElements) >> 3
            &+ UInt64(dependents.updateCount) << 4 &+ temporary.last << 6
    }
}
