// SPDX-License-Identifier: MIT
// The file that commits are appended to, and how much of it is safe. Independent of the lines' contents.

/// One journal: `length` bytes are whole, `syncedLength` of them are known to be on the disk.
///
/// Under `commit`, zeros follow these bytes: a sync is twice as fast if the file has not grown.
struct JournalFile: ~Copyable {
    private let disk: any StateDisk
    private(set) var number: Int
    private(set) var length: Int
    private(set) var syncedLength: Int
    /// The end of the in-flight batch, whose sync is running; 0 if there is none.
    private(set) var inFlightEnd = 0
    private var inFlightStart = 0
    /// The place of ``length`` among the lines, and the places behind the written lines and before the in-flight
    /// batch.
    private(set) var chain: LineChain
    private var writtenChain = LineChain()
    private var inFlightChain = LineChain()
    /// Where the zeros behind ``length`` end, and how many there are at most.
    private var zerosEnd = 0
    var mostZeros = 1 << 20
    /// Behind ``length`` there may be lines of a refused batch.
    private var mustTruncate: Bool
    /// Journals that were begun and can't be continued. The next start must not find them behind later lines.
    private var strays: [String]

    init(
        on disk: any StateDisk,
        number: Int,
        length: Int,
        syncedLength: Int,
        chain: LineChain = LineChain(),
        mustTruncate: Bool = false,
        strays: [String] = []
    ) {
        self.disk = disk
        self.number = number
        self.length = length
        self.syncedLength = syncedLength
        self.chain = chain
        self.mustTruncate = mustTruncate
        self.strays = strays
    }

    var name: String { StateFile.journal(number) }

    // MARK: Appending

    /// Removes the bytes and files that the next start must not find.
    mutating func prepare() throws(DiskError) {
        if !strays.isEmpty {
            for stray in strays { try disk.remove(stray) }
            try disk.syncNames()
            strays = []
        }
        guard mustTruncate else { return }
        try disk.truncate(name, to: length)
        zerosEnd = 0
        mustTruncate = false
    }

    /// Writes lines behind ``length``, which ``advance(by:isSynced:)`` moves. Fills in their checksums, again if an
    /// earlier attempt failed.
    mutating func write(_ text: ByteBuffer) throws(DiskError) {
        writtenChain = chain
        writtenChain.seal(text)
        try disk.write(name, text, at: length)
    }

    func sync() throws(DiskError) { try disk.sync(name) }

    mutating func advance(by count: Int, isSynced: Bool) {
        length += count
        chain = writtenChain
        if isSynced { syncedLength = length }
    }

    /// Refuses the bytes behind ``length``.
    mutating func refuse() {
        mustTruncate = true
        try? prepare()
    }

    /// Writes zeros behind the `count` bytes that follow ``length``.
    mutating func writeZeros(after count: Int) {
        let start = length + count
        guard start > zerosEnd, mostZeros > 0 else { return }
        let room = max(min(start / 4, mostZeros), min(64 << 10, mostZeros))
        zerosEnd = start + room
        let zeros = ByteBuffer(capacity: room)
        zeros.append(contentsOf: [UInt8](repeating: 0, count: room))
        do throws(DiskError) { try disk.write(name, zeros, at: start) } catch {
            // The disk may have space for the commit alone.
            try? disk.truncate(name, to: start)
        }
    }

    // MARK: The in-flight batch

    var isInFlight: Bool {
        @inline(__always) get { inFlightEnd != 0 }
    }

    /// Notes that so many bytes are written, and that their sync is running.
    mutating func beginFlight(_ count: Int) {
        (inFlightStart, inFlightChain) = (length, chain)
        length += count
        chain = writtenChain
        inFlightEnd = length
    }

    /// - Parameter isSynced: false if the batch is refused.
    mutating func endFlight(isSynced: Bool) {
        if isSynced { syncedLength = inFlightEnd } else { (length, chain) = (inFlightStart, inFlightChain) }
        inFlightEnd = 0
    }

    // MARK: Other journals

    /// Makes the file with its first line, on the disk.
    mutating func make(_ header: ByteBuffer) throws(DiskError) {
        writtenChain = LineChain()
        writtenChain.seal(header)
        try disk.make(StateFile.freshJournal)
        try disk.write(StateFile.freshJournal, header, at: 0)
        try disk.sync(StateFile.freshJournal)
        try disk.rename(StateFile.freshJournal, to: name)
        try disk.syncNames()
        advance(by: header.count, isSynced: true)
    }

    /// Continues with the next journal, which begins with `header`.
    mutating func beginNext(_ header: ByteBuffer) throws(DiskError) {
        strays = [StateFile.journal(number + 1)]
        var fresh = LineChain()
        fresh.seal(header)
        try disk.write(StateFile.journal(number + 1), header, at: 0)
        strays = []
        number += 1
        chain = fresh
        length = header.count
        syncedLength = 0
        zerosEnd = 0
    }

    /// Notes the end of a sync that began when that journal had that length.
    mutating func noteSync(of number: Int, upTo length: Int) {
        if number == self.number { syncedLength = max(syncedLength, length) }
    }

    /// Notes that the file was written anew, and is on the disk.
    mutating func noteRenewed() {
        syncedLength = length
        zerosEnd = length
    }

    /// Cuts off the zeros, and syncs the file.
    func close() throws(DiskError) {
        if zerosEnd > length { try disk.truncate(name, to: length) }
        try disk.sync(name)
        try disk.syncNames()
    }
}
