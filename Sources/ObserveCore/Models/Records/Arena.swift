// SPDX-License-Identifier: MIT
// Records of one kind side by side in memory that never moves. Knows nothing of what they mean.

/// Numbered records in chunks: a record's number and address stay the same for its whole life, and a freed number is
/// given out again.
///
/// - Bounds: 2³¹ records. Asking for a number that was not given out is a broken internal rule (checked in debug builds).
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(1) for all; growing copies the table of chunks alone.
@safe
struct Arena<Record>: ~Copyable {
    private static var chunkShift: Int { 10 }
    private static var chunkSize: Int { 1 << chunkShift }

    private let blank: Record
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Record>>
    private var chunkCount = 0
    private var chunkCapacity = 16
    private var highWater = 0
    private var freed: [ID<Record>] = []

    /// - Parameter blank: what a record holds when it is given out.
    init(blank: Record) {
        self.blank = blank
        unsafe chunks = .allocate(capacity: 16)
    }

    deinit {
        for index in 0..<highWater {
            unsafe address(ID(Int32(truncatingIfNeeded: index))).deinitialize(count: 1)
        }
        for chunk in 0..<chunkCount { unsafe chunks[chunk].deallocate() }
        unsafe chunks.deallocate()
    }

    /// How many numbers were ever given out: all are below this.
    var allocatedCount: Int { highWater }

    /// How many records are given out.
    var count: Int { highWater - freed.count }

    subscript(index: ID<Record>) -> Record {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(address(index)) }
        @inline(__always)
        unsafeMutableAddress { unsafe address(index) }
    }

    mutating func allocate() -> ID<Record> {
        if let recycled = freed.popLast() { return recycled }
        if highWater == chunkCount << Self.chunkShift { addChunk() }
        let index = ID<Record>(Int32(highWater))
        highWater += 1
        unsafe address(index).initialize(to: blank)
        return index
    }

    mutating func free(_ index: ID<Record>) {
        self[index] = blank
        freed.append(index)
    }

    /// Where the record stands for its whole life.
    @inline(__always)
    func address(_ id: ID<Record>) -> UnsafeMutablePointer<Record> {
        assert(id.number >= 0 && id.number < highWater)
        let wide = id.index
        return unsafe chunks[wide &>> Self.chunkShift] + (wide & (Self.chunkSize &- 1))
    }

    private mutating func addChunk() {
        if chunkCount == chunkCapacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<Record>>.allocate(
                capacity: chunkCapacity * 2
            )
            unsafe larger.update(from: chunks, count: chunkCount)
            unsafe chunks.deallocate()
            unsafe chunks = larger
            chunkCapacity *= 2
        }
        // Records of 64 bytes are one line of the processor's cache each.
        let chunk = UnsafeMutableRawPointer.allocate(
            byteCount: Self.chunkSize * MemoryLayout<Record>.stride,
            alignment: 64
        )
        unsafe chunks[chunkCount] = chunk.bindMemory(to: Record.self, capacity: Self.chunkSize)
        chunkCount += 1
    }
}
