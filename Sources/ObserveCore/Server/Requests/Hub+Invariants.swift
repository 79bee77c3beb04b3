// SPDX-License-Identifier: MIT
// Invariants between two turns of the event loop, checked in debug builds.

extension Hub {
    /// Whether no request is under way, and the gate keeps nothing unless a batch is open.
    var isIdle: Bool {
        reply.isIdle && prefetched.isIdle && clients.writer.isIdle
            && clients.registry.following.isEmpty
            && (clients.gate.needsFlush || clients.gate.isIdle)
    }
}
