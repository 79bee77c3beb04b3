// SPDX-License-Identifier: MIT
// Executes requests. Independent of sockets: a transport carries the bytes.

/// ``receive(_:from:)`` executes the requests in a client's bytes. Answers and events wait in the sessions' outputs.
@safe final class Hub: RequestMethods {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var prefetched = PrefetchedSets()

    /// Whether no request is under way, and the gate keeps nothing unless a batch is open.
    var isIdle: Bool {
        reply.isIdle && prefetched.isIdle && clients.writer.isIdle && clients.registry.following.isEmpty
            && (clients.gate.needsFlush || clients.gate.isIdle)
    }
}
