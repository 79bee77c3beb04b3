// SPDX-License-Identifier: MIT
// The dependencies of one observer: the properties that its last evaluation read. Independent of notifications.

/// The properties an observer depends on, in the order in which it reads them.
///
/// - Bounds: `fixedCount <= count <= capacity`. `cursor` and `mark` are defined only during an evaluation.
/// - Cost: an evaluation compares each property that it reads with the previous one at that position. It links only
///   those that differ, and allocates only for more properties than ever before.
@safe
struct DependencyList: ~Copyable {
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

    func isSource(_ position: Int32) -> Bool { position == sourcePosition }

    /// The record of the source's lifetime.
    var source: UnsafeMutablePointer<ObservedProperty>? {
        guard sourcePosition >= 0, sourcePosition < count, let records else { return nil }
        return unsafe records[Int(sourcePosition)].property
    }

    /// Whether the source's lifetime is the only dependency.
    var hasOnlySource: Bool { count == 1 && sourcePosition == 0 }

    /// The properties, without the lifetimes of models.
    var properties: [PropertyOfModel] {
        guard let records else { return [] }
        return (0..<Int(count)).compactMap { index in
            guard isAssignable(Int32(index)), let property = unsafe records[index].property else {
                return nil
            }
            return unsafe PropertyOfModel(
                store: property.pointee.store,
                key: property.pointee.key,
                leadsOn: property.pointee.leadsOn
            )
        }
    }

    /// Whether one of the dependencies is on the property.
    func contains(_ property: UnsafeMutablePointer<ObservedProperty>) -> Bool {
        guard let records else { return false }
        for index in 0..<Int(count) where unsafe records[index].property == property { return true }
        return false
    }

    // MARK: Reading

    /// Adds a fixed dependency.
    mutating func fix(
        _ property: UnsafeMutablePointer<ObservedProperty>,
        isSource: Bool,
        of observer: Observer
    ) {
        if isSource { sourcePosition = count }
        unsafe append(property, of: observer)
        fixedCount = count
    }

    /// Begins the evaluation with that number.
    mutating func beginReading(_ mark: UInt64) {
        self.mark = mark
        cursor = fixedCount
    }

    /// Whether the previous evaluation read the same property at this position. If so, there is nothing to link.
    @inline(__always)
    mutating func readsAgain(_ key: PropertyKey, in store: ObservationCore) -> Bool {
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
    mutating func endReading() {
        if cursor < count { unlink(from: cursor) }
    }

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
            unsafe fresh.moveInitialize(from: records, count: Int(count))
            for index in 0..<Int(count) { unsafe (fresh + index).relink() }
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

    /// Unlinks all dependencies.
    mutating func removeAll() {
        unlink(from: 0)
        fixedCount = 0
    }

    /// Unlinks all dependencies and frees the list.
    mutating func deallocate() {
        removeAll()
        if let records { unsafe records.deallocate() }
        records = nil
        capacity = 0
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

    /// Whether the dependency is on a property, not on a model's lifetime.
    @inline(__always)
    private func isAssignable(_ position: Int32) -> Bool {
        guard position < count, let records else { return false }
        return unsafe records[Int(position)].key != .lifetime
    }

    /// Whether a property was read after the one at `position`.
    func leadsOn(from position: Int32) -> Bool {
        var next = position + 1
        while next < count {
            if isAssignable(next) { return true }
            next += 1
        }
        return false
    }
}

/// A property on which an observer depends.
struct PropertyOfModel {
    let store: ObservationCore
    let key: PropertyKey
    /// Whether its value is a model, or holds models.
    let leadsOn: Bool
}

/// The first assigned dependency of an observer, as it was before the next evaluation.
struct TouchedProperty {
    let modelType: any Any.Type
    let key: PropertyKey
    let position: Int32
    /// The number of properties that were read before it.
    let depth: Int32
    /// Whether its value is a model, or holds models.
    let leadsOn: Bool
    /// Whether a property was read after it.
    let ledOn: Bool

    /// The property, as observers get it.
    var changed: ChangedProperty { ChangedProperty(modelType: modelType, key: key, depth: Int(depth)) }
}
