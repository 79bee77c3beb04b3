// SPDX-License-Identifier: MIT
// What one thread is observing at the moment: evaluations, commits, what waits to be told. Knows nothing of values.

import Synchronization

/// One thread's observing. Between two calls from outside it is empty, so a queue or an actor may change threads.
///
/// An assignment outside a transaction is a **commit** of its own; ``transaction(_:)`` makes one commit of several.
/// 1. Each assignment *touches* the observers that depend on the property: they are stale.
/// 2. When the commit ends it *settles*: stale bindings run, and what they assign belongs to the commit, until none is
///    stale. (A binding that was made stale a hundred times in one commit is in a cycle, and left alone until the next.)
///    Then each stale observer is evaluated, once, in the order in which they began: so nobody sees a state in between.
/// 3. What came out different waits in a queue and is *told* in that order. An observer that assigns makes a new
///    commit, which is settled at once and told after all that waits: everyone sees the same changes in the same order.
@usableFromInline
@safe
final class ObservationContext {
    private static let contexts = ThreadLocal<ObservationContext>()
    private static let count = Atomic<UInt64>(0)

    /// Who is being evaluated.
    @safe @exclusivity(unchecked) private var tracked: Unmanaged<Observer>?
    /// How many transactions, commits and evaluations are under way, one in another.
    @safe @exclusivity(unchecked) private var depth = 0
    @safe @exclusivity(unchecked) private var isTelling = false
    /// The number of the last evaluation; no other thread has the same.
    @safe @exclusivity(unchecked) private var mark: UInt64

    @safe @exclusivity(unchecked) private var commitNumber: UInt64 = 0

    // Observers are in these lists unretained: see `Observer.listed`.

    @safe @exclusivity(unchecked) private var staleBindings = unsafe Scratch<Unmanaged<Observer>>()
    @safe @exclusivity(unchecked) private var stale = unsafe Scratch<Unmanaged<Observer>>()
    @safe @exclusivity(unchecked) private var isStaleInOrder = true
    @safe @exclusivity(unchecked) private var waiting = unsafe Scratch<Unmanaged<Observer>>()
    /// Observers that were cancelled while they were in a list.
    @safe @exclusivity(unchecked) private var cancelled: [Observer] = []
    /// Whose models changed in this commit.
    @safe @exclusivity(unchecked) private var hosts: [any ModelHost] = []

    private init() {
        mark = Self.count.add(1, ordering: .relaxed).newValue << 40
    }

    @inline(__always)
    static func withCurrent<R>(_ body: (ObservationContext) -> R) -> R {
        if let context = unsafe contexts.object { return unsafe context._withUnsafeGuaranteedRef(body) }
        return withNew(body)
    }

    private static func withNew<R>(_ body: (ObservationContext) -> R) -> R {
        let fresh = ObservationContext()
        contexts.set(fresh)
        return body(fresh)
    }

    /// Calls `body` with the observer that this thread is evaluating, if there is one.
    @inline(__always)
    static func tracking(_ body: (Observer) -> Void) {
        guard let context = unsafe contexts.object else { return }
        unsafe context._withUnsafeGuaranteedRef { context in
            if let observer = context.tracked { unsafe observer._withUnsafeGuaranteedRef(body) }
        }
    }

    // MARK: Evaluations

    /// What is read from here on is read for `observer`.
    /// - Returns: The number of the evaluation, and for whom was read before.
    func beginTracking(_ observer: Observer) -> (mark: UInt64, former: Unmanaged<Observer>?) {
        depth &+= 1
        mark &+= 1
        let former = tracked
        tracked = unsafe Unmanaged.passUnretained(observer)
        ObservationGate.open()
        return unsafe (mark, former)
    }

    func endTracking(_ former: Unmanaged<Observer>?) {
        ObservationGate.close()
        unsafe tracked = former
        end()
    }

    /// Runs `body` without taking what it reads for what the observer reads.
    @inline(__always)
    func untracked(_ body: () -> Void) {
        let former = tracked
        tracked = nil
        body()
        unsafe tracked = former
    }

    // MARK: Commits

    /// What is assigned from here on belongs to one commit.
    func begin() { depth &+= 1 }

    /// Ends what ``begin()`` began; the outermost one ends the commit.
    func end() {
        depth &-= 1
        commitIfOutermost()
    }

    @inline(__always)
    func commitIfOutermost() {
        if depth == 0, unsafe stale.count &+ staleBindings.count > 0 || !hosts.isEmpty { commit() }
    }

    /// The host's models change in this commit.
    func concerns(_ host: any ModelHost) {
        if !hosts.contains(where: { $0 === host }) { hosts.append(host) }
    }

    /// Something the observer depends on was assigned.
    @inline(__always)
    func touch(_ dependency: UnsafeMutablePointer<Dependency>) {
        let position = unsafe dependency.pointee.position
        unsafe dependency.pointee.observer._withUnsafeGuaranteedRef { touch($0, at: position) }
    }

    @inline(__always)
    private func touch(_ observer: Observer, at position: Int32) {
        if observer.isStale {
            observer.touchedPosition = min(observer.touchedPosition, position)
            return
        }
        observer.isStale = true
        observer.touchedPosition = position
        observer.enlist(self)
        let reference = unsafe Unmanaged.passUnretained(observer)
        if observer.role == .binding {
            unsafe staleBindings.append(reference)
            return
        }
        if let last = unsafe stale.last, unsafe last._withUnsafeGuaranteedRef({ $0.number > observer.number })
        {
            isStaleInOrder = false
        }
        unsafe stale.append(reference)
    }

    /// A model is gone, and with it a dependency.
    func lost(_ dependency: UnsafeMutablePointer<Dependency>, isModel: Bool) {
        unsafe dependency.pointee.observer._withUnsafeGuaranteedRef { observer in
            let position = unsafe dependency.pointee.position
            if isModel, observer.isSource(position) { observer.hasLostSource = true }
            touch(observer, at: position)
        }
    }

    private func commit() {
        depth = 1
        commitNumber &+= 1
        repeat {
            settle()
            evaluateStale()
            if unsafe staleBindings.count == 0 && stale.count == 0 { tellHosts() }
        } while unsafe staleBindings.count > 0 || stale.count > 0 || !hosts.isEmpty
        depth = 0
        tell()
    }

    private func settle() {
        var index = 0
        while unsafe index < staleBindings.count {
            unsafe staleBindings[index]._withUnsafeGuaranteedRef { binding in
                if binding.mayRun(in: commitNumber) {
                    if binding.evaluate(in: self) { untracked { binding.tell() } }
                } else {
                    binding.isStale = false
                }
                binding.delist()
            }
            index += 1
        }
        unsafe staleBindings.removeAll()
    }

    private func evaluateStale() {
        if !isStaleInOrder {
            unsafe stale.sort { left, right in
                let number = unsafe left._withUnsafeGuaranteedRef { $0.number }
                return unsafe right._withUnsafeGuaranteedRef { number < $0.number }
            }
            isStaleInOrder = true
        }
        var index = 0
        while unsafe index < stale.count {
            let reference = unsafe stale[index]
            unsafe reference._withUnsafeGuaranteedRef { observer in
                if observer.evaluate(in: self) {
                    unsafe waiting.append(reference)
                } else {
                    observer.delist()
                }
            }
            index += 1
        }
        unsafe stale.removeAll()
    }

    /// What they assign belongs to the commit.
    private func tellHosts() {
        let settled = hosts
        hosts.removeAll(keepingCapacity: true)
        for host in settled { host.commitDidSettle() }
    }

    // MARK: Telling

    /// Tells all that waits, unless that is under way already.
    private func tell() {
        if isTelling { return }
        isTelling = true
        var index = 0
        while unsafe index < waiting.count {
            unsafe waiting[index]._withUnsafeGuaranteedRef { observer in
                untracked { observer.tell() }
                observer.delist()
            }
            index += 1
        }
        unsafe waiting.removeAll()
        isTelling = false
        if !cancelled.isEmpty { cancelled.removeAll() }
    }

    /// Runs `body`, and tells what it causes only afterwards.
    func telling(_ body: () -> Void) {
        if isTelling {
            untracked(body)
            return
        }
        isTelling = true
        untracked(body)
        isTelling = false
        if depth == 0 { tell() }
    }

    /// Keeps an observer for as long as it may be in a list.
    func keep(_ observer: Observer) { cancelled.append(observer) }

    /// Tells those who want to know before the property is assigned.
    func tellEarly(_ property: UnsafeMutablePointer<ObservedProperty>, isEqual: Bool) {
        var early: [(observer: Observer, position: Int32)] = []
        var next = unsafe property.pointee.first
        while let dependency = unsafe next {
            let observer = unsafe dependency.pointee.observer.takeUnretainedValue()
            if observer.isEarly { unsafe early.append((observer, dependency.pointee.position)) }
            unsafe next = dependency.pointee.next
        }
        untracked {
            for (observer, position) in early { observer.tellEarly(position, isEqual: isEqual) }
        }
    }
}
