// SPDX-License-Identifier: MIT
// Reads, assignments and the end of a model, announced to this thread's context. Independent of values.

extension ObservationCore {
    /// A property is being read: the observer that this thread evaluates depends on it.
    @usableFromInline
    func read(_ key: PropertyKey, holding type: any Any.Type, of model: AnyObject) {
        ObservationContext.tracking { $0.read(key, holding: type, in: self, of: model) }
    }

    /// A property is about to be assigned, and an early observer depends on the model.
    /// - Parameter isEqual: The new value is known to be equal to the present one.
    @usableFromInline
    func willAssign(_ key: PropertyKey, isEqual: Bool) {
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

    /// A property was assigned: its observers are stale. Outside a transaction they are evaluated and notified before
    /// this returns.
    @usableFromInline
    func didAssign(_ key: PropertyKey) {
        if let hosting = unsafe record.pointee.hosting { return didAssign(key, notifying: hosting) }
        touch(key)
    }

    private func didAssign(_ key: PropertyKey, notifying hosting: any HostList) {
        ObservationContext.withCurrent { context in
            context.begin()
            hosting.didAssign(key)
            touch(key)
            context.end()
        }
    }

    private func touch(_ key: PropertyKey) {
        guard let property = unsafe property(key), var dependency = unsafe property.pointee.first else {
            return
        }
        ObservationContext.withCurrent { context in
            while true {
                unsafe context.touch(dependency)
                guard let next = unsafe dependency.pointee.next else { break }
                unsafe dependency = next
            }
            context.commitIfOutermost()
        }
    }

    /// Until ``endModifying()`` no observer is evaluated.
    @usableFromInline
    func beginModifying() { ObservationContext.withCurrent { $0.begin() } }

    @usableFromInline
    func endModifying() { ObservationContext.withCurrent { $0.end() } }

    /// The model is gone. Its observers end, and those that read a property through it read again.
    func end() {
        if hasProperties {
            ObservationContext.withCurrent { context in
                context.begin()
                unsafe removeProperties { dependency, isModel in
                    unsafe context.lose(dependency, isModel: isModel)
                }
                context.end()
            }
        }
        deallocate()
    }
}
