// SPDX-License-Identifier: MIT
// The only file that creates dispatch sources.
//
// On Linux, Dispatch does not declare the handlers of its sources `@Sendable`, so the compiler does not check their
// captures. The initializers here require `@Sendable`, which restores the check.

package import Dispatch

/// Calls its handler on a queue while a descriptor is readable.
/// - Lifetime: active from ``start()`` until ``cancel()`` or until it is freed. It watches a duplicate of the
///   descriptor, so the owner may close the original at any time.
/// - Threading: confined to its owner. After a cancellation on its queue, it never calls the handler again. After one elsewhere,
///   a call may still be running.
/// - Order: Dispatch does not test readiness again after the peer has closed. So the handler must read all bytes, unless the
///   descriptor has no peer, as that of an epoll set.
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

    deinit { cancel() }

    package func start() {
        guard !hasStarted else { return }
        hasStarted = true
        source.resume()
    }

    /// A second call has no effect.
    package func cancel() {
        // A source must be resumed before it is freed, and before its cancel handler can run.
        guard !isCancelled else { return }
        isCancelled = true
        source.cancel()
        start()
    }
}
