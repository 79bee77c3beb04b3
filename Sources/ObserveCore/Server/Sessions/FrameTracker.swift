// SPDX-License-Identifier: MIT
// Frames: the events of one group that one subscription gets. Independent of the events' contents.

/// The frames of the present *group* of events: those of a commit, initial events, or delayed events that are due.
///
/// All events of a frame but the last have `"more": true`. Whether an event is the last is known only when the next one
/// comes, or the group ends. So the tracker notes the events that others continue, and inserts their member at the end of
/// the group. Until then no byte of a frame leaves: see ``Delivery/frameGroup``.
struct FrameTracker: ~Copyable {
    /// Counts groups from 1.
    private(set) var group: UInt32 = 1
    /// The time of the group: that of the first look at the clock. Nil until then.
    private(set) var time: MonotonicTime?
    /// Whether the group has an event of a subscription with several paths, or of a slow client.
    var isOpen = false
    private var continued: [(buffer: ByteBuffer, end: Int)] = []

    /// Whether each frame of the group has one event.
    var isComplete: Bool { continued.isEmpty }
    var isIdle: Bool { !isOpen && isComplete && time == nil }

    mutating func begin(at time: MonotonicTime) {
        self.time = time
        isOpen = true
    }

    /// Notes an event that another event of the group continues.
    mutating func noteContinued(in buffer: ByteBuffer, end: Int) {
        isOpen = true
        continued.append((buffer, end))
    }

    /// Complete the frames first.
    @inline(__always) mutating func beginGroup() {
        isOpen = false
        time = nil
        // No event has been in group 0.
        group = max(1, group &+ 1)
    }

    mutating func completeContinued() {
        var rest = continued.sorted {
            let (a, b) = (ObjectIdentifier($0.buffer), ObjectIdentifier($1.buffer))
            return a == b ? $0.end < $1.end : a < b
        }[...]
        while let first = rest.first {
            let events = rest.prefix { $0.buffer === first.buffer }
            rest = rest.dropFirst(events.count)
            let ends = events.lazy.map { $0.end - ByteBuffer.eventEndCount }
            first.buffer.insert(ByteBuffer.more, before: ends)
        }
        continued.removeAll(keepingCapacity: continued.count <= 64)
    }
}

extension ByteBuffer {
    /// The member of an event whose frame continues, and the end of every event.
    fileprivate static let more: StaticString = ",\"more\":true"
    fileprivate static let eventEndCount = 3

    /// Inserts `"more": true` into the event that ends the buffer.
    func continueFrame() {
        truncate(to: count - ByteBuffer.eventEndCount)
        append(ByteBuffer.more)
        append("}}\n")
    }
}

/// The last event of a subscription with several paths.
struct FramedEvent {
    /// The group of the event; 0 if another event may not continue its frame.
    var group: UInt32 = 0
    /// The offset of its end in the output.
    var end = 0
}
