// SPDX-License-Identifier: MIT
// Bytes that wait for one client's socket, in a buffer or as a range of the broadcast. Independent of contents and sockets.

/// - Invariant: never a buffer and a range at once. A range ends when other bytes follow it, or the socket does not take all.
@safe struct Output: ~Copyable {
    // An event touches the first fields of each of its sessions, and no others: see ``extendRange(by:atMost:)``.

    /// The lines of the server's ``Broadcast`` that wait for the socket. Clients without options of their own share
    /// these lines, so that the server copies nothing for each of them.
    private(set) var range = Output.noRange
    /// How many events the session has had as ranges, all of its subscription 1.
    var rangeEvents: UInt64 = 0
    /// Whether the server's list of sessions with output has this one.
    private(set) var isDirty = false
    /// Whether the client has read the beginning of the first line in ``buffer``.
    private(set) var isWithinLine = false
    private(set) var buffer: ByteBuffer?
    /// ``buffer`` without a reference count.
    private var unretained: Unmanaged<ByteBuffer>?
    /// How many bytes show no commit that still needs a flush; valid while there are such commits and the session is dirty.
    /// Nothing leaves meanwhile.
    private(set) var flushedCount = 0

    /// Stands where no line begins, so that none is behind it.
    private static var noRange: Range<Int> { unsafe Range(uncheckedBounds: (-1, -1)) }

    @inline(__always) var hasRange: Bool { range.upperBound != range.lowerBound }

    @inline(__always) var count: Int {
        var count = range.count
        withBuffer { count += $0.count }
        return count
    }

    var heldBytes: Int {
        var bytes = 0
        withBuffer { bytes = $0.heldBytes }
        return bytes
    }

    /// Calls `body` with ``buffer``; false if there is none.
    @discardableResult @inline(__always) func withBuffer(_ body: (ByteBuffer) -> Void) -> Bool {
        guard let unretained = unsafe unretained else { return false }
        unsafe unretained._withUnsafeGuaranteedRef(body)
        return true
    }

    /// Adopts a buffer for the next bytes. There must be none yet.
    @inline(__always) mutating func begin(in buffer: consuming ByteBuffer) {
        unsafe unretained = Unmanaged.passUnretained(buffer)
        self.buffer = consume buffer
        isWithinLine = false
    }

    @inline(__always) mutating func pop() -> ByteBuffer? {
        var taken: ByteBuffer?
        swap(&taken, &buffer)
        unsafe unretained = nil
        return taken
    }

    /// - Returns: whether the session is to enter the server's list of sessions with output.
    @inline(__always) mutating func becomeDirty() -> Bool {
        if isDirty { return false }
        isDirty = true
        flushedCount = count
        return true
    }

    @inline(__always) mutating func endDirty() { isDirty = false }

    // MARK: Ranges

    @inline(__always) mutating func beginRange(_ line: Range<Int>) {
        range = line
        rangeEvents &+= 1
    }

    /// Adds a line to the range, if that ends where the line begins, and the session is dirty. Returns whether it did.
    /// - Parameter limit: how many bytes a range may have.
    @inline(__always) mutating func extendRange(by line: Range<Int>, atMost limit: Int) -> Bool {
        guard range.upperBound == line.lowerBound, isDirty, line.upperBound &- range.lowerBound <= limit
        else { return false }
        range = unsafe Range(uncheckedBounds: (range.lowerBound, line.upperBound))
        rangeEvents &+= 1
        return true
    }

    mutating func cutRange(to count: Int) { range = range.prefix(count) }

    /// Removes the first `count` bytes of the range, but not all.
    mutating func consumeRange(_ count: Int) { range = range.dropFirst(count) }

    @inline(__always) mutating func endRange() { range = Output.noRange }

    // MARK: Lines

    /// Removes the bytes of ``buffer`` that the socket accepted. Returns whether none is left.
    @inline(__always) mutating func consume(_ count: Int) -> Bool {
        var isAll = true
        var isCut = isWithinLine
        withBuffer { buffer in
            isAll = count >= buffer.count
            if !isAll, count > 0 { isCut = buffer.view[count - 1] != 0x0A }
            buffer.consume(count)
        }
        isWithinLine = isCut
        return isAll
    }

    /// Notes that the socket accepted only the first `count` of these bytes.
    mutating func noteCut(_ bytes: ByteView, at count: Int) {
        if count > 0 { isWithinLine = bytes[count - 1] != 0x0A }
    }

    /// The bytes up to the end of the line of which the client has read the beginning. If they are many, only the line feed: the
    /// client then finds a line that is cut off.
    var restOfLine: ByteBuffer {
        let rest = ByteBuffer()
        guard isWithinLine else { return rest }
        withBuffer { buffer in
            let feed = buffer.view.prefix(min(buffer.count, Output.longestRest)).firstIndex(of: 0x0A, from: 0)
            if let feed { rest.append(buffer.view.prefix(feed + 1)) } else { rest.append(0x0A) }
        }
        return rest
    }

    private static var longestRest: Int { 64 << 10 }

    mutating func markFlushed() { flushedCount = count }
}
