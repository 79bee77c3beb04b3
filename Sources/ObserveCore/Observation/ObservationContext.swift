// SPDX-License-Identifier: MIT
// The evaluations, commits and notifications of one thread. Independent of values.

import Synchronization

/// The engine of observations; each thread has one. It is empty between two calls from outside, so a queue or an
/// actor may change threads.
///
/// An assignment outside a transaction is a **commit** of its own; ``transaction(_:)`` makes one commit of several. Each assignment
/// *touches* the observers that depend on the property: they become stale. docs/internals/observation.md has the steps at the
/// commit's end. No observer sees a state in between, and all see the same changes in the same order.
@usableFromInline @safe final class ObservationContext {
    private static let contexts = ThreadLocal<ObservationContext>()
    private static let count = Atomic<UInt64>(0)

    /// The observer that is being evaluated.
    @safe private var tracked: Unmanaged<Observer>?
    /// The number of nested transactions, commits and evaluations.
    private var depth = 0
    #if DEBUG
        let use = ThreadUse()
    #endif
    private var isNotifying = false
    /// The number of the last evaluation, unique among all threads.
    private var mark: UInt64

    private var commitNumber: UInt64 = 0

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var queues = ObserverQueues()
    @safe private var runs = BindingRuns()

    /// The actor to which this thread's caller is isolated, as far as that is known.
    private var actor: (any Actor)?

    private init() { mark = Self.count.add(1, ordering: .relaxed).newValue << 40 }

    @inline(__always) static func withCurrent<R>(_ body: (ObservationContext) -> R) -> R {
        if let context = unsafe contexts.object { return unsafe context._withUnsafeGuaranteedRef(body) }
        return withNew(body)
    }

    private static func withNew<R>(_ body: (ObservationContext) -> R) -> R {
        let fresh = ObservationContext()
        contexts.set(fresh)
        return body(fresh)
    }

    /// Calls `body` with the observer that this thread is evaluating. Returns false if there is none.
    @inline(__always) static func tracking(_ body: (Observer) -> Void) -> Bool {
        guard let context = unsafe contexts.object else { return false }
        return unsafe context._withUnsafeGuaranteedRef { context in
            guard let observer = context.tracked else { return false }
            unsafe observer._withUnsafeGuaranteedRef(body)
            return true
        }
    }

    static var isTracking: Bool { withCurrent { unsafe $0.tracked != nil } }

    // MARK: Actors

    /// Runs `body`, whose observations belong to `actor`, on which the caller is; nil if none is known.
    @usableFromInline static func on<R>(_ actor: (any Actor)?, _ body: () -> R) -> R {
        withCurrent { context in
            let former = context.actor
            if actor == nil, former == nil { return body() }
            context.actor = actor
            defer { context.actor = former }
            return body()
        }
    }

    static var currentActor: (any Actor)? { withCurrent { $0.actor } }

    // MARK: Evaluations

    /// Begins an evaluation: `observer` depends on what is read from here on. Returns the observer that was being evaluated.
    func beginTracking(_ observer: Observer) -> Unmanaged<Observer>? {
        begin()
        mark &+= 1
        observer.beginReading(mark)
        let former = tracked
        tracked = unsafe Unmanaged.passUnretained(observer)
        ObservationGate.open()
        return unsafe former
    }

    func endTracking(_ former: Unmanaged<Observer>?) {
        ObservationGate.close()
        unsafe tracked = former
        end()
    }

    /// Runs `body`, whose reads add no dependencies.
    @inline(__always) func untracked(_ body: () -> Void) {
        let former = tracked
        tracked = nil
        body()
        unsafe tracked = former
    }

    /// Ends the process if the expression under evaluation reads what it now assigns: its value would never be final.
    @inline(__always) func refuseOwnInput(_ property: UnsafeMutablePointer<ObservedProperty>) {
        guard let observer = tracked else { return }
        unsafe observer._withUnsafeGuaranteedRef { observer in
            guard unsafe observer.dependencies.contains(property) else { return }
            let name = unsafe property.pointee.store.name(of: property.pointee.key)
            fatalError("\(name) is assigned by an expression that reads it, while an observer evaluates that")
        }
    }

    // MARK: Commits

    /// Begins a commit. Inside a commit, assignments belong to the outer one.
    @inline(__always) func begin() {
        beginUse()
        depth &+= 1
    }

    /// The counterpart of ``begin()``; the outermost one ends the commit.
    @inline(__always) func end() {
        depth &-= 1
        commitIfOutermost()
        endUse()
    }

    @inline(__always) func commitIfOutermost() { if depth == 0, queues.hasWork { commit() } }

    /// Notes that this commit changes a model of `host`.
    func concerns(_ host: any ModelHost) {
        runs.concernHost()
        queues.append(host)
    }

    /// Marks the observer of an assigned property as stale.
    @inline(__always) func touch(_ dependency: UnsafeMutablePointer<Dependency>) {
        let position = unsafe dependency.pointee.position
        unsafe dependency.pointee.observer._withUnsafeGuaranteedRef { touch($0, at: position) }
    }

    @inline(__always) private func touch(_ observer: Observer, at position: Int32) {
        if observer.runsInCommit { order(observer) }
        guard observer.staleness.touch(at: position) else { return }
        observer.queues.enter(ObjectIdentifier(self))
        queues.appendStale(observer)
    }

    /// Marks an observer as stale, of which no dependency was assigned.
    func touch(_ observer: Observer) {
        begin()
        touch(observer, at: -1)
        end()
    }

    /// Notes which binding touched this one.
    private func order(_ binding: Observer) {
        guard runs.isRunning else {
            if !binding.staleness.isStale { binding.order.touchFromOutside() }
            return
        }
        runs.touch(
            binding.number,
            &binding.order,
            isStale: binding.staleness.isStale,
            ranThisCommit: binding.order.lastCommit == commitNumber
        )
    }

    /// Marks the observer as stale, because the model of the dependency has ended; `isModel` if it was on the model itself.
    func lose(_ dependency: UnsafeMutablePointer<Dependency>, isModel: Bool) {
        unsafe dependency.pointee.observer._withUnsafeGuaranteedRef { observer in
            let position = unsafe dependency.pointee.position
            if isModel, observer.dependencies.isSource(position) { observer.staleness.hasLostSource = true }
            touch(observer, at: position)
        }
    }

    private func commit() {
        beginUse()
        depth = 1
        commitNumber &+= 1
        repeat {
            runBindings()
            while queues.hasHosts {
                notifyHosts()
                runBindings()
            }
            evaluateStale()
        } while queues.hasWork
        runs.removeAll()
        depth = 0
        notify()
        endUse()
    }

    private func runBindings() {
        while let reference = unsafe queues.popBinding() {
            unsafe reference._withUnsafeGuaranteedRef { binding in
                if binding.order.isEndless { skip(binding) } else { run(binding) }
                binding.queues.leave()
            }
        }
    }

    private func run(_ binding: Observer) {
        var property: ChangedProperty?
        #if DEBUG
            property = binding.touchedProperty?.changed
        #endif
        guard binding.evaluate() else { return }
        binding.order.lastCommit = commitNumber
        runs.begin(binding.number, binding.order, because: property)
        untracked { binding.notify() }
        runs.end()
    }

    /// Ends a cycle whose values never agree.
    private func skip(_ binding: Observer) {
        DeveloperNote.say(
            "bindings do not agree after \(BindingRuns.maxRounds) rounds, so they stop: "
                + runs.cycle(of: binding.number, binding.order)
        )
        binding.staleness.isStale = false
    }

    /// Whether a binding assigns because of its own assignment.
    static var isInRound: Bool { withCurrent { $0.runs.isRound } }

    private func evaluateStale() {
        queues.sortStale()
        var index = 0
        while unsafe index < queues.stale.count {
            let reference = unsafe queues.stale[index]
            unsafe reference._withUnsafeGuaranteedRef { observer in
                if observer.evaluate() {
                    unsafe queues.changed.append(reference)
                } else {
                    observer.queues.leave()
                }
            }
            index += 1
        }
        unsafe queues.stale.removeAll()
    }

    private func notifyHosts() {
        for host in queues.popHosts() {
            runs.beginHosts()
            host.commitWillNotify()
            runs.end()
        }
    }

    /// Within a transaction of a host: runs the bindings that its assignments made stale, then continues those assignments.
    /// Does nothing if the transaction is part of the program's own, or of a binding's run.
    func continueHost() {
        guard runs.isRunning ? runs.isHost : depth == 1 else { return }
        runs.end()
        runBindings()
        runs.beginHosts()
    }

    func endHost() {
        if runs.isHost { runs.end() }
        // Otherwise the commit at the transaction's end needs the causes.
        if depth == 1, !runs.isRunning, !queues.hasWork { runs.removeAll() }
    }

    // MARK: Notifying

    /// Notifies all queued observers. Returns at once if an outer call is notifying.
    @inline(__always) private func notify() {
        if isNotifying { return }
        isNotifying = true
        var index = 0
        while unsafe index < queues.changed.count {
            let reference = unsafe queues.changed[index]
            unsafe reference._withUnsafeGuaranteedRef { observer in
                untracked { observer.notify() }
                observer.queues.leave()
            }
            index += 1
        }
        unsafe queues.changed.removeAll()
        isNotifying = false
        if queues.hasCancelled {
            for observer in queues.popCancelled() { observer.freeCallbackIfCancelled() }
        }
        releaseKeyPaths()
    }

    func notifyingAfterwards(_ body: () -> Void) {
        beginUse()
        defer { endUse() }
        if isNotifying {
            untracked(body)
            return
        }
        isNotifying = true
        untracked(body)
        isNotifying = false
        if depth == 0 { notify() }
    }

    /// Notifies the property's early observers before an assignment.
    func notifyEarly(_ property: UnsafeMutablePointer<ObservedProperty>, isEqual: Bool) {
        var early: [(observer: Observer, position: Int32)] = []
        var next = unsafe property.pointee.first
        while let dependency = unsafe next {
            let observer = unsafe dependency.pointee.observer.takeUnretainedValue()
            if observer.isEarly { unsafe early.append((observer, dependency.pointee.position)) }
            unsafe next = dependency.pointee.next
        }
        untracked { for (observer, position) in early { observer.notifyEarly(position, isEqual: isEqual) } }
    }

    /// Retains an observer, which is cancelled, until all queues are empty.
    func retain(_ observer: Observer) { queues.retain(observer) }

    /// Retains key paths until ``releaseKeyPaths()``.
    func retain(_ keyPaths: [AnyKeyPath]) { queues.retain(keyPaths) }

    /// Releases the retained key paths. Call it while no list of dependencies is being changed.
    @inline(__always) func releaseKeyPaths() { if queues.hasKeyPaths { _ = queues.popKeyPaths() } }
}

/// Runs `body`, then notifies the observers of its assignments.
package func notifyingAfterwards(_ body: () -> Void) {
    ObservationContext.withCurrent { $0.notifyingAfterwards(body) }
}

/// Within a transaction of a host: runs the bindings that its assignments made stale. What it assigns next is their consequence.
package func continueHost() { ObservationContext.withCurrent { $0.continueHost() } }

/// Ends the assignments of a host that were continued.
package func endHost() { ObservationContext.withCurrent { $0.endHost() } }
