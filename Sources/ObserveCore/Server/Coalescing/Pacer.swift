// SPDX-License-Identifier: MIT
// The delayed events of a subscription with `throttle` or `debounce`, by path. Independent of trees and sockets.

/// How often a subscription gets events of one path.
enum Pace {
    /// At most once in so many nanoseconds.
    case throttle(UInt64)
    /// Once there was no change for so many nanoseconds.
    case debounce(UInt64)
}

/// One path of a paced subscription, and those below it: a trie by the paths' components.
final class PacedPath {
    let pacer: Pacer
    unowned let parent: PacedPath?
    private let name: [UInt8]
    private var below: [[UInt8]: PacedPath] = [:]

    /// The attachment of the path; `noRecord` if it no longer matches a pattern.
    var attachment: AttachmentID = .noRecord
    /// Whether it is the attachment's own path, not one below it.
    var isOwn = false
    /// The delayed event.
    var delayed: OutboxEntry? {
        didSet { pacer.noteHeld((delayed?.heldBytes ?? 0) - (oldValue?.heldBytes ?? 0)) }
    }
    /// The delayed event as text up to its revision, if the path no longer matches.
    var lastText: ByteBuffer?
    /// When the delayed event may be sent.
    var due = MonotonicTime(nanoseconds: 0)
    /// Until then, events of the path are delayed.
    var freeAt = MonotonicTime(nanoseconds: 0)
    /// Whether ``Pacer/waiting`` holds this path: once, even if its times change.
    var isScheduled = false

    init(_ pacer: Pacer, parent: PacedPath?, name: [UInt8]) {
        self.pacer = pacer
        self.parent = parent
        self.name = name
        pacer.count += 1
    }

    /// The place of a path below this one, made if there is none.
    ///
    /// - Parameter suffix: nothing, or a dot and components, as in a JSON string.
    func place(_ suffix: ByteView) -> PacedPath {
        var place = self
        var start = 0
        while start < suffix.count {
            let end = suffix.endOfComponent(from: start + 1)
            let name = suffix.slice(start + 1..<end).array
            if let next = place.below[name] {
                place = next
            } else {
                let fresh = PacedPath(pacer, parent: place, name: name)
                place.below[name] = fresh
                place = fresh
            }
            start = end
        }
        return place
    }

    /// Moves the path to another attachment. The nodes of the former one may be gone.
    func hand(to attachment: AttachmentID, suffix: ByteBuffer?) {
        guard self.attachment != attachment else { return }
        self.attachment = attachment
        lastText = nil
        delayed?.attachment = attachment
        delayed?.suffix = suffix
        delayed?.changedAt = .noRecord
        delayed?.nilAt = .noRecord
        if delayed?.reason == .pathChanged { delayed?.reason = .valueChanged }
    }

    /// The nearest path above with a delayed event.
    var delayedAbove: PacedPath? {
        var above = parent
        while let place = above, place.delayed == nil || place.lastText != nil { above = place.parent }
        return above
    }

    /// The paths below with delayed events.
    var delayedBelow: [PacedPath] {
        var found: [PacedPath] = []
        var pending = Array(below.values)
        while let place = pending.popLast() {
            if place.delayed != nil { found.append(place) }
            pending += place.below.values
        }
        return found
    }

    /// Removes the place if it delays no event and its next one may be sent at `now`. Also removes places above
    /// that are left without use.
    func forget(at now: MonotonicTime) {
        var place = self
        while let above = place.parent, place.below.isEmpty, place.delayed == nil, !place.isScheduled,
            place.freeAt <= now
        {
            if place.isOwn { place.pacer.forget(place.attachment) }
            above.below[place.name] = nil
            place.pacer.count -= 1
            place = above
        }
    }
}

/// The paths of one subscription with `throttle` or `debounce`.
///
/// - Bounds: one delayed event for each path. The pacer forgets a path without one when its next event may be sent.
/// - Threading: none of its own; its session is its only user.
final class Pacer {
    let pace: Pace
    /// The subscription's number.
    let subscription: Int32
    unowned let session: Session
    /// The time of the initial events.
    var beganAt: MonotonicTime?
    /// The subscription has ended: no event is sent.
    private(set) var isOver = false
    fileprivate(set) var count = 0
    /// The bytes of the delayed events.
    private var heldBytes = 0
    private var root: PacedPath?
    /// An attachment with its place. Most subscriptions have only one.
    private var first: (attachment: AttachmentID, place: PacedPath)?
    /// The places of the others.
    private var further: [AttachmentID: PacedPath] = [:]
    /// The paths whose delayed events wait for their times, or that are forgotten then.
    var waiting = TimerQueue<PacedPath>()
    /// When the next timer for ``waiting`` is due; the distant future if there is none.
    var armed = MonotonicTime.distantFuture

    init(_ pace: Pace, _ subscription: Int32, _ session: Session) {
        self.pace = pace
        self.subscription = subscription
        self.session = session
    }

    fileprivate func noteHeld(_ bytes: Int) {
        if isOver { return }
        heldBytes += bytes
        session.delivery.delayedBytes += bytes
    }

    /// Ends the pace. The paths keep their memory until ``free()``.
    func end() {
        noteHeld(-heldBytes)
        isOver = true
    }

    func free() {
        root = nil
        first = nil
        further = [:]
        waiting = TimerQueue()
    }

    /// Removes and returns the paths that are due.
    func popDue(at now: MonotonicTime) -> [PacedPath] {
        var places: [PacedPath] = []
        while let place = waiting.popDue(at: now) { places.append(place) }
        return places
    }

    /// The place of a path, made if there is none.
    ///
    /// - Parameter path: a dot and the path, as in a JSON string.
    func place(_ path: ByteView) -> PacedPath {
        let root = root ?? PacedPath(self, parent: nil, name: [])
        self.root = root
        return root.place(path)
    }

    /// Makes the place that of the attachment.
    func adopt(_ place: PacedPath, by attachment: AttachmentID) {
        forget(attachment)
        if first == nil { first = (attachment, place) } else { further[attachment] = place }
        place.isOwn = true
        place.hand(to: attachment, suffix: nil)
    }

    /// The place of an attachment's path; nil if it has none.
    func knownPlace(of attachment: AttachmentID) -> PacedPath? {
        if let first, first.attachment == attachment { return first.place }
        return further.isEmpty ? nil : further[attachment]
    }

    /// Forgets which attachment the place belongs to.
    func forget(_ attachment: AttachmentID) {
        knownPlace(of: attachment)?.isOwn = false
        if first?.attachment == attachment { first = nil } else { further[attachment] = nil }
    }
}
