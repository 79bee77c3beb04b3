// SPDX-License-Identifier: MIT
// What one client sends. Independent of the contents of its lines, and of the socket.

/// A client's input: the bytes that are not executed yet, and whether more will come.
struct Input {
    /// When the client last sent bytes, if it has left something unfinished since.
    var lastTime = MonotonicTime(nanoseconds: 0)
    var lines: LineReader
    // These fill the last bytes of `lines`.

    /// The client sends no more.
    var hasEnded = false
    /// The client is gone, and reads nothing more. The server executes only those of its requests that may change the state.
    var hasLeft = false
    /// Whether the timer queue has a ``TimerItem/endIdle(_:)`` of the session.
    var isWatchedForIdleness = false

    init(_ limits: ClientLimits) { lines = LineReader(limitBytes: limits.maxLineBytes) }

    /// The bytes of memory that the received bytes take.
    var heldBytes: Int { lines.heldBytes }

    /// Drops the received bytes that are not executed.
    mutating func forgetLines() { lines = LineReader(limitBytes: lines.limitBytes) }
}
