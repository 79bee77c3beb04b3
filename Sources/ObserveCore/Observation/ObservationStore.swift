// SPDX-License-Identifier: MIT
// What a model keeps about its observers. Knows nothing of the values of its properties.

/// Where a model keeps its observers: one store for each model, as a stored constant.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
/// }
/// ```
///
/// The store's end is the model's: that is how observers learn that it has gone. It can't be copied, so it is nowhere
/// else.
///
/// - Threading: as the model's: one queue, actor or thread at a time.
/// - Cost: 48 bytes while nobody observes. Then as much for each property that was ever observed.
@safe
public struct ObservationStore: ~Copyable {
    @usableFromInline let core: ObservationCore

    /// A store for a model that nobody observes yet.
    public init() { core = ObservationCore() }

    deinit { core.end() }
}

/// What is behind a store.
@usableFromInline
@safe
struct ObservationRecord {
    /// How many dependencies there are on the model; being hosted counts as one.
    @usableFromInline var attention: Int32 = 0
    /// How many of them want to be told before an assignment.
    @usableFromInline var early: Int32 = 0
    fileprivate var slotCount: Int32 = 0
    fileprivate var propertyCount: Int32 = 0
    /// The observed properties, in an open hash table of a power of two.
    fileprivate var slots: UnsafeMutablePointer<UnsafeMutablePointer<ObservedProperty>?>?
    /// The model, once one of its properties was observed. It outlives its store.
    fileprivate var owner: Unmanaged<AnyObject>?
    var hosting: Hosting?
}

/// A store, for those who have to name it. Valid as long as the model is.
@usableFromInline
@safe
struct ObservationCore {
    @usableFromInline let record: UnsafeMutablePointer<ObservationRecord>

    init() {
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(to: ObservationRecord())
    }

    /// Whether anybody depends on the model.
    @inlinable @inline(__always)
    var isObserved: Bool { unsafe record.pointee.attention != 0 }

    /// Whether anybody wants to know of an assignment beforehand.
    @inlinable @inline(__always)
    var isObservedEarly: Bool { unsafe record.pointee.early != 0 }

    /// The class of the model.
    var modelType: (any Any.Type)? {
        guard let owner = unsafe record.pointee.owner else { return nil }
        return unsafe owner._withUnsafeGuaranteedRef { type(of: $0) }
    }

    @inline(__always)
    static func == (left: ObservationCore, right: ObservationCore) -> Bool {
        unsafe left.record == right.record
    }

    /// Keeps the counts by which an assignment knows whether it matters to anybody.
    func count(_ step: Int32, early: Int32) {
        unsafe record.pointee.attention &+= step
        unsafe record.pointee.early &+= early
    }
}

// MARK: - Properties

extension ObservationCore {
    @inline(__always)
    func property(_ key: PropertyKey) -> UnsafeMutablePointer<ObservedProperty>? {
        guard let slots = unsafe record.pointee.slots else { return nil }
        let mask = unsafe record.pointee.slotCount &- 1
        var index = key.hash & mask
        while let found = unsafe slots[Int(index)] {
            if unsafe found.pointee.key == key { return unsafe found }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// The property's record, made if it is the first time.
    func property(_ key: PropertyKey, holding type: any Any.Type, of model: AnyObject)
        -> UnsafeMutablePointer<ObservedProperty>
    {
        if let found = unsafe property(key) { return unsafe found }
        adopt(model)
        if unsafe record.pointee.propertyCount &* 2 >= record.pointee.slotCount { grow() }
        let fresh = UnsafeMutablePointer<ObservedProperty>.allocate(capacity: 1)
        unsafe fresh.initialize(
            to: ObservedProperty(key: key, leadsOn: PropertyKind.leadsOn(type), store: self)
        )
        unsafe insert(fresh)
        unsafe record.pointee.propertyCount &+= 1
        return unsafe fresh
    }

    private func adopt(_ model: AnyObject) {
        let fresh = unsafe Unmanaged.passUnretained(model)
        if let owner = unsafe record.pointee.owner {
            unsafe precondition(owner.toOpaque() == fresh.toOpaque(), "two models share one ObservationStore")
        }
        unsafe record.pointee.owner = fresh
    }

    private func insert(_ property: UnsafeMutablePointer<ObservedProperty>) {
        guard let slots = unsafe record.pointee.slots else { preconditionFailure("a store without room") }
        let mask = unsafe record.pointee.slotCount &- 1
        var index = unsafe property.pointee.key.hash & mask
        while unsafe slots[Int(index)] != nil { index = (index &+ 1) & mask }
        unsafe slots[Int(index)] = property
    }

    private func grow() {
        let former = unsafe record.pointee.slots
        let formerCount = unsafe Int(record.pointee.slotCount)
        let count = max(4, formerCount * 2)
        let fresh = UnsafeMutablePointer<UnsafeMutablePointer<ObservedProperty>?>.allocate(capacity: count)
        unsafe fresh.initialize(repeating: nil, count: count)
        unsafe record.pointee.slots = fresh
        unsafe record.pointee.slotCount = Int32(count)
        guard let former = unsafe former else { return }
        for index in 0..<formerCount {
            if let property = unsafe former[index] { unsafe insert(property) }
        }
        unsafe former.deallocate()
    }

    /// The model goes. Whoever observes it is told, whoever read something through it reads again.
    fileprivate func end() {
        if unsafe record.pointee.slots != nil {
            ObservationContext.withCurrent { context in
                context.begin()
                if let slots = unsafe record.pointee.slots {
                    for index in unsafe 0..<Int(record.pointee.slotCount) {
                        if let property = unsafe slots[index] { unsafe lose(property, context) }
                    }
                    unsafe slots.deallocate()
                }
                context.end()
            }
        }
        unsafe record.deinitialize(count: 1)
        unsafe record.deallocate()
    }

    private func lose(_ property: UnsafeMutablePointer<ObservedProperty>, _ context: ObservationContext) {
        while let dependency = unsafe property.pointee.first {
            unsafe dependency.unlink()
            unsafe context.lost(dependency, isModel: property.pointee.key == .lifetime)
        }
        unsafe property.deallocate()
    }
}

// MARK: - Announcing

extension ObservationCore {
    /// A property is being read: whoever is being evaluated on this thread depends on it.
    @usableFromInline
    func read(_ key: PropertyKey, holding type: any Any.Type, of model: AnyObject) {
        ObservationContext.tracking { $0.read(key, holding: type, in: self, of: model) }
    }

    /// A property is about to be assigned, and somebody wants to know beforehand.
    /// - Parameter isEqual: The new value is known to be equal to the one that is there.
    @usableFromInline
    func willAssign(_ key: PropertyKey, isEqual: Bool) {
        ObservationContext.withCurrent { context in
            if let all = unsafe property(.objectWillChange) { unsafe context.tellEarly(all, isEqual: false) }
            guard key != .objectWillChange else { return }
            if let one = unsafe property(key), unsafe one.pointee.earlyCount > 0 {
                unsafe context.tellEarly(one, isEqual: isEqual)
            }
        }
    }

    /// A property was assigned: those who depend on it are stale. Outside a transaction they are evaluated and told
    /// before this returns.
    @usableFromInline
    func didAssign(_ key: PropertyKey) {
        if let hosting = unsafe record.pointee.hosting { return didAssign(key, telling: hosting) }
        touch(key)
    }

    private func didAssign(_ key: PropertyKey, telling hosting: Hosting) {
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

    /// Until ``endModifying()`` nobody is evaluated.
    @usableFromInline
    func beginModifying() { ObservationContext.withCurrent { $0.begin() } }

    @usableFromInline
    func endModifying() { ObservationContext.withCurrent { $0.end() } }
}

extension PropertyKey {
    /// Neighbours in a model fall into neighbouring slots.
    @inline(__always)
    fileprivate var hash: Int32 { Int32(truncatingIfNeeded: rawValue &>> 2) }
}
