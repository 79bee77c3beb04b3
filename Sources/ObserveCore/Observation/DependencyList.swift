// SPDX-License-Identifier: MIT
// The dependencies of one observer: the properties that its last evaluation read, and the records that link it to them.
// Independent of values and notifications.

/// The properties an observer depends on, in the order in which it reads them.
/// - Bounds: `fixedCount <= count <= capacity`. `cursor` and `mark` are defined only during an evaluation.
/// - Cost: an evaluation compares each property that it reads with the previous one at that position. It links only
///   those that differ, and allocates only for more properties than ever before.
@safe struct DependencyList: ~Copyable {
    @safe private var records: UnsafeMutablePointer<Dependency>?
    private var capacity: Int32 = 0
    private var count: Int32 = 0
    /// The number of fixed dependencies. They come first, and evaluations keep them.
    private var fixedCount: Int32 = 0
    /// The position of the dependency on the source's lifetime; -1 without one.
    private var sourcePosition: Int32 = -1
    /// The number of properties that the current evaluation has read, the fixed ones included.
    private var cursor: Int32 = 0
    /// The number of the current evaluation.
    private var mark: UInt64 = 0

    /// Whether the dependency is on the lifetime of the observed model, not of another one that it read.
    func isSource(_ position: Int32) -> Bool { position == sourcePosition }

    /// The record of the source's lifetime.
    var source: UnsafeMutablePointer<ObservedProperty>? {
        guard sourcePosition >= 0, sourcePosition < count, let records else { return nil }
        return unsafe records[Int(sourcePosition)].property
    }

    var hasOnlySource: Bool { count == 1 && sourcePosition == 0 }

    /// The properties, without the lifetimes of models.
    var properties: [ObservedProperty] {
        guard let records else { return [] }
        return (0..<count).compactMap { unsafe isAssignable($0) ? records[Int($0)].property?.pointee : nil }
    }

    func contains(_ property: UnsafeMutablePointer<ObservedProperty>) -> Bool {
        guard let records else { return false }
        for index in 0..<Int(count) where unsafe records[index].property == property { return true }
        return false
    }

    // MARK: Reading

    mutating func fix(
        _ property: UnsafeMutablePointer<ObservedProperty>,
        isSource: Bool,
        of observer: Observer
    ) {
        if isSource { sourcePosition = count }
        unsafe append(property, of: observer)
        fixedCount = count
    }

    mutating func beginReading(_ mark: UInt64) {
        self.mark = mark
        cursor = fixedCount
    }

    /// Whether the previous evaluation read the same property at this position. If so, there is nothing to link.
    @inline(__always) mutating func readsAgain(_ key: PropertyKey, in store: ObservationCore) -> Bool {
        guard cursor < count, let records, let property = unsafe records[Int(cursor)].property,
            unsafe property.pointee.key == key && property.pointee.store == store
        else { return false }
        unsafe property.pointee.mark = mark
        cursor &+= 1
        return true
    }

    /// Links a property that the previous evaluation did not read at this position.
    mutating func read(_ property: UnsafeMutablePointer<ObservedProperty>, of observer: Observer) {
        if unsafe property.pointee.mark == mark { return }
        unsafe property.pointee.mark = mark
        if cursor == count {
            unsafe append(property, of: observer)
        } else if let records {
            unsafe end(records + Int(cursor))
            unsafe (records + Int(cursor)).link(to: property)
        }
        cursor &+= 1
    }

    /// Ends the evaluation: unlinks the dependencies that it did not read.
    mutating func endReading() { if cursor < count { unlink(from: cursor) } }

    private mutating func append(_ property: UnsafeMutablePointer<ObservedProperty>, of observer: Observer) {
        if count == capacity { grow() }
        guard let records else { return }
        let fresh = unsafe records + Int(count)
        unsafe fresh.initialize(
            to: Dependency(
                observer: Unmanaged.passUnretained(observer),
                position: count,
                key: property.pointee.key
            )
        )
        unsafe fresh.link(to: property)
        count &+= 1
    }

    private mutating func grow() {
        let larger = max(2, capacity &* 2)
        let fresh = UnsafeMutablePointer<Dependency>.allocate(capacity: Int(larger))
        if let records {
            // One after another: two neighbours in a property's list may be the observer's own, as of a path back to its source.
            for index in 0..<Int(count) {
                unsafe (fresh + index).moveInitialize(from: records + index, count: 1)
                unsafe (fresh + index).relink()
            }
            unsafe records.deallocate()
        }
        unsafe records = fresh
        capacity = larger
    }

    // MARK: Ending

    private mutating func unlink(from start: Int32) {
        guard start < count, let records else { return }
        for index in start..<count { unsafe end(records + Int(index)) }
        count = start
    }

    private func end(_ dependency: UnsafeMutablePointer<Dependency>) {
        guard let property = unsafe dependency.pointee.property else { return }
        unsafe dependency.unlink()
        unsafe property.pointee.store.freeIfUnused(property)
    }

    mutating func removeAll() {
        unlink(from: 0)
        fixedCount = 0
    }

    mutating func deallocate() {
        removeAll()
        if let records { unsafe records.deallocate() }
    }
}

// MARK: - The touched property

extension DependencyList {
    /// The assigned property at `position`. If its model has ended, the last property before it that led there.
    func touchedProperty(at position: Int32) -> TouchedProperty? {
        guard let records else { return nil }
        var position = position
        while position >= 0, unsafe !isAssignable(position) || records[Int(position)].property == nil {
            position -= 1
        }
        guard position >= 0, let property = unsafe records[Int(position)].property,
            let modelType = unsafe property.pointee.store.modelType
        else { return nil }
        var depth = 0
        for earlier in 0..<position where isAssignable(earlier) { depth &+= 1 }
        return unsafe TouchedProperty(
            changed: ChangedProperty(modelType: modelType, depth: depth, key: property.pointee.key),
            position: position,
            leadsOn: property.pointee.leadsOn,
            ledOn: leadsOn(from: position)
        )
    }

    /// Whether the dependency is on a property, not on a model's lifetime.
    @inline(__always) private func isAssignable(_ position: Int32) -> Bool {
        guard position < count, let records else { return false }
        return unsafe records[Int(position)].key != .lifetime
    }

    /// Whether a property was read after the one at `position`.
    func leadsOn(from position: Int32) -> Bool {
        position + 1 < count && (position + 1..<count).contains { isAssignable($0) }
    }
}

/// The first assigned dependency of an observer, as it was before the next evaluation.
struct TouchedProperty {
    /// The property, as observers get it.
    let changed: ChangedProperty
    let position: Int32
    /// Whether a path can continue through its value.
    let leadsOn: Bool
    /// Whether a property was read after it.
    let ledOn: Bool
}

// MARK: - Records

/// A property and the list of its dependencies. The record exists from the first observation until the model ends.
@safe struct ObservedProperty {
    let key: PropertyKey
    /// Whether its value is a model, or holds models, so that a path can continue through it.
    let leadsOn: Bool
    let store: ObservationCore
    /// The number of dependencies whose observers are notified before an assignment.
    var earlyCount: Int32 = 0
    /// The number of observers with a target that begin until the next sweep.
    var beginsUntilSweep: Int32 = 32
    /// The number of the last evaluation that read it.
    var mark: UInt64 = 0
    var first: UnsafeMutablePointer<Dependency>?
    var last: UnsafeMutablePointer<Dependency>?
}

/// One observer's dependency on one property: a link in that property's list, in the order of linking.
@safe struct Dependency {
    let observer: Unmanaged<Observer>
    /// Its index among the observer's dependencies.
    let position: Int32
    var key: PropertyKey
    /// Nil while the dependency is in no list, for example after the model has ended.
    var property: UnsafeMutablePointer<ObservedProperty>?
    var next: UnsafeMutablePointer<Dependency>?
    var previous: UnsafeMutablePointer<Dependency>?
}

extension UnsafeMutablePointer<Dependency> {
    func link(to property: UnsafeMutablePointer<ObservedProperty>) {
        unsafe pointee.key = property.pointee.key
        unsafe pointee.property = property
        unsafe pointee.next = nil
        unsafe pointee.previous = property.pointee.last
        unsafe linkNeighbours(in: property, previous: self, next: self)
        unsafe count(property, 1)
    }

    func unlink() {
        guard let property = unsafe pointee.property else { return }
        unsafe property.pointee.store.noteUse()
        unsafe linkNeighbours(in: property, previous: pointee.previous, next: pointee.next)
        unsafe pointee.property = nil
        unsafe count(property, -1)
    }

    /// Corrects the links of its neighbours after the record has moved to this address.
    func relink() {
        guard let property = unsafe pointee.property else { return }
        unsafe linkNeighbours(in: property, previous: self, next: self)
    }

    /// Points its neighbours, or the ends of the list, at these records.
    private func linkNeighbours(
        in property: UnsafeMutablePointer<ObservedProperty>,
        previous: Self?,
        next: Self?
    ) {
        if let following = unsafe pointee.next {
            unsafe following.pointee.previous = previous
        } else {
            unsafe property.pointee.last = previous
        }
        if let preceding = unsafe pointee.previous {
            unsafe preceding.pointee.next = next
        } else {
            unsafe property.pointee.first = next
        }
    }

    /// Updates the dependency counts of the property and of its store.
    private func count(_ property: UnsafeMutablePointer<ObservedProperty>, _ step: Int32) {
        let early: Int32 = unsafe pointee.observer._withUnsafeGuaranteedRef { $0.isEarly } ? step : 0
        unsafe property.pointee.earlyCount &+= early
        unsafe property.pointee.store.count(step, early: early)
    }
}
