// SPDX-License-Identifier: MIT
// The interval between two attempts to reach something that may be away. Independent of connections and disks.

/// Doubles from its lower bound to its upper one. For connections these are 20 ms and a second or less: a daemon that restarts
/// is found at once, and one that is away costs nothing. Only a connection that lasted shortens it: a peer that accepts and
/// closes would be asked again at once, for ever.
package struct RetryDelay {
    package static let longest: UInt64 = 1000
    package static let healthyMilliseconds: UInt64 = 5000

    /// In milliseconds.
    private let bounds: ClosedRange<UInt64>
    /// How many milliseconds a connection has to last, so that the next delay is the lower bound.
    private let healthy: UInt64
    /// Before the next attempt; 0 for at once.
    package private(set) var milliseconds: UInt64
    private var connectedAt: MonotonicTime?

    package init(longest: UInt64 = RetryDelay.longest) {
        self.init(20...longest, healthy: RetryDelay.healthyMilliseconds)
    }

    init(_ bounds: ClosedRange<UInt64>, healthy: UInt64, milliseconds: UInt64 = 0) {
        (self.bounds, self.healthy, self.milliseconds) = (bounds, healthy, milliseconds)
    }

    /// Whether the last attempt has led to a connection, which has not failed yet.
    package var isConnected: Bool { connectedAt != nil }

    package func isHealthy(at now: MonotonicTime = .now) -> Bool {
        connectedAt.map { $0.adding(milliseconds: healthy) <= now } ?? false
    }

    package mutating func connect(at now: MonotonicTime = .now) { connectedAt = connectedAt ?? now }

    /// Notes the loss of the connection, or an attempt that failed.
    package mutating func fail(at now: MonotonicTime = .now) {
        if isHealthy(at: now) { milliseconds = 0 }
        connectedAt = nil
        milliseconds = min(max(milliseconds * 2, bounds.lowerBound), bounds.upperBound)
    }

    /// Lets the next attempt be at once.
    package mutating func reset() { (milliseconds, connectedAt) = (0, nil) }
}
