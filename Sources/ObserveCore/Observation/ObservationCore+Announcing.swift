// SPDX-License-Identifier: MIT
// Announces the reads, assignments and end of a model to this thread's context. Independent of values.

extension ObservationCore {
    /// Announces a read: the observer that this thread evaluates depends on the property; without one, the toolchain's.
    @usableFromInline func read(_ key: PropertyKey, holding type: any Any.Type, of model: AnyObject) {
        let isOwn = ObservationContext.tracking { $0.read(key, holding: type, in: self, of: model) }
        if !isOwn { withTracking { $0.access(key) } }
    }

    /// Whether the toolchain hears of reads and assignments.
    var isTracked: Bool {
        var isTracked = false
        withTracking { _ in isTracked = true }
        return isTracked
    }

    /// Announces an assignment of `value` in place of `current`. Call it only if ``isObservedEarly``.
    @usableFromInline func willAssign<Value>(_ key: PropertyKey, _ value: Value, inPlaceOf current: Value) {
        var isEqual: Bool?
        withTracking { isEqual = $0.willAssign(key, current, value) }
        guard hasProperties else { return }
        let areEqual = isEqual ?? Equality().isEqual(current, value)
        ObservationContext.using { willAssignInUse(key, isEqual: areEqual) }
    }

    /// Announces an assignment in advance. Call it only if ``isObservedEarly``.
    /// - Parameter isEqual: Whether the new value is known to equal the current one.
    @usableFromInline func willAssign(_ key: PropertyKey, isEqual: Bool) {
        withTracking { $0.willAssign(key, isEqual: isEqual) }
        guard hasProperties else { return }
        ObservationContext.using { willAssignInUse(key, isEqual: isEqual) }
    }

    private func willAssignInUse(_ key: PropertyKey, isEqual: Bool) {
        noteUse()
        ObservationContext.withCurrent { context in
            if let all = unsafe property(.objectWillChange) {
                unsafe context.notifyEarly(all, isEqual: false)
            }
            guard key != .objectWillChange else { return }
            if let one = unsafe property(key), unsafe one.pointee.earlyCount > 0 {
                unsafe context.notifyEarly(one, isEqual: isEqual)
            }
        }
    }

    /// Announces an assignment: the property's observers become stale. Outside a transaction, it notifies them before it returns.
    @usableFromInline func didAssign(_ key: PropertyKey) {
        withTracking { $0.didAssign(key) }
        ObservationContext.using {
            noteUse()
            if let hosting {
                touch(key, notifying: hosting)
            } else {
                touch(key)
            }
            endReleased()
        }
    }

    private func touch(_ key: PropertyKey, notifying hosting: any HostList) {
        ObservationContext.withCurrent { context in
            context.begin()
            hosting.didAssign(key)
            touch(key)
            context.end()
        }
    }

    @inline(__always) private func touch(_ key: PropertyKey) {
        guard let property = unsafe property(key), unsafe property.pointee.first != nil else { return }
        ObservationContext.withCurrent { context in
            unsafe context.refuseOwnInput(property)
            var next = unsafe property.pointee.first
            while let dependency = unsafe next {
                unsafe context.touch(dependency)
                unsafe next = dependency.pointee.next
            }
            context.commitIfOutermost()
        }
    }

    /// Ends the model's observations, lets others that read its properties be evaluated again, and frees the store: on the
    /// model's actor, if that is known. Only the toolchain hears of it on this thread: its observers take calls of any thread.
    func end() {
        withTracking { $0.end() }
        guard hasProperties else { return deallocate() }
        if let actor = unsafe record.pointee.home?.takeUnretainedValue().actor {
            actor.run { endHere() }
        } else {
            endHere()
        }
    }

    private func endHere() {
        ObservationContext.withCurrent { context in
            context.begin()
            noteUse()
            unsafe removeProperties { dependency, isModel in unsafe context.lose(dependency, isModel: isModel)
            }
            endReleased()
            context.end()
        }
        deallocate()
        ObservationContext.withCurrent { $0.releaseKeyPaths() }
    }
}
