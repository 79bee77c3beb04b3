// SPDX-License-Identifier: MIT
// Brings signals, and what else ends the daemon, to its main thread one by one. Does not know what comes of them.

internal import Dispatch
internal import ObserveCore
internal import Synchronization

/// Something that the daemon's main thread acts on.
enum DaemonEvent: Sendable {
    /// A signal that asks for the end.
    case end(Int32)
    /// The signal that asks for the configuration to be read again.
    case reload
    /// The server has closed everything.
    case stopped
}

/// The events that wait for the main thread.
///
/// - Threading: post from anywhere; one thread takes them.
/// - Order: they are taken as they were posted.
final class EventQueue: Sendable {
    private let waiting = Mutex<[DaemonEvent]>([])
    private let count = DispatchSemaphore(value: 0)

    func post(_ event: DaemonEvent) {
        waiting.withLock { $0.append(event) }
        count.signal()
    }

    /// The next event, after waiting for it as long as it takes.
    func next() -> DaemonEvent {
        count.wait()
        return waiting.withLock { $0.removeFirst() }
    }
}

/// Posts an event for each signal, which then has no other effect.
///
/// - Lifetime: as long as it is kept.
struct SignalWatch {
    private let sources: [SignalSource]

    init(endingOn endings: [Int32], reloadingOn reload: Int32, events: EventQueue) throws(SocketError) {
        let queue = DispatchQueue(label: "observed.signals")
        var sources: [SignalSource] = []
        for number in endings {
            sources.append(try SignalSource(signal: number, queue: queue) { events.post(.end(number)) })
        }
        sources.append(try SignalSource(signal: reload, queue: queue) { events.post(.reload) })
        self.sources = sources
    }
}
