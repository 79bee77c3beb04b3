// SPDX-License-Identifier: MIT
// The only file that makes dispatch sources. Does not know what its handlers do.
//
// On Linux the handlers of Dispatch's own sources are not `@Sendable`: the compiler would let a handler share
// anything with whoever made it. The initialisers here ask for `@Sendable`, which brings the check back.

package import Dispatch

/// Calls its handler on a queue while a descriptor is readable.
///
/// - Lifetime: works from ``start()`` until ``cancel()`` or until it is freed. It watches a duplicate of the
///   descriptor, closed after Dispatch is done with it, so the owner may close the original at any time.
/// - Threading: confined to its owner. Cancelled on its queue, it never calls the handler again; cancelled
///   elsewhere, one call may be under way.
/// - Order: Dispatch looks at the level again after each call, but goes silent once the peer has closed: the
///   handler must read until nothing is left. An epoll descriptor has no peer and so no such trap.
package final class ReadinessSource {
    private let source: any DispatchSourceRead
    private var hasStarted = false
    package private(set) var isCancelled = false

    package init(
        descriptor: Int32,
        queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(SocketError) {
        var duplicate = try FileDescriptor.duplicate(descriptor)
        let watched = duplicate.release()
        source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { _ = FileDescriptor(owning: watched) }
    }

    deinit {
        cancel()
    }

    package func start() {
        guard !hasStarted else { return }
        hasStarted = true
        source.resume()
    }

    /// Harmless when done twice.
    package func cancel() {
        // Dispatch must not free a source that never ran, and only one that runs carries its cancellation
        // out.
        guard !isCancelled else { return }
        isCancelled = true
        source.cancel()
        start()
    }
}

/// Calls its handler on a queue when the process gets a signal, which then has no other effect.
///
/// Not Dispatch's own signal source: that one takes hold some time after it was started, and a signal that
/// comes before is lost or ends the process. This one has hold when `init` returns: see ``SignalCounter``.
///
/// - Lifetime: works from `init` until ``cancel()`` or until it is freed.
package final class SignalSource {
    private let signal: SignalCounter
    private let source: ReadinessSource

    package init(
        signal number: Int32,
        queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(SocketError) {
        signal = try SignalCounter(number)
        source = try ReadinessSource(descriptor: signal.number, queue: queue) { [counter = signal.counter] in
            if counter.drain() > 0 { handler() }
        }
        source.start()
    }
}
