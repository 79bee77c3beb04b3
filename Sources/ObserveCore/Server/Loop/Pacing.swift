// SPDX-License-Identifier: MIT
// How the server waits for work. Independent of what the work is.

/// How the server waits between two batches of work.
package enum Pacing: Sendable {
    /// Returns at once to its queue, which may have other work.
    case embedded
    /// Keeps the queue until the server stops. While traffic is dense, it polls for some microseconds before it
    /// sleeps: a wake-up costs more.
    case dedicated
}
