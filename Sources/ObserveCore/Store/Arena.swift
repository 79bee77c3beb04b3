// SPDX-License-Identifier: MIT
// Records of one kind, side by side in memory that never moves. Independent of the records' meaning.

/// Numbered records in chunks. A record keeps its number and address for its whole life; freed numbers are reused.
/// - Bounds: 2³¹ records. Debug builds trap on a number that the arena never allocated.
/// - Cost: O(1) for every operation; growing copies only the table of chunks.
@safe struct Arena<Record>: ~Copyable {
    private static var chunkShift: Int { 10 }
    private static var chunkSize: Int { 1 << chunkShift }

    /// The content of a new record.
    private let blank: Record
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Record>>
    private var chunkCount = 0
    private var chunkCapacity = 16
    /// One more than the highest number ever allocated.
    private(set) var allocatedCount = 0
    private var freed: [ID<Record>] = []

    init(blank: Record) {
        self.blank = blank
        unsafe chunks = .allocate(capacity: 16)
    }

    deinit {
        for index in 0..<allocatedCount {
            unsafe address(ID(Int32(truncatingIfNeeded: index))).deinitialize(count: 1)
        }
        for chunk in 0..<chunkCount { unsafe chunks[chunk].deallocate() }
        unsafe chunks.deallocate()
    }

    var count: Int { allocatedCount - freed.count }

    subscript(index: ID<Record>) -> Record {
        @inline(__always) unsafeAddress { unsafe UnsafePointer(address(index)) }
        @inline(__always) unsafeMutableAddress { unsafe address(index) }
    }

    mutating func allocate() -> ID<Record> {
        if let recycled = freed.popLast() { return recycled }
        if allocatedCount == chunkCount << Self.chunkShift { addChunk() }
        let index = ID<Record>(Int32(allocatedCount))
        allocatedCount += 1
        unsafe address(index).initialize(to: blank)
        return index
    }

    mutating func free(_ index: ID<Record>) {
        self[index] = blank
        freed.append(index)
    }

    @inline(__always) func address(_ id: ID<Record>) -> UnsafeMutablePointer<Record> {
        assert(id.number >= 0 && id.number < allocatedCount)
        let wide = id.index
        return unsafe chunks[wide &>> Self.chunkShift] + (wide & (Self.chunkSize &- 1))
    }

    private mutating func addChunk() {
        if chunkCount == chunkCapacity {
            chunkCapacity *= 2
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<Record>>.allocate(capacity: chunkCapacity)
            unsafe larger.update(from: chunks, count: chunkCount)
            unsafe chunks.deallocate()
            unsafe chunks = larger
        }
        // A record of 64 bytes fills one cache line.
        let bytes = Self.chunkSize * MemoryLayout<Record>.stride
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        unsafe chunks[chunkCount] = chunk.bindMemory(to: Record.self, capacity: Self.chunkSize)
        chunkCount += 1
    }
}

/// A record in a list: the first one's `previous` is the last one.
protocol ListedRecord {
    var next: ID<Self> { get set }
    var previous: ID<Self> { get set }
}

extension Arena where Record: ListedRecord {
    /// Adds a record to the end of the list. Returns the first one from now on.
    mutating func append(_ id: ID<Record>, to first: ID<Record>) -> ID<Record> {
        guard first != .noRecord else {
            self[id].previous = id
            return id
        }
        let last = self[first].previous
        self[last].next = id
        self[id].previous = last
        self[first].previous = id
        return first
    }

    /// Removes a record from the list. Returns the first one from now on; the record keeps its words.
    mutating func remove(_ id: ID<Record>, from first: ID<Record>) -> ID<Record> {
        let (next, previous) = (self[id].next, self[id].previous)
        if first != id { self[previous].next = next }
        if next != .noRecord {
            self[next].previous = previous
        } else if first != id {
            self[first].previous = previous
        }
        return first == id ? next : first
    }
}
