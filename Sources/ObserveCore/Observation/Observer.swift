// SPDX-License-Identifier: MIT
// One observer and its state. Independent of threads, and of values, which its step function handles.

import Synchronization

/// The engine's calls to an observer.
@usableFromInline enum ObserverStep {
    /// Read the value for the first time, and notify of it if that was requested.
    case begin
    /// Read the value again. Returns whether the observer must be notified.
    /// - `owesChange`: the observer was notified before the change, so it must be notified even of an equal value.
    case evaluate(owesChange: Bool)
    /// Notify of the oldest change that was evaluated.
    case notify
    /// Notify before a change. Returns whether it did.
    case prior(isEqual: Bool)
    /// The source has ended. Returns whether the observer must be notified.
    case sourceDeleted
}

/// When an observer is evaluated and notified.
@usableFromInline enum ObserverRole {
    /// Notified after the commit.
    case observer
    /// Runs within the commit, before observers are notified.
    case binding
    /// Notified before each assignment, and never after.
    case willChange
    /// Waits for the end of its source alone. It is part of another observer or of a host, and runs as a binding does.
    case watcher
}

/// A callback that depends on the properties it reads.
/// - Threading: as the models'.
/// - Order: observers are notified in the order in which they began.
@usableFromInline @safe final class Observer {
    private static let count = Atomic<UInt64>(0)

    let role: ObserverRole
    /// Whether it is notified before assignments.
    let isEarly: Bool
    private let needsCause: Bool
    /// Counts observers in the order in which they began.
    let number = Observer.count.add(1, ordering: .relaxed).newValue
    private let site = ObservationSite()
    private let life = Atomic(ObserverLife.active)
    /// The home of its model; nil before it begins, and after it is cancelled.
    var home: ObservationHome?
    /// The address of another observer of the home whose token was released before.
    var nextReleased: UInt = 0

    /// Retained until the observer is cancelled.
    @safe private var callback: Unmanaged<ObserverCallback>?
    /// Whether it ends with an object that it changes or calls.
    private var hasTarget = false
    /// The number of calls that have not returned.
    private var calls: Int32 = 0
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private(set) var dependencies = DependencyList()
    var staleness = TouchState()
    var order = BindingOrder()
    var queues = QueueMembership()
    /// Whether it was notified before a change, and not yet after it.
    private var owesChange = false
    /// The observers that make it stale or end it, and end with it.
    private var parts: [Observer] = []
    /// Whether it retains itself until it is cancelled.
    private var isKept = false
    var toolchainUse = ToolchainUse.unknown {
        didSet { isPlain.store(toolchainUse.isNone, ordering: .relaxed) }
    }
    /// Atomic, since its load needs no check of exclusive access.
    private let isPlain = Atomic(false)

    @usableFromInline init(
        role: ObserverRole,
        options: ObservingOptions,
        needsCause: Bool,
        step: @escaping (Observer, ObserverStep) -> Bool
    ) {
        self.role = role
        isEarly = role == .willChange || options.contains(.prior)
        self.needsCause = needsCause
        callback = unsafe Unmanaged.passRetained(ObserverCallback(step))
    }

    deinit {
        toolchainUse.removeAll()
        dependencies.deallocate()
        unsafe callback?.release()
    }

    /// Whether it is evaluated within the commit, before observers are.
    @inline(__always) var runsInCommit: Bool { role == .binding || role == .watcher }

    // MARK: Dependencies

    func fix(_ key: PropertyKey, holding type: any Any.Type, in store: ObservationCore, of model: AnyObject) {
        store.noteUse()
        unsafe dependencies.fix(
            store.property(key, holding: type, of: model, in: home),
            isSource: key == .lifetime,
            of: self
        )
        if store.leadsToToolchain { toolchainUse.notePossible() }
    }

    /// Whether its models lead to no object with `@Observable`.
    @usableFromInline var readsNoToolchain: Bool { isPlain.load(ordering: .relaxed) }

    func beginReading(_ mark: UInt64) { dependencies.beginReading(mark) }

    func endReading() { dependencies.endReading() }

    /// Adds a dependency on a property that the evaluation reads.
    @inline(__always)
    func read(_ key: PropertyKey, holding type: any Any.Type, in store: ObservationCore, of model: AnyObject)
    {
        store.noteUse()
        if dependencies.readsAgain(key, in: store) || isCancelled { return }
        unsafe dependencies.read(store.property(key, holding: type, of: model, in: home), of: self)
        if store.leadsToToolchain { toolchainUse.notePossible() }
    }

    // MARK: Becoming stale

    var subject: String {
        let properties = dependencies.properties.filter { $0.key != .objectWillChange }
        let names = properties.map { $0.store.name(of: $0.key) }
        return names.isEmpty ? "\(role)" : "\(role) of \(names.joined(separator: ", "))"
    }

    var description: String { site.text.map { "\(subject) at \($0)" } ?? subject }

    /// Whether it depends on its source's lifetime alone.
    var readsNothing: Bool { dependencies.hasOnlySource && toolchainUse.reads == nil }

    var touchedProperty: TouchedProperty? { dependencies.touchedProperty(at: staleness.position) }

    // MARK: Steps

    /// Reads the value for the first time. Returns false if it has no value to read.
    func begin() -> Bool {
        defer { freeCallbackIfCancelled() }
        return perform(.begin)
    }

    /// Evaluates it, or ends it if its token, its target or its source has ended. Returns whether it must be notified.
    @inline(__always) func evaluate() -> Bool {
        staleness.isStale = false
        guard isActive, !hasLostTarget, !staleness.hasLostSource || perform(.sourceDeleted) else {
            cancel()
            return false
        }
        if staleness.hasLostSource { return true }
        if needsCause { staleness.touched = touchedProperty }
        guard perform(.evaluate(owesChange: owesChange)) else { return false }
        owesChange = false
        return true
    }

    /// Notifies of the oldest change. If its token was released since that was evaluated, it ends instead: its source may have
    /// ended, and then no later change would end it.
    @inline(__always) func notify() { if isActive { _ = perform(.notify) } else { cancel() } }

    /// Notifies before a change, once for each change.
    func notifyEarly(_ position: Int32, isEqual: Bool) {
        if !isActive || owesChange { return }
        staleness.position = position
        staleness.touched = touchedProperty
        owesChange = perform(.prior(isEqual: isEqual)) && role != .willChange
        freeCallbackIfCancelled()
    }

    @inline(__always) private func perform(_ step: ObserverStep) -> Bool {
        calls &+= 1
        defer { calls &-= 1 }
        guard let callback else { return false }
        return unsafe callback._withUnsafeGuaranteedRef { $0.call(self, step) }
    }

    @usableFromInline func cause() -> (reason: ChangeReason, changedAt: ChangedProperty?) {
        guard let touched = staleness.touched else { return (.valueChanged, nil) }
        let leadsOn =
            touched.ledOn || dependencies.leadsOn(from: touched.position) || toolchainUse.reads != nil
        return (touched.leadsOn && leadsOn ? .pathChanged : .valueChanged, touched.changed)
    }

    // MARK: Ending

    /// Whether it may still be evaluated and notified.
    @inline(__always) var isActive: Bool { life.load(ordering: .relaxed) == .active }

    var isCancelled: Bool { life.load(ordering: .relaxed) == .cancelled }

    /// Ends it, on any thread: it is not called any more. It remains to be cancelled at home. Returns false if it is cancelled.
    func release() -> Bool {
        life.compareExchange(expected: .active, desired: .released, ordering: .relaxed).exchanged
    }

    func own(_ parts: [Observer]) {
        self.parts += parts
        if home == nil { home = parts.lazy.compactMap(\.home).first }
    }

    /// Whether the object with which it ends has ended.
    @inline(__always) var hasLostTarget: Bool {
        guard hasTarget, let callback else { return false }
        return unsafe callback._withUnsafeGuaranteedRef { $0.target == nil }
    }

    func setTarget(_ object: AnyObject) {
        unsafe callback?._withUnsafeGuaranteedRef { $0.target = object }
        hasTarget = true
    }

    /// Ends the observation: the observer is never evaluated or notified again.
    @usableFromInline func cancel() {
        if isCancelled { return }
        // Another thread may release the token as soon as the observer is cancelled.
        let own = unsafe Unmanaged.passRetained(self)
        defer { unsafe own.release() }
        ObservationContext.using {
            if queues.isQueued { ObservationContext.withCurrent { $0.retain(self) } }
            life.store(.cancelled, ordering: .relaxed)
            dependencies.removeAll()
            toolchainUse.removeAll()
            toolchainUse = .none
            home = nil
        }
        let former = parts
        parts = []
        for part in former { part.cancel() }
        if !queues.isQueued { freeCallbackIfCancelled() }
        ObservationContext.withCurrent { $0.releaseKeyPaths() }
        if isKept {
            isKept = false
            unsafe own.release()
        }
    }

    /// Marks it as stale without an assignment: one of its parts has a value or has ended, or a toolchain's object has changed.
    func touchByPart() {
        guard isActive else { return cancel() }
        ObservationContext.withCurrent { $0.touch(self) }
    }

    /// Frees the callback, and whatever that captures, unless a call of it has not returned.
    func freeCallbackIfCancelled() {
        guard isCancelled, calls == 0 else { return }
        guard let former = callback else { return }
        callback = nil
        unsafe former.release()
    }

    /// Retains itself until it is cancelled or the source has ended.
    @usableFromInline func keep() {
        guard !isKept, !isCancelled else { return }
        isKept = true
        _ = unsafe Unmanaged.passRetained(self)
    }
}

// MARK: - State

private enum ObserverLife: UInt8, AtomicRepresentable {
    case active
    /// Its token was released, on any thread.
    case released
    /// It depends on nothing any more.
    case cancelled
}

/// An observer's step function, and the object that it changes or calls, if it ends with that.
private final class ObserverCallback {
    /// Constant, so that a call does not retain it.
    let call: (Observer, ObserverStep) -> Bool
    weak var target: AnyObject?

    init(_ call: @escaping (Observer, ObserverStep) -> Bool) { self.call = call }
}

/// Whether an observer must be evaluated, and the touch that caused it.
struct TouchState {
    /// Whether it was touched since its last evaluation.
    var isStale = false
    /// Whether the observed model has ended.
    var hasLostSource = false
    /// The first touched dependency; -1 if it was touched by something else.
    var position: Int32 = 0
    /// The property there, if the observer needs the cause.
    var touched: TouchedProperty?

    /// Notes that the dependency at `position` was assigned. Returns whether the observer was not stale before.
    @inline(__always) mutating func touch(at position: Int32) -> Bool {
        if isStale {
            // -1 is the largest.
            self.position = Int32(
                bitPattern: min(UInt32(bitPattern: self.position), UInt32(bitPattern: position))
            )
            return false
        }
        isStale = true
        self.position = position
        return true
    }
}

/// The queues of a context that have the observer, unretained.
struct QueueMembership {
    private var count: Int32 = 0
    private var context: ObjectIdentifier?

    var isQueued: Bool { count > 0 }

    @inline(__always) mutating func enter(_ context: ObjectIdentifier) {
        assert(
            count == 0 || self.context == context,
            "models that are observed together belong to one queue, actor or thread"
        )
        count &+= 1
        self.context = context
    }

    @inline(__always) mutating func leave() { count &-= 1 }
}
