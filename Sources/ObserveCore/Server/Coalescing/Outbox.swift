// SPDX-License-Identifier: MIT
// Events that wait for a slow client, in order; those of one path coalesce. Independent of sockets.

/// The entries that wait behind a connection's bytes, first in first out.
///
/// A coalesced event moves to the place of its newest change, so that revisions stay in order. An answer is a
/// barrier: no change coalesces across it (`docs/protocol.md`, "Slow clients"). Entries are numbered from the
/// first; numbers are not reused.
///
/// - Bounds: two entries for each attachment, and one for each changed path below a deep one. Lines of answers and
///   of `delivery: "every"` come on top.
/// - Threading: none of its own; its session is its only user.
struct Outbox: Blank, ~Copyable {
    private(set) var entries = ChunkedArray<OutboxEntry>()
    /// The number of `entries[0]`.
    private var base = 0
    private var head = 0
    private var dead = 0
    /// Entries below this number do not coalesce.
    private(set) var barrier = 0
    /// How many barriers were raised, modulo 2³².
    private var segment: UInt32 = 0
    /// The length of all final lines.
    private(set) var lineBytes = 0
    /// The bytes of all entries, apart from final lines.
    private var entryBytes = 0
    /// The number of each attachment's newest entry, which may have left. Emptied with the outbox.
    private var newest = NumberMap(absent: -1)
    /// The waiting entries of subscriptions whose events come in frames.
    private(set) var frames = WaitingFrames()
    /// The attachments of mirrors whose initial events wait.
    var initialMirrors: [AttachmentID] = []
    /// The entries for changes below deeply observed paths.
    var below: [AttachmentID: WaitingBelow] = [:]

    var isEmpty: Bool { head == entries.count }

    /// The bytes of memory that the outbox takes.
    var heldBytes: Int { lineBytes + entryBytes }
    private var end: Int { base + entries.count }

    /// Whether the entry with that number still waits and may coalesce.
    func canCoalesce(_ number: Int) -> Bool { number >= max(barrier, base + head) }

    func isWaiting(_ number: Int) -> Bool { number >= base + head }

    /// Whether the entry with that number still waits, and is not final.
    func isPending(_ number: Int) -> Bool { isWaiting(number) && self[number].attachment != .noRecord }

    subscript(number: Int) -> OutboxEntry {
        get { entries[number - base] }
        _modify { yield &entries[number - base] }
    }

    /// Adds a change at the end and returns its number.
    mutating func append(_ entry: OutboxEntry) -> Int {
        entryBytes += entry.heldBytes
        var entry = entry
        entry.segment = segment
        entries.append(entry)
        if entry.subscription != 0 { frames.append(end - 1, to: entry.subscription) }
        return end - 1
    }

    /// The number of the attachment's newest entry, which may have left; -1 if it had none.
    func newest(of attachment: AttachmentID) -> Int { newest[attachment.number] }

    mutating func setNewest(_ number: Int, of attachment: AttachmentID) { newest[attachment.number] = number }

    /// Adds a change at the end, as the newest of its attachment.
    mutating func append(newest entry: OutboxEntry) { newest[entry.attachment.number] = append(entry) }

    /// Forgets an attachment that is freed: another will have its number.
    mutating func forget(_ attachment: AttachmentID) { newest.remove(attachment.number) }

    /// Adds final lines at the end.
    ///
    /// - Returns: the buffer that ends with them.
    @discardableResult
    mutating func append(lines: ByteView) -> ByteBuffer {
        lineBytes += lines.count
        if !isEmpty, entries[entries.count - 1].subscription == 0, let last = entries[entries.count - 1].lines
        {
            last.append(lines)
            return last
        }
        let buffer = ByteBuffer(capacity: lines.count)
        buffer.append(lines)
        let entry = OutboxEntry(attachment: .noRecord, lines: buffer)
        entryBytes += entry.heldBytes
        entries.append(entry)
        return buffer
    }

    /// Notes that final lines have become longer.
    mutating func noteLonger(by bytes: Int) { lineBytes += bytes }

    /// Keeps later changes from coalescing with the entries that wait now.
    mutating func raiseBarrier() {
        barrier = end
        segment &+= 1
    }

    /// Replaces the entry with final lines. If there are none, drops it.
    mutating func finalize(_ number: Int, as lines: ByteBuffer) {
        let entry = entries[number - base]
        guard !lines.isEmpty else { return drop(number) }
        lineBytes += lines.count
        var final = OutboxEntry(attachment: .noRecord, lines: lines)
        final.revision = entry.revision
        if entry.subscription != 0 {
            final.subscription = entry.subscription
            final.segment = entry.segment
            final.coalesced = entry.reason == .initial ? 1 : entry.coalesced
            final.hasMore = entry.hasMore
        }
        entryBytes += final.heldBytes - entry.heldBytes
        entries[number - base] = final
    }

    /// Removes an entry from the middle.
    mutating func drop(_ number: Int) {
        entryBytes -= entries[number - base].heldBytes
        entries[number - base] = OutboxEntry(attachment: .noRecord)
        dead += 1
    }

    /// Removes the first entry.
    mutating func popFirst() -> OutboxEntry? {
        while head < entries.count {
            let entry = entries[head]
            entries[head] = OutboxEntry(attachment: .noRecord)
            head += 1
            if head == entries.count { startOver() } else { entries.free(before: head) }
            if let lines = entry.lines { lineBytes -= lines.count }
            if !entry.isGone {
                entryBytes -= entry.heldBytes
                return entry
            }
            dead -= 1
        }
        return nil
    }

    private mutating func startOver() {
        base = end
        head = 0
        entries.removeAll(keepingCapacity: entries.count <= 64)
        newest.removeAll()
        initialMirrors = []
        frames.removeAll()
    }

    /// The entries below the attachment's path, made if there are none.
    mutating func waitingBelow(_ id: AttachmentID) -> WaitingBelow {
        if let known = below[id] { return known }
        let fresh = WaitingBelow()
        below[id] = fresh
        return fresh
    }

    /// Whether so many entries are gone that ``compact()`` is worthwhile.
    var wantsCompaction: Bool { head + dead > 64 && (head + dead) * 2 > entries.count }

    /// Closes the gaps and renumbers the entries. Numbers below the new base count as gone.
    mutating func compact() {
        let newBase = end
        let oldBarrier = barrier
        var kept = ChunkedArray<OutboxEntry>()
        // Only of removals: other entries refer to no others.
        var numbers: [Int: Int] = [:]
        barrier = newBase
        frames.removeAll()
        for index in head..<entries.count where !entries[index].isGone {
            let old = base + index
            var entry = entries[index]
            if entry.deletion >= 0 { entry.deletion = numbers[entry.deletion] ?? -1 }
            if entry.reason == .sourceDeleted { numbers[old] = newBase + kept.count }
            if entry.attachment != .noRecord, entry.suffix == nil, newest[entry.attachment.number] == old {
                newest[entry.attachment.number] = newBase + kept.count
            }
            if entry.attachment != .noRecord, let suffix = entry.suffix {
                below[entry.attachment]?.place(suffix.view).entry = newBase + kept.count
            }
            kept.append(entry)
            if entry.subscription != 0 { frames.append(newBase + kept.count - 1, to: entry.subscription) }
            if old < oldBarrier { barrier = newBase + kept.count }
        }
        entries = kept
        base = newBase
        head = 0
        dead = 0
    }

    // MARK: Frames

    /// The subscription's next entry, if no answer stands between it and `entry`, which has left.
    mutating func nextInFrame(of entry: OutboxEntry) -> Int? {
        while let number = frames.first(of: entry.subscription) {
            if isWaiting(number), self[number].subscription == entry.subscription {
                return self[number].segment == entry.segment ? number : nil
            }
            frames.removeFirst(of: entry.subscription)
        }
        return nil
    }

    /// The subscription's last entry behind all answers.
    mutating func lastInFrame(of subscription: Int32) -> Int? {
        while let number = frames.last(of: subscription), isWaiting(number) {
            if self[number].subscription == subscription { return number >= barrier ? number : nil }
            frames.removeLast(of: subscription)
        }
        return nil
    }

    mutating func removeFirstInFrame(of subscription: Int32) { frames.removeFirst(of: subscription) }
    mutating func removeLastInFrame(of subscription: Int32) { frames.removeLast(of: subscription) }

    /// Adds an entry again to the end of its frame.
    mutating func restoreInFrame(_ number: Int, of subscription: Int32) {
        frames.append(number, to: subscription)
    }

    /// Takes the entry out of its frame: its event is not needed.
    mutating func leaveFrame(_ number: Int) { entries[number - base].subscription = 0 }

    /// Notes that the frame's last event does not end it: `goodbye` comes first.
    mutating func cutFrame(of subscription: Int32) {
        if let last = lastInFrame(of: subscription) { self[last].hasMore = true }
    }

    /// Adds the final lines of a frame's event, without its end.
    mutating func append(
        _ lines: ByteBuffer,
        of subscription: Int32,
        at revision: UInt64,
        coalesced: Int = 1
    ) {
        var entry = OutboxEntry(attachment: .noRecord, lines: lines)
        entry.subscription = subscription
        entry.revision = revision
        entry.coalesced = coalesced
        lineBytes += lines.count
        _ = append(entry)
    }

    /// Appends the end of a frame's final event.
    mutating func end(_ number: Int, hasMore: Bool) {
        let entry = entries[number - base]
        guard let lines = entry.lines else { return }
        let count = lines.count
        lines.appendEventEnd(
            revision: entry.revision,
            coalesced: entry.coalesced,
            hasMore: hasMore || entry.hasMore
        )
        lineBytes += lines.count - count
        var final = OutboxEntry(attachment: .noRecord, lines: lines)
        final.revision = entry.revision
        entryBytes += final.heldBytes - entry.heldBytes
        entries[number - base] = final
    }

    /// Moves an entry of a frame to the end, with a later revision.
    mutating func move(_ number: Int, to revision: UInt64, nilAt: NodeID) {
        var entry = entries[number - base]
        drop(number)
        entry.revision = revision
        entry.nilAt = nilAt
        let moved = append(entry)
        guard entry.attachment != .noRecord else { return }
        if let suffix = entry.suffix {
            below[entry.attachment]?.place(suffix.view).entry = moved
        } else {
            let newest = newest(of: entry.attachment)
            if newest == number {
                setNewest(moved, of: entry.attachment)
            } else if isWaiting(newest), self[newest].deletion == number {
                // The newest needs no event. It would leave before the removal that it follows, which nothing would find then.
                drop(newest)
                setNewest(moved, of: entry.attachment)
            }
        }
    }
}
