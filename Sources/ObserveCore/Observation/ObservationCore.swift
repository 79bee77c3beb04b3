// SPDX-License-Identifier: MIT
// The observed properties of one model. Independent of values, threads and commits.

/// The record behind a store.
@usableFromInline
@safe
struct ObservationRecord {
    /// The number of dependencies on the model, plus one if it has hosts.
    @usableFromInline var attention: Int32 = 0
    /// The number of dependencies whose observers are notified before an assignment.
    @usableFromInline var early: Int32 = 0
    fileprivate var slotCount: Int32 = 0
    fileprivate var propertyCount: Int32 = 0
    /// The observed properties: an open hash table whose size is a power of two.
    fileprivate var slots: UnsafeMutablePointer<UnsafeMutablePointer<ObservedProperty>?>?
    /// The model; nil until one of its properties is observed. It outlives its store.
    fileprivate var owner: Unmanaged<AnyObject>?
    /// The hosts of the model; nil if it has none.
    var hosting: (any HostList)?
    /// The toolchain's record of the model; nil unless the store is ``ObservationStore/tracked()``.
    var tracking: ToolchainTracking?
    /// The last use of the model, for the checks of debug builds.
    let use = ModelUse()
}

/// A reference to a store, valid as long as the model is.
@usableFromInline
@safe
struct ObservationCore {
    @usableFromInline let record: UnsafeMutablePointer<ObservationRecord>

    init() {
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(to: ObservationRecord())
    }

    /// Whether the model has dependencies or hosts.
    @inlinable @inline(__always)
    var isObserved: Bool { unsafe record.pointee.attention != 0 }

    /// Whether an observer is notified before assignments.
    @inlinable @inline(__always)
    var isObservedEarly: Bool { unsafe record.pointee.early != 0 }

    /// The class of the model; nil until one of its properties is observed.
    var modelType: (any Any.Type)? {
        guard let owner = unsafe record.pointee.owner else { return nil }
        return unsafe owner._withUnsafeGuaranteedRef { type(of: $0) }
    }

    /// The class and the property, as in `Player.videoTitle`.
    func name(of key: PropertyKey) -> String {
        guard let modelType else { return "?" }
        return "\(ChangedProperty(modelType: modelType, key: key, depth: 0))"
    }

    /// The observers whose source is the model.
    var observers: [Observer] {
        var observers: [Observer] = []
        var next = unsafe property(.lifetime)?.pointee.first
        while let dependency = unsafe next {
            let observer = unsafe dependency.pointee.observer.takeUnretainedValue()
            if unsafe observer.isSource(dependency.pointee.position) { observers.append(observer) }
            unsafe next = dependency.pointee.next
        }
        return observers
    }

    @inline(__always)
    static func == (left: ObservationCore, right: ObservationCore) -> Bool {
        unsafe left.record == right.record
    }

    /// Announces reads and assignments to the toolchain too, from now on.
    func track(_ tracking: ToolchainTracking) {
        unsafe record.pointee.tracking = tracking
        count(1, early: 1)
    }

    /// Updates the counts behind ``isObserved`` and ``isObservedEarly``.
    func count(_ step: Int32, early: Int32) {
        unsafe record.pointee.attention &+= step
        unsafe record.pointee.early &+= early
    }
}

// MARK: - Properties

extension ObservationCore {
    /// Whether a property was ever observed.
    var hasProperties: Bool { unsafe record.pointee.slots != nil }

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

    /// The property's record, created at its first use.
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
        guard let slots = unsafe record.pointee.slots else { preconditionFailure("a store without slots") }
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
}

// MARK: - Ending

extension ObservationCore {
    /// Frees all property records. Unlinks each dependency and passes it to `lost`.
    /// - Parameter lost: Also gets whether the dependency was on the model itself.
    func removeProperties(_ lost: (UnsafeMutablePointer<Dependency>, _ isModel: Bool) -> Void) {
        guard let slots = unsafe record.pointee.slots else { return }
        for index in unsafe 0..<Int(record.pointee.slotCount) {
            guard let property = unsafe slots[index] else { continue }
            while let dependency = unsafe property.pointee.first {
                unsafe dependency.unlink()
                unsafe lost(dependency, property.pointee.key == .lifetime)
            }
            unsafe property.deallocate()
        }
        unsafe slots.deallocate()
    }

    /// Frees the record. Call ``removeProperties(_:)`` first.
    func deallocate() {
        unsafe record.pointee.use.deallocate()
        unsafe record.deinitialize(count: 1)
        unsafe record.deallocate()
    }
}

extension PropertyKey {
    /// Neighbouring properties get neighbouring slots.
    @inline(__always)
    fileprivate var hash: Int32 { Int32(truncatingIfNeeded: rawValue &>> 2) }
}
