// SPDX-License-Identifier: MIT
// Signals as descriptors. Does not know what comes of them.

internal import CLinux
internal import Synchronization

/// Readable once the process has got a signal, which then has no other effect.
///
/// - Lifetime: has hold from `init` until ``cancel()`` or until it is freed; the signal then does again what it
///   does by default, so a second Ctrl-C ends a program that is slow to end.
/// - Bounds: one for each signal at a time.
/// - Order: signals that come close together may be told as one.
package final class SignalCounter {
    /// The counters that the signal handler raises. Never closed: a handler may run on another thread just
    /// now.
    private static let counters = Mutex<[Int32: EventCounter]>([:])

    package let signal: Int32
    let counter: EventCounter
    private var isCancelled = false

    package init(_ number: Int32) throws(SocketError) {
        signal = number
        counter = try SignalCounter.counter(for: number)
        counter.drain()
        try Syscall.check("sigaction") { linux_signal_catch(number, counter.number) }
    }

    deinit { cancel() }

    /// The descriptor that becomes readable.
    package var number: Int32 { counter.number }

    /// Whether the signal has come since the last time; the descriptor is then no longer readable.
    package func drain() -> Bool { counter.drain() > 0 }

    /// Harmless when done twice.
    package func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        linux_signal_release(signal)
    }

    private static func counter(for number: Int32) throws(SocketError) -> EventCounter {
        if let known = counters.withLock({ $0[number] }) { return known }
        let counter = try EventCounter()
        return counters.withLock { known in
            known[number] = known[number] ?? counter
            return known[number] ?? counter
        }
    }
}
