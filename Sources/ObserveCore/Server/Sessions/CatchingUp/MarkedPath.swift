// SPDX-License-Identifier: MIT
// One path of a subscription with a mark or a pace, and the paths below it. Independent of trees and sockets.

/// Below a path that is observed with `**`, the paths are a trie by their components. A mark covers all below it.
final class MarkedPath {
    let subscription: MarkedSubscription
    /// The attachment of the path, or of the observed one above it; `noRecord` if that no longer matches its pattern.
    var attachment: AttachmentID { parent?.attachment ?? ownAttachment }
    fileprivate var ownAttachment: AttachmentID
    var mark: Mark? { didSet { subscription.hold((mark?.heldBytes ?? 0) - (oldValue?.heldBytes ?? 0)) } }
    /// Where the subscription's list of due marks has it; -1 if that does not.
    fileprivate var dueIndex: Int32 = -1
    /// When its event may be sent. If it has no mark: until then, a throttled path gets no event.
    var time = MonotonicTime(nanoseconds: 0)
    /// Whether the timer queue holds it: once, even if its time changes.
    var isScheduled = false
    private(set) unowned(safe) var parent: MarkedPath?
    /// The component below the parent. Without a parent, the path as in a JSON string, if it no longer matches its pattern.
    fileprivate(set) var name: [UInt8] = []
    private var below: [[UInt8]: MarkedPath] = [:]

    /// About how many bytes of memory a path takes, with its places in maps and lists.
    static let bytes = 192
    /// How many more it takes with a name of its own: the name, and its place in the map by names.
    static let nameBytes = 96

    init(_ subscription: MarkedSubscription, _ attachment: AttachmentID) {
        self.subscription = subscription
        ownAttachment = attachment
        subscription.hold(MarkedPath.bytes)
    }

    // MARK: Marks

    /// Whether its event may be sent as soon as the socket takes more.
    var isDue: Bool { dueIndex >= 0 }

    @discardableResult func popMark() -> Mark? {
        guard let popped = mark else { return nil }
        subscription.removeDue(self)
        mark = nil
        return popped
    }

    // MARK: Below

    /// The path after the attachment's: nothing, or a dot and components, as in a JSON string.
    var suffix: ByteBuffer? {
        guard let parent else { return nil }
        let text = parent.suffix ?? ByteBuffer()
        text.append(0x2E)
        ByteView.with(name) { text.append($0) }
        return text
    }

    /// The path of a suffix, made if there is none.
    func path(below suffix: ByteView) -> MarkedPath {
        var path = self
        var start = 0
        while start < suffix.count {
            let end = suffix.endOfComponent(from: start + 1)
            path = path.child(suffix.slice(start + 1..<end).array)
            start = end
        }
        return path
    }

    private func child(_ name: [UInt8]) -> MarkedPath {
        if let known = below[name] { return known }
        let fresh = MarkedPath(subscription, ownAttachment)
        (fresh.parent, fresh.name) = (self, name)
        subscription.hold(MarkedPath.nameBytes)
        below[name] = fresh
        return fresh
    }

    /// The path of a suffix, or the marked one above it, which covers it; nil if neither is known.
    func known(_ suffix: ByteView) -> (path: MarkedPath, isCovering: Bool)? {
        var path = self
        var start = 0
        while start < suffix.count {
            if path.mark != nil { return (path, true) }
            let end = suffix.endOfComponent(from: start + 1)
            guard let next = path.below[suffix.slice(start + 1..<end).array] else { return nil }
            (path, start) = (next, end)
        }
        return (path, false)
    }

    var hasMarksBelow: Bool { below.values.contains { $0.mark != nil || $0.hasMarksBelow } }

    /// Removes the marks below, which the path's own event covers. Returns their debt.
    @discardableResult func popMarksBelow() -> Mark.Debt {
        var debt = Mark.Debt.none
        for path in Array(below.values) {
            debt = max(debt, path.popMarksBelow(), path.popMark()?.debt ?? .none)
            path.removeIfUseless()
        }
        return debt
    }

    /// Removes the path if it has neither a mark, a pace nor paths below; likewise those above.
    func forgetIfUseless() { if removeIfUseless() { parent?.forgetIfUseless() } }

    @discardableResult private func removeIfUseless() -> Bool {
        guard mark == nil, !isScheduled, below.isEmpty else { return false }
        if parent == nil, subscription.pace?.isLiteral == true { return false }
        let isNamed = parent != nil || attachment == .noRecord
        subscription.hold(-MarkedPath.bytes - (isNamed ? MarkedPath.nameBytes : 0))
        if let parent { parent.below[name] = nil } else { subscription.forget(self) }
        return true
    }
}

/// The paths of one subscription that have marks or paces.
/// - Bounds: one mark for each observed path, and below `**` one for each changed property. A mark covers those below.
final class MarkedSubscription {
    let number: Int32
    unowned let session: Session
    /// What its paths share; `noRecord` if it has only one.
    let compound: CompoundID
    /// The attachments whose initial events are still to be sent, the first of them last.
    var initial: [AttachmentID] = []
    /// Nil without `throttle` and `debounce`.
    let pace: Pace?
    /// The time of the initial events, for `throttle`.
    var beganAt: MonotonicTime?
    /// The subscription's frame has begun in the client's output, and has no end yet.
    var hasOpenFrame = false
    /// Whether the session's list of subscriptions that are behind has it.
    var isBehind = false
    private(set) var isOver = false
    private var heldBytes = 0
    /// Paths that no longer match a pattern, by their texts.
    private var orphans: [[UInt8]: MarkedPath] = [:]
    /// The paths with due marks, the oldest first; nil for those whose marks were sent or removed.
    private var due: ContiguousArray<MarkedPath?> = []
    private var dueCount = 0
    /// The first of them that may not be nil.
    private var head = 0

    init(_ number: Int32, _ compound: CompoundID, _ session: Session, _ pace: Pace? = nil) {
        (self.number, self.compound, self.session, self.pace) = (number, compound, session, pace)
    }

    fileprivate func hold(_ bytes: Int) {
        if isOver || bytes == 0 { return }
        heldBytes += bytes
        session.delivery.further.markedBytes += bytes
    }

    var hasDue: Bool { dueCount > 0 || !initial.isEmpty }

    /// Ends it. Its paths keep their memory until their attachments are removed, and those in the timer queue until that
    /// forgets them: see ``Clients/removeMootReleases(of:)``.
    func end() {
        guard !isOver else { return }
        // By their memory: one path in the timer queue may keep large values, and many paths below it.
        if pace != nil { session.delivery.further.mootReleases += heldBytes / MarkedPath.bytes }
        hold(-heldBytes)
        isOver = true
        // Those would keep it.
        (due, dueCount, head, initial, orphans) = ([], 0, 0, [], [:])
    }

    // MARK: Due marks

    func appendDue(_ path: MarkedPath) {
        guard !path.isDue, !isOver else { return }
        if due.count > 2 * dueCount + 64 {
            due.removeAll { $0 == nil }
            for (index, path) in due.enumerated() { path?.dueIndex = Int32(index) }
            head = 0
        }
        path.dueIndex = Int32(due.count)
        due.append(path)
        dueCount += 1
    }

    func removeDue(_ path: MarkedPath) {
        guard path.isDue, !isOver else { return }
        due[Int(path.dueIndex)] = nil
        path.dueIndex = -1
        dueCount -= 1
        if dueCount == 0 {
            due.removeAll(keepingCapacity: due.count <= 64)
            head = 0
        }
    }

    var firstDue: MarkedPath? {
        while head < due.count, due[head] == nil { head += 1 }
        return head < due.count ? due[head] : nil
    }

    /// Moves the debt of the first due mark to the next one, so that the first needs no event. Returns false if there is none to
    /// get it: then the first needs its event.
    func moveDebtToNext() -> Bool {
        guard let debt = firstDue?.mark?.debt, debt != .none else { return true }
        let next = due[(head + 1)...].lazy.compactMap(\.self).first
        next?.mark?.owe(debt)
        return next != nil
    }

    // MARK: Patterns

    /// Keeps what a path needs that no longer matches its pattern.
    func keep(_ path: MarkedPath, _ text: [UInt8]) {
        (path.ownAttachment, path.name) = (.noRecord, text)
        let former = orphans.updateValue(path, forKey: text)
        assert(former == nil, "two paths of one text")
        hold(MarkedPath.nameBytes)
    }

    /// Gives a path that matches again to its new attachment; nil if nothing was kept of it.
    func popOrphan(_ text: () -> [UInt8], for attachment: AttachmentID) -> MarkedPath? {
        guard !orphans.isEmpty, let path = orphans.removeValue(forKey: text()) else { return nil }
        (path.ownAttachment, path.name) = (attachment, [])
        hold(-MarkedPath.nameBytes)
        return path
    }

    fileprivate func forget(_ path: MarkedPath) {
        if path.attachment == .noRecord {
            orphans[path.name] = nil
        } else {
            session.marks.forget(path.attachment)
        }
    }

    var isUseless: Bool { !hasDue && pace == nil && orphans.isEmpty }
}

struct Pace {
    /// At most once in so many nanoseconds; 0 without `throttle`.
    var throttle: UInt64 = 0
    /// Once there was no change for so many nanoseconds; 0 without `debounce`.
    var debounce: UInt64 = 0
    /// All paths of the subscription are literal: they keep their paces as long as it lasts.
    var isLiteral = false
}
