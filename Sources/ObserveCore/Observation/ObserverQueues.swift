// SPDX-License-Identifier: MIT
// The observers and hosts that wait in one thread's commits. Independent of evaluations and notifications.

/// The queues of one thread: stale bindings, stale observers, observers to notify, and hosts.
/// - Bounds: a queue has an observer at most once. Queues do not retain observers: that would double the cost of a
///   commit. An observer that is cancelled while a queue has it is retained until all queues are empty.
/// - Threading: confined to its context.
@safe struct ObserverQueues: ~Copyable {
    private var bindings = Heap<StaleBinding>()
    /// Counts the bindings that became stale.
    private var turn: UInt64 = 0
    var stale = unsafe Scratch<Unmanaged<Observer>>()
    private var isStaleInOrder = true
    /// Those that must be notified.
    var changed = unsafe Scratch<Unmanaged<Observer>>()
    /// Observers that were cancelled while a queue had them.
    private var cancelled: [Observer] = []
    /// The key paths of properties that lost their last dependency. Their subscripts may hold any object.
    private var keyPaths: [AnyKeyPath] = []
    /// The hosts of the models that changed in this commit.
    private var hosts: [any ModelHost] = []

    @inline(__always) var hasHosts: Bool { !hosts.isEmpty }

    @inline(__always) var hasWork: Bool { unsafe stale.count &+ bindings.count > 0 || hasHosts }

    @inline(__always) mutating func appendStale(_ observer: Observer) {
        if observer.runsInCommit { return appendBinding(observer) }
        let isEarlier = unsafe stale.last?._withUnsafeGuaranteedRef { $0.number > observer.number } ?? false
        if isEarlier { isStaleInOrder = false }
        unsafe stale.append(Unmanaged.passUnretained(observer))
    }

    private mutating func appendBinding(_ binding: Observer) {
        turn &+= 1
        let reference = unsafe Unmanaged.passUnretained(binding)
        unsafe bindings.insert(StaleBinding(height: binding.order.height, turn: turn, binding: reference))
    }

    /// Removes the stale binding that must run first.
    mutating func popBinding() -> Unmanaged<Observer>? {
        while bindings.count > 0 {
            let first = bindings.removeFirst()
            let hasGrown = unsafe first.binding._withUnsafeGuaranteedRef { binding in
                guard binding.order.height > first.height else { return false }
                appendBinding(binding)
                return true
            }
            if !hasGrown { return unsafe first.binding }
        }
        return nil
    }

    /// Sorts the stale observers by the order in which they began.
    mutating func sortStale() {
        if isStaleInOrder { return }
        unsafe stale.sort { left, right in
            let number = unsafe left._withUnsafeGuaranteedRef { $0.number }
            return unsafe right._withUnsafeGuaranteedRef { number < $0.number }
        }
        isStaleInOrder = true
    }

    mutating func retain(_ observer: Observer) { cancelled.append(observer) }

    @inline(__always) var hasCancelled: Bool { !cancelled.isEmpty }

    /// Removes the retained observers. The caller releases them: their callbacks may hold objects that cancel others.
    mutating func popCancelled() -> [Observer] {
        var popped: [Observer] = []
        swap(&popped, &cancelled)
        return popped
    }

    mutating func retain(_ keyPaths: [AnyKeyPath]) { self.keyPaths += keyPaths }

    @inline(__always) var hasKeyPaths: Bool { !keyPaths.isEmpty }

    /// Removes the retained key paths. The caller releases them.
    mutating func popKeyPaths() -> [AnyKeyPath] {
        var popped: [AnyKeyPath] = []
        swap(&popped, &keyPaths)
        return popped
    }

    mutating func append(_ host: any ModelHost) {
        if !hosts.contains(where: { $0 === host }) { hosts.append(host) }
    }

    mutating func popHosts() -> [any ModelHost] {
        let popped = hosts
        hosts.removeAll(keepingCapacity: true)
        return popped
    }
}

/// A stale binding in its queue. The lowest height comes first, then the binding that became stale first.
@safe struct StaleBinding: Comparable {
    let height: Int
    let turn: UInt64
    let binding: Unmanaged<Observer>

    static func < (left: StaleBinding, right: StaleBinding) -> Bool {
        (left.height, left.turn) < (right.height, right.turn)
    }

    static func == (left: StaleBinding, right: StaleBinding) -> Bool { left.turn == right.turn }
}
