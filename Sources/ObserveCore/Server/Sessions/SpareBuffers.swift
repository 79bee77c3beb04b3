// SPDX-License-Identifier: MIT
// Empty output buffers for the next sessions with output. Independent of sessions.

/// - Bounds: 16 MiB, enough for the answers and events of a thousand clients in one turn. Buffers beyond 256 KiB
///   are freed, so that one large answer does not occupy memory for ever.
struct SpareBuffers: ~Copyable {
    private var buffers: [ByteBuffer] = []
    private var bytes = 0

    @inline(__always) mutating func pop() -> ByteBuffer {
        guard let spare = buffers.popLast() else { return ByteBuffer(capacity: 1024) }
        bytes &-= spare.capacity
        return spare
    }

    /// Returns how many bytes it frees, if it does not keep the buffer.
    mutating func recycle(_ buffer: consuming ByteBuffer) -> Int {
        guard buffer.capacity <= 256 << 10, bytes < 16 << 20 else { return buffer.capacity }
        buffer.removeAll()
        bytes &+= buffer.capacity
        buffers.append(buffer)
        return 0
    }

    /// Whether to free some when idle. Under load a thousand subscribers fill a thousand buffers at a time; an idle
    /// daemon keeps 64.
    var hasTooMany: Bool { buffers.count > 64 }

    mutating func releaseMost() {
        while hasTooMany, let spare = buffers.popLast() { bytes &-= spare.capacity }
    }
}
