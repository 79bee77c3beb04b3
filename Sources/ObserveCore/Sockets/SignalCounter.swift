// SPDX-License-Identifier: MIT
// Signals as readable descriptors.

internal import CLinux
internal import Synchronization

/// Readable after the process has received a signal, which then has no other effect.
///
/// The calling thread unblocks the signal, which the process may have inherited as blocked.
///
/// - Lifetime: active from `init` until ``cancel()`` or until it is freed. The signal then has its default action
///   again, so a second Ctrl-C ends a program that is slow to end.
/// - Bounds: one for each signal at a time.
/// - Order: signals in short succession may count as one.
package final class SignalCounter {
    /// The counters that the signal handler increments. They are never closed: a handler may run on another thread.
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

    package var number: Int32 { counter.number }

    /// Resets the descriptor. Returns whether a signal arrived since the last call.
    package func drain() -> Bool { counter.drain() > 0 }

    /// A second call has no effect.
    package func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        linux_signal_release(signal)
    }

    /// Whether one of these signals has arrived since its counter was reset.
    package static func hasArrived(_ signals: [Int32]) -> Bool {
        signals.contains { signal in counters.withLock { $0[signal] }.map { $0.drain() > 0 } ?? false }
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
