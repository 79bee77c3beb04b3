// SPDX-License-Identifier: MIT
// One path of a subscription with a mark or a pace, and the paths below it. Independent of trees and sockets.

/// A path whose value its client has not seen, or whose next event has to wait for its time.
///
/// Below a path that is observed with `**`, the paths are a trie by their components. A mark covers all below it.
///
/// - Threading: none of its own; its session is its only user.
final class MarkedPath {
    let subscription: MarkedSubscription
    /// The attachment of the path, or of the observed one above it; `noRecord` if that no longer matches its pattern.
    var attachment: AttachmentID { parent?.attachment ?? ownAttachment }
    private var ownAttachment: AttachmentID
    fileprivate(set) var mark: Mark?
    /// Whether the subscription's list of due marks has it.
    fileprivate(set) var isDue = false
    // Its neighbours among the due ones. A path leaves their list before it ends. So a release build counts no
    // references; a debug build traps if that is not true.
    #if DEBUG
        fileprivate unowned(safe) var next: MarkedPath?
        fileprivate unowned(safe) var previous: MarkedPath?
    #else
        @safe fileprivate unowned(unsafe) var next: MarkedPath?
        @safe fileprivate unowned(unsafe) var previous: MarkedPath?
    #endif
    private var further: Further?

    /// What only paths below others, paced ones and those that no longer match need.
    private final class Further {
        static let bytes = 128

        unowned(safe) var parent: MarkedPath?
        var name: [UInt8] = []
        var below: [[UInt8]: MarkedPath] = [:]
        var text: [UInt8]?
        var due = MonotonicTime(nanoseconds: 0)
        var freeAt = MonotonicTime(nanoseconds: 0)
        var isScheduled = false
    }

    /// About how many bytes of memory a path takes, with its places in maps.
    static let bytes = 160

    init(_ subscription: MarkedSubscription, _ attachment: AttachmentID) {
        self.subscription = subscription
        ownAttachment = attachment
        subscription.hold(MarkedPath.bytes)
    }

    private var madeFurther: Further {
        if let further { return further }
        let made = Further()
        further = made
        subscription.hold(Further.bytes)
        return made
    }

    // MARK: Marks

    /// Sets or changes the mark.
    func setMark(_ new: Mark) {
        subscription.hold(new.heldBytes - (mark?.heldBytes ?? 0))
        mark = new
    }

    /// Removes and returns the mark.
    @discardableResult
    func popMark() -> Mark? {
        guard let popped = mark else { return nil }
        subscription.removeDue(self)
        subscription.hold(-popped.heldBytes)
        mark = nil
        return popped
    }

    /// Sees to it that an event follows.
    func owe(_ debt: Mark.Debt) { mark?.owe(debt) }

    /// Lets the next due path see to what this one owes.
    ///
    /// - Returns: false if there is none, and an event has to follow.
    func passDebt() -> Bool {
        guard let mark, mark.debt != .none else { return true }
        next?.owe(mark.debt)
        return next != nil
    }

    func note(_ origin: ChangeOrigin) { if mark?.reason != .initial { mark?.origin = origin } }

    // MARK: Below

    /// The path after the attachment's: nothing, or a dot and components, as in a JSON string.
    var suffix: ByteBuffer? {
        guard further?.parent != nil else { return nil }
        var names: [[UInt8]] = []
        var place = self
        while let above = place.parent {
            names.append(place.further?.name ?? [])
            place = above
        }
        let text = ByteBuffer()
        for name in names.reversed() {
            text.append(0x2E)
            ByteView.with(name) { text.append($0) }
        }
        return text
    }

    var parent: MarkedPath? { further?.parent }

    /// The path of a suffix, made if there is none.
    func path(below suffix: ByteView) -> MarkedPath {
        var place = self
        var start = 0
        while start < suffix.count {
            let end = suffix.endOfComponent(from: start + 1)
            let name = suffix.slice(start + 1..<end).array
            if let next = place.further?.below[name] {
                place = next
            } else {
                let fresh = MarkedPath(subscription, ownAttachment)
                fresh.madeFurther.parent = place
                fresh.madeFurther.name = name
                place.madeFurther.below[name] = fresh
                place = fresh
            }
            start = end
        }
        return place
    }

    /// The path of a suffix, or the marked one above it, which covers it; nil if neither is known.
    func known(_ suffix: ByteView) -> (path: MarkedPath, isCovering: Bool)? {
        var place = self
        var start = 0
        while start < suffix.count {
            if place.mark != nil { return (place, true) }
            let end = suffix.endOfComponent(from: start + 1)
            guard let next = place.further?.below[suffix.slice(start + 1..<end).array] else { return nil }
            place = next
            start = end
        }
        return (place, false)
    }

    /// Whether a path below has a mark.
    var hasMarksBelow: Bool {
        further?.below.values.contains { $0.mark != nil || $0.hasMarksBelow } ?? false
    }

    /// Removes the marks below, which the path's own event covers.
    ///
    /// - Returns: what the covering event owes for them.
    @discardableResult
    func popMarksBelow() -> Mark.Debt {
        guard let below = further?.below.values, !below.isEmpty else { return .none }
        var debt = Mark.Debt.none
        for place in Array(below) {
            debt = max(debt, place.popMarksBelow(), place.popMark()?.debt ?? .none)
            place.removeIfUseless()
        }
        return debt
    }

    /// Removes the path if it has neither a mark, a pace nor paths below; likewise those above.
    func forgetIfUseless() {
        var place = self
        while place.removeIfUseless(), let above = place.parent { place = above }
    }

    /// - Returns: whether it was useless.
    @discardableResult
    private func removeIfUseless() -> Bool {
        guard mark == nil, further?.isScheduled != true, further?.below.isEmpty ?? true else { return false }
        if parent == nil, subscription.pacing?.isLiteral == true { return false }
        subscription.hold(-MarkedPath.bytes - (further == nil ? 0 : Further.bytes))
        if let parent { parent.further?.below[further?.name ?? []] = nil } else { subscription.forget(self) }
        return true
    }

    // MARK: Pace

    /// When its event may be sent; valid while it has a mark that is not due.
    var due: MonotonicTime {
        get { further?.due ?? MonotonicTime(nanoseconds: 0) }
        set { madeFurther.due = newValue }
    }

    /// Until then, a throttled path gets no event.
    var freeAt: MonotonicTime {
        get { further?.freeAt ?? MonotonicTime(nanoseconds: 0) }
        set { madeFurther.freeAt = newValue }
    }

    /// Whether ``SubscriptionPace/waiting`` holds it: once, even if its times change.
    var isScheduled: Bool {
        get { further?.isScheduled ?? false }
        set { madeFurther.isScheduled = newValue }
    }

    // MARK: Patterns

    /// The path's text, as in a JSON string, if it no longer matches its pattern.
    var text: [UInt8]? { further?.text }

    fileprivate func leave(_ text: [UInt8]) {
        ownAttachment = .noRecord
        madeFurther.text = text
    }

    fileprivate func join(_ attachment: AttachmentID) {
        ownAttachment = attachment
        madeFurther.text = nil
    }
}

/// The paths of one subscription that have marks or paces.
///
/// - Bounds: one mark for each observed path, and below `**` one for each changed property. A mark covers those below.
/// - Threading: none of its own; its session is its only user.
final class MarkedSubscription {
    let number: Int32
    /// The session that owns it.
    #if DEBUG
        unowned let session: Session
    #else
        @safe unowned(unsafe) let session: Session
    #endif
    /// What its paths share; `noRecord` if it has only one.
    let compound: CompoundID
    /// The attachments whose initial events are still to be sent, the first of them last.
    var initial: [AttachmentID] = []
    /// What `throttle` or `debounce` needs.
    let pacing: SubscriptionPace?
    /// The subscription's frame has begun in the client's output, and has no end yet.
    var hasOpenFrame = false
    /// Whether the session's list of subscriptions that are behind has it.
    var isBehind = false
    /// It has ended: no event is sent.
    private(set) var isOver = false
    private var heldBytes = 0
    /// Paths that no longer match a pattern, by their texts.
    private var orphans: [[UInt8]: MarkedPath] = [:]
    #if DEBUG
        private unowned(safe) var first: MarkedPath?
        private unowned(safe) var last: MarkedPath?
    #else
        @safe private unowned(unsafe) var first: MarkedPath?
        @safe private unowned(unsafe) var last: MarkedPath?
    #endif

    init(_ number: Int32, _ compound: CompoundID, _ session: Session, _ pacing: SubscriptionPace? = nil) {
        (self.number, self.compound, self.session) = (number, compound, session)
        self.pacing = pacing
    }

    fileprivate func hold(_ bytes: Int) {
        if isOver { return }
        heldBytes += bytes
        session.delivery.markedBytes += bytes
    }

    /// Whether an event may be sent now.
    var hasDue: Bool { first != nil || !initial.isEmpty }

    /// Ends it. Its paths keep their memory until their attachments are removed.
    func end() {
        hold(-heldBytes)
        isOver = true
        // From now on its paths may end in any order.
        (first, last) = (nil, nil)
        // Those would keep it.
        orphans = [:]
        pacing?.waiting = TimerQueue()
    }

    // MARK: Due marks

    /// Adds a mark to the due ones, as the newest.
    func appendDue(_ path: MarkedPath) {
        guard !path.isDue, !isOver else { return }
        path.isDue = true
        path.previous = last
        if let last { last.next = path } else { first = path }
        last = path
    }

    func removeDue(_ path: MarkedPath) {
        guard path.isDue, !isOver else { return }
        path.isDue = false
        if let previous = path.previous { previous.next = path.next } else { first = path.next }
        if let next = path.next { next.previous = path.previous } else { last = path.previous }
        (path.next, path.previous) = (nil, nil)
    }

    /// The oldest due mark.
    var firstDue: MarkedPath? { first }

    // MARK: Patterns

    /// Keeps what a path needs that no longer matches its pattern.
    func keep(_ path: MarkedPath, _ text: [UInt8]) {
        path.leave(text)
        let former = orphans.updateValue(path, forKey: text)
        assert(former == nil, "two paths of one text")
    }

    /// Gives a path that matches again to its new attachment; nil if nothing was kept of it.
    func popOrphan(_ text: () -> [UInt8], for attachment: AttachmentID) -> MarkedPath? {
        guard !orphans.isEmpty, let path = orphans.removeValue(forKey: text()) else { return nil }
        path.join(attachment)
        return path
    }

    fileprivate func forget(_ path: MarkedPath) {
        if let text = path.text {
            orphans[text] = nil
        } else {
            session.marks.forget(path.attachment)
        }
    }

    /// Whether no path needs it.
    var isUseless: Bool { !hasDue && pacing == nil && orphans.isEmpty }
}

/// How often a subscription gets events of one path.
enum Pace {
    /// At most once in so many nanoseconds.
    case throttle(UInt64)
    /// Once there was no change for so many nanoseconds.
    case debounce(UInt64)
}

/// The pace of one subscription, and its paths whose times are still to come.
final class SubscriptionPace {
    let pace: Pace
    /// All of its paths are literal: they keep their paces as long as it lasts.
    let isLiteral: Bool
    /// The time of the initial events.
    var beganAt: MonotonicTime?
    /// Those whose marks become due, or that are forgotten then.
    var waiting = TimerQueue<MarkedPath>()
    /// When the next timer for ``waiting`` is due; the distant future if there is none.
    var armed = MonotonicTime.distantFuture

    init(_ pace: Pace, isLiteral: Bool) { (self.pace, self.isLiteral) = (pace, isLiteral) }

    var throttle: UInt64? { if case .throttle(let nanoseconds) = pace { nanoseconds } else { nil } }
    var debounce: UInt64? { if case .debounce(let nanoseconds) = pace { nanoseconds } else { nil } }

    /// Removes and returns the paths that are due.
    func popDue(at now: MonotonicTime) -> [MarkedPath] {
        var paths: [MarkedPath] = []
        while let path = waiting.popDue(at: now) { paths.append(path) }
        return paths
    }
}
