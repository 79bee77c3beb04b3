// SPDX-License-Identifier: MIT
// The memory that all connections together use for buffers. Independent of the buffers' contents.

/// The allowance is half of the free bytes, within bounds: the more bytes are held, the earlier the server stops reading the
/// requests of those that hold most. While the limit is exceeded, it is negative: every session checks before its next request.
struct BufferedBytes: ~Copyable {
    /// The bytes of all sessions, as of their last turns.
    private(set) var total = 0
    /// The bytes that may wait for one client before the server reads no more of its requests.
    private(set) var allowance: Int
    private var limit: Int
    private var allowances: ClosedRange<Int>

    init(_ limits: ClientLimits) {
        limit = limits.maxBufferedBytes
        allowances = min(limits.foldAfterBytes, limits.maxOutboxBytes)...limits.maxOutboxBytes
        allowance = allowances.upperBound
    }

    var isExceeded: Bool { total > limit }

    /// Once the limit was exceeded, an eighth is freed at a time, so that finding the sessions that hold most is rare.
    var mustShrink: Bool { total > limit - limit / 8 }

    mutating func adopt(_ limits: ClientLimits) {
        let total = total
        self = BufferedBytes(limits)
        add(total)
    }

    mutating func add(_ bytes: Int) {
        total += bytes
        let share = (limit - total) / 2
        allowance = isExceeded ? -1 : min(max(share, allowances.lowerBound), allowances.upperBound)
    }
}
