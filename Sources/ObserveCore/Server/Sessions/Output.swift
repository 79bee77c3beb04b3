// SPDX-License-Identifier: MIT
// Bytes that wait for one client's socket. Independent of their contents and of the socket.

/// The bytes of a session that only wait for its socket: in a buffer of its own, or as a range of the broadcast.
///
/// - Invariant: a session never has a buffer and a broadcast range at once. A range ends with the turn.
@safe
struct Output: ~Copyable {
    private(set) var buffer: ByteBuffer?
    /// ``buffer`` without a reference count.
    private var unretained: Unmanaged<ByteBuffer>?
    /// The lines of the hub's ``Broadcast`` that wait for the socket. Clients without options of their own share
    /// these lines, so that the hub copies nothing for each of them.
    var range = 0..<0
    /// How many events the session has had as ranges, all of its subscription 1. Beside ``range``, so that counting an
    /// event costs one instruction.
    var rangeEvents: UInt64 = 0
    /// Whether the hub's list of sessions with output has this one.
    private(set) var isDirty = false
    /// How many bytes show no commit that still needs a flush; valid while there are such commits.
    private(set) var flushedCount = 0
    /// How many bytes belong to the ``InFlightBatch`` or to earlier ones; valid while there is one.
    private(set) var inFlightCount = 0

    @inline(__always)
    var hasRange: Bool { range.upperBound != range.lowerBound }

    /// Bytes that wait for the socket.
    @inline(__always)
    var count: Int {
        var count = range.count
        withBuffer { count += $0.count }
        return count
    }

    /// Calls `body` with ``buffer``.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    @inline(__always)
    func withBuffer(_ body: (ByteBuffer) -> Void) -> Bool {
        guard let unretained = unsafe unretained else { return false }
        unsafe unretained._withUnsafeGuaranteedRef(body)
        return true
    }

    /// Adopts a buffer for the next bytes. There must be none yet.
    @inline(__always)
    mutating func begin(in buffer: consuming ByteBuffer) {
        unsafe unretained = Unmanaged.passUnretained(buffer)
        self.buffer = consume buffer
    }

    /// Removes and returns ``buffer``.
    @inline(__always)
    mutating func pop() -> ByteBuffer? {
        var taken: ByteBuffer?
        swap(&taken, &buffer)
        unsafe unretained = nil
        return taken
    }

    /// - Returns: whether the session is to enter the hub's list of sessions with output.
    @inline(__always)
    mutating func becomeDirty() -> Bool {
        if isDirty { return false }
        isDirty = true
        flushedCount = count
        inFlightCount = flushedCount
        return true
    }

    @inline(__always)
    mutating func endDirty() { isDirty = false }

    /// Keeps the session in the list of those with output while bytes wait for a flush.
    mutating func stayDirty(ifMoreThan sendable: Int) { isDirty = count > sendable }

    // MARK: Flushes

    /// Notes that all bytes so far show only flushed commits.
    mutating func markFlushed() { flushedCount = count }

    /// Notes that all bytes so far belong to the batch whose sync begins.
    mutating func markInFlight() { inFlightCount = count }

    /// Notes that the sync of the in-flight batch has succeeded.
    mutating func finishInFlight() { flushedCount = inFlightCount }

    /// Notes that the socket accepted so many bytes.
    @inline(__always)
    mutating func noteSent(_ count: Int) {
        flushedCount = max(flushedCount &- count, 0)
        inFlightCount = max(inFlightCount &- count, 0)
    }
}
