// SPDX-License-Identifier: MIT
// What an observer reads is what it depends on. Knows nothing of when it is told.

extension Observer {
    /// Begins to observe. The end of `model` is the end of this.
    @usableFromInline
    func begin(on model: some ObservableModel) {
        sourcePosition = dependencyCount
        fix(.lifetime, holding: Never.self, of: model)
        begin()
    }

    /// Depends on a property whatever is read.
    @usableFromInline
    func fix(_ key: PropertyKey, holding type: any Any.Type, of model: some ObservableModel) {
        unsafe append(model.observationStore.core.property(key, holding: type, of: model))
        fixedCount = dependencyCount
    }

    func isSource(_ position: Int32) -> Bool { position == sourcePosition }

    /// What `body` reads is what the observer depends on from now on.
    @inlinable @inline(__always)
    func track<Value>(_ body: () -> Value) -> Value {
        let former = unsafe beginTracking()
        let value = body()
        unsafe endTracking(former)
        return value
    }

    @usableFromInline
    func beginTracking() -> UnsafeRawPointer? {
        unsafe ObservationContext.withCurrent { context in
            let (mark, former) = unsafe context.beginTracking(self)
            self.mark = mark
            cursor = fixedCount
            return unsafe former.map { unsafe UnsafeRawPointer($0.toOpaque()) }
        }
    }

    @usableFromInline
    func endTracking(_ former: UnsafeRawPointer?) {
        if cursor < dependencyCount { unlink(from: cursor) }
        ObservationContext.withCurrent { context in
            unsafe context.endTracking(former.map { unsafe Unmanaged.fromOpaque($0) })
        }
    }

    /// A property is read while the observer is being evaluated.
    @inline(__always)
    func read(_ key: PropertyKey, holding type: any Any.Type, in store: ObservationCore, of model: AnyObject)
    {
        if cursor < dependencyCount, let dependencies,
            let property = unsafe dependencies[Int(cursor)].property,
            unsafe property.pointee.key == key && property.pointee.store == store
        {
            unsafe property.pointee.mark = mark
            cursor &+= 1
            return
        }
        unsafe depart(to: store.property(key, holding: type, of: model))
    }

    /// What is read here is not what was read here the last time.
    private func depart(to property: UnsafeMutablePointer<ObservedProperty>) {
        if unsafe isCancelled || property.pointee.mark == mark { return }
        unsafe property.pointee.mark = mark
        if cursor == dependencyCount {
            unsafe append(property)
        } else if let dependencies {
            unsafe (dependencies + Int(cursor)).unlink()
            unsafe (dependencies + Int(cursor)).link(to: property)
        }
        cursor &+= 1
    }

    private func append(_ property: UnsafeMutablePointer<ObservedProperty>) {
        if dependencyCount == capacity { grow() }
        guard let dependencies else { return }
        let fresh = unsafe dependencies + Int(dependencyCount)
        unsafe fresh.initialize(
            to: Dependency(
                observer: Unmanaged.passUnretained(self),
                position: dependencyCount,
                key: property.pointee.key
            )
        )
        unsafe fresh.link(to: property)
        dependencyCount &+= 1
    }

    private func grow() {
        let larger = max(2, capacity &* 2)
        let fresh = UnsafeMutablePointer<Dependency>.allocate(capacity: Int(larger))
        if let dependencies {
            unsafe fresh.moveInitialize(from: dependencies, count: Int(dependencyCount))
            for index in 0..<Int(dependencyCount) { unsafe (fresh + index).moved() }
            unsafe dependencies.deallocate()
        }
        unsafe dependencies = fresh
        capacity = larger
    }

    func unlink(from start: Int32) {
        guard start < dependencyCount, let dependencies else { return }
        for index in start..<dependencyCount { unsafe (dependencies + Int(index)).unlink() }
        dependencyCount = start
    }
}

// MARK: - What was touched

/// The first of an observer's dependencies that was assigned, as it was before the observer read again.
struct TouchedProperty {
    let modelType: any Any.Type
    let key: PropertyKey
    let position: Int32
    /// How many properties were read before it.
    let depth: Int32
    /// It holds a model, or models.
    let leadsOn: Bool
    /// Something was read after it.
    let ledOn: Bool
}

extension Observer {
    func firstTouched() -> TouchedProperty? {
        guard let dependencies else { return nil }
        var position = touchedPosition
        // A model that is gone was found through the property before it.
        while position >= 0, unsafe !isAssignable(position) || dependencies[Int(position)].property == nil {
            position -= 1
        }
        guard position >= 0, let property = unsafe dependencies[Int(position)].property,
            let modelType = unsafe property.pointee.store.modelType
        else { return nil }
        var depth: Int32 = 0
        for earlier in 0..<position where isAssignable(earlier) { depth &+= 1 }
        return unsafe TouchedProperty(
            modelType: modelType,
            key: property.pointee.key,
            position: position,
            depth: depth,
            leadsOn: property.pointee.leadsOn,
            ledOn: leadsOn(from: position)
        )
    }

    /// Whether it depends on a property there, and not on the end of a model.
    @inline(__always)
    private func isAssignable(_ position: Int32) -> Bool {
        guard position < dependencyCount, let dependencies else { return false }
        return unsafe dependencies[Int(position)].key != .lifetime
    }

    /// Whether a property was read after the one there.
    private func leadsOn(from position: Int32) -> Bool {
        var next = position + 1
        while next < dependencyCount {
            if isAssignable(next) { return true }
            next += 1
        }
        return false
    }

    /// Why the value changed, once it was read again.
    @usableFromInline
    func cause() -> ChangeCauseOfValue {
        guard let touched else { return ChangeCauseOfValue(reason: .valueChanged) }
        let isEarlier = touched.leadsOn && (touched.ledOn || leadsOn(from: touched.position))
        return ChangeCauseOfValue(
            reason: isEarlier ? .pathChanged : .valueChanged,
            changedAt: ChangedProperty(
                modelType: touched.modelType,
                key: touched.key,
                depth: Int(touched.depth)
            )
        )
    }
}
