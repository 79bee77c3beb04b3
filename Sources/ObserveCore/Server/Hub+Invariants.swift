// SPDX-License-Identifier: MIT
// What holds between the turns of an event loop, checked in debug builds.

extension Hub {
    /// Whether no request is under way, and the gate keeps nothing without a batch.
    var isIdle: Bool {
        reply.isIdle && prefetched.isIdle && writer.isIdle && (journalGate.needsFlush || journalGate.isIdle)
    }
}
