// SPDX-License-Identifier: MIT
// What waits for a client that does not take it: events in order, those of one path folded. Knows nothing of sockets.

/// One thing that waits: lines that are final, or a change of one attachment that is written when its turn comes.
struct OutboxEntry {
    /// Whose change it is; `noRecord` for final lines, or for nothing any more.
    var attachment: AttachmentID
    /// The final lines.
    var lines: ByteBuffer?
    var reason: ChangeReason = .initial
    var changedAt: NodeID = .noRecord
    var nilAt: NodeID = .noRecord
    var revision: UInt64 = 0
    /// Who made the newest of its changes, for a subscriber that asked.
    var origin: ChangeOrigin?
    /// How many changes it stands for.
    var coalesced = 0
    /// What the subscriber saw last, to send nothing when it is that again; nil when it saw nothing.
    var seen: SeenValue?
    /// The oldest unseen value as JSON, for a subscriber that asked for old values.
    var old: ByteBuffer?
    /// Where below the attachment's path the change was, for one that observes all below it.
    var suffix: ByteBuffer?
    /// The new value as JSON, where it must be what it was then: for mirrors, which put changes on top of it.
    var new: ByteBuffer?
    /// There was nothing when the subscriber last looked: if there is nothing again, nothing is told.
    var wasAbsent = false
    /// The number of the entry that tells of this path's removed root, which stays in front of this one.
    var deletion: Int = -1

    static func final(_ lines: ByteBuffer) -> OutboxEntry { OutboxEntry(attachment: .noRecord, lines: lines) }
}

/// A value that can be recognised after the commit that replaced it, when its models may be gone.
indirect enum SeenValue {
    case value(StoredValue)
    case instance(UInt64)
    /// An array that holds models.
    case array([SeenValue])
}

/// The entries that wait behind a connection's bytes, first in first out.
///
/// A folded event takes the place of the newest, so that revisions stay in order; an answer is a barrier that nothing
/// is folded across (contract §6). Entries are numbered from the first ever; numbers are never used again.
///
/// - Bounds: at most two entries for each attachment, beside what answers and `delivery: "every"` put in.
/// - Threading: none of its own; its session is its only user.
struct Outbox {
    private var entries: [OutboxEntry] = []
    /// The number of `entries[0]`.
    private var base = 0
    private var head = 0
    private var dead = 0
    /// Entries below this number are not folded into.
    private(set) var barrier = 0
    /// How many bytes the final lines are.
    private(set) var lineBytes = 0
    /// The number of the newest entry of each attachment that had one since nothing waited.
    private var newest: [AttachmentID: Int] = [:]
    /// The entries of what changed below deeply observed paths.
    var below: [AttachmentID: WaitingBelow] = [:]

    var isEmpty: Bool { head == entries.count }
    private var end: Int { base + entries.count }

    /// Whether the entry with that number still waits, and may be folded into.
    func canCoalesce(_ number: Int) -> Bool { number >= max(barrier, base + head) }

    func isWaiting(_ number: Int) -> Bool { number >= base + head }

    subscript(number: Int) -> OutboxEntry {
        get { entries[number - base] }
        set { entries[number - base] = newValue }
    }

    /// Adds a change at the end and returns its number.
    mutating func append(_ entry: OutboxEntry) -> Int {
        entries.append(entry)
        return end - 1
    }

    /// The number of the attachment's newest entry, whether it still waits or not; below all others if it had none.
    func newest(of attachment: AttachmentID) -> Int { newest.isEmpty ? -1 : newest[attachment] ?? -1 }

    mutating func setNewest(_ number: Int, of attachment: AttachmentID) { newest[attachment] = number }

    /// Adds a change at the end, as the newest of its attachment.
    mutating func append(newest entry: OutboxEntry) { newest[entry.attachment] = append(entry) }

    /// The attachment is no more: another will have its number.
    mutating func forget(_ attachment: AttachmentID) {
        if !newest.isEmpty { newest[attachment] = nil }
    }

    /// Adds final lines at the end.
    mutating func append(lines: ByteView) {
        lineBytes += lines.count
        if !isEmpty, entries[entries.count - 1].attachment == .noRecord,
            let last = entries[entries.count - 1].lines
        {
            last.append(lines)
            return
        }
        let buffer = ByteBuffer(capacity: lines.count)
        buffer.append(lines)
        entries.append(.final(buffer))
    }

    /// Nothing that comes later is folded into what waits now.
    mutating func raiseBarrier() { barrier = end }

    /// Makes the entry's lines final; without any, it is gone.
    mutating func finalize(_ number: Int, as lines: ByteBuffer) {
        guard !lines.isEmpty else { return drop(number) }
        lineBytes += lines.count
        entries[number - base] = .final(lines)
    }

    /// Takes an entry out of the middle.
    mutating func drop(_ number: Int) {
        entries[number - base] = OutboxEntry(attachment: .noRecord)
        dead += 1
    }

    /// Takes the first entry out.
    mutating func popFirst() -> OutboxEntry? {
        while head < entries.count {
            let entry = entries[head]
            entries[head] = OutboxEntry(attachment: .noRecord)
            head += 1
            if head == entries.count { startOver() }
            if let lines = entry.lines { lineBytes -= lines.count }
            if entry.attachment != .noRecord || entry.lines != nil { return entry }
            dead -= 1
        }
        return nil
    }

    private mutating func startOver() {
        base = end
        head = 0
        entries.removeAll(keepingCapacity: entries.count <= 64)
        newest = [:]
    }

    /// The entries below the attachment's path.
    mutating func waitingBelow(_ id: AttachmentID) -> WaitingBelow {
        if let known = below[id] { return known }
        let fresh = WaitingBelow()
        below[id] = fresh
        return fresh
    }

    /// Whether so many entries are gone that ``compact(_:)`` pays.
    var wantsCompaction: Bool { head + dead > 64 && (head + dead) * 2 > entries.count }

    /// Closes the gaps and renumbers the entries. Numbers below the new base count as gone.
    mutating func compact() {
        let newBase = end
        let oldBarrier = barrier
        var kept: [OutboxEntry] = []
        var numbers: [Int: Int] = [:]
        barrier = newBase
        for index in head..<entries.count
        where entries[index].attachment != .noRecord || entries[index].lines != nil {
            let old = base + index
            var entry = entries[index]
            if entry.deletion >= 0 { entry.deletion = numbers[entry.deletion] ?? -1 }
            numbers[old] = newBase + kept.count
            if newest[entry.attachment] == old, entry.suffix == nil {
                newest[entry.attachment] = newBase + kept.count
            }
            if entry.attachment != .noRecord, let suffix = entry.suffix {
                below[entry.attachment]?.place(suffix.view).entry = newBase + kept.count
            }
            kept.append(entry)
            if old < oldBarrier { barrier = newBase + kept.count }
        }
        entries = kept
        base = newBase
        head = 0
        dead = 0
    }
}
