// SPDX-License-Identifier: MIT
// How safe a commit is before it shows. Independent of the journal.

/// When a commit may show: "Durability" in docs/protocol.md.
package enum Durability: String, CaseIterable, Sendable {
    /// When it is on the disk.
    case commit
    /// When it is written: it outlives the process, and is on the disk within about a second.
    case interval
    /// At once: it is written now and then.
    case none
}
