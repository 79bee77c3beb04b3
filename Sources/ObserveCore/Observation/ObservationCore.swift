// SPDX-License-Identifier: MIT
// The observed properties of one model. Independent of values, threads and commits.

/// The record behind a store.
@usableFromInline @safe struct ObservationRecord {
    /// The number of dependencies on the model, plus one if it has hosts.
    @usableFromInline var attention: Int32 = 0
    /// The number of dependencies whose observers are notified before an assignment.
    @usableFromInline var early: Int32 = 0
    fileprivate var slotCount: Int32 = 0
    fileprivate var propertyCount: Int32 = 0
    /// The observed properties: an open hash table whose size is a power of two.
    fileprivate var slots: UnsafeMutablePointer<UnsafeMutablePointer<ObservedProperty>?>?
    /// The address of the model; zero until one of its properties is observed.
    fileprivate var modelAddress: UInt = 0
    fileprivate(set) var modelType: (any Any.Type)?
    fileprivate var leadsToToolchain = false
    /// Where the model belongs; nil until it is observed.
    fileprivate(set) var home: Unmanaged<ObservationHome>?
    /// Nil for most models.
    fileprivate(set) var attachments: Unmanaged<Attachments>?
    #if DEBUG
        /// The last use of the model, for the checks of debug builds.
        let use = ModelUse()
    #endif
}

/// What few models have.
@safe final class Attachments {
    /// The hosts of the model; nil if it has none.
    var hosting: (any HostList)?
    /// The toolchain's record of the model; nil unless the store is ``ObservationStore/tracked()``.
    private let tracking: Unmanaged<ToolchainTracking>?

    init(_ tracking: ToolchainTracking? = nil) {
        unsafe self.tracking = tracking.map { unsafe Unmanaged.passRetained($0) }
    }

    deinit { if let tracking = unsafe tracking { unsafe tracking.release() } }

    @inline(__always) func withTracking(_ body: (ToolchainTracking) -> Void) {
        if let tracking = unsafe tracking { unsafe tracking._withUnsafeGuaranteedRef(body) }
    }
}

/// A reference to a store, valid as long as the model is.
@usableFromInline @safe struct ObservationCore {
    @usableFromInline let record: UnsafeMutablePointer<ObservationRecord>

    init() {
        unsafe record = .allocate(capacity: 1)
        unsafe record.initialize(to: ObservationRecord())
    }

    /// Whether the model has dependencies or hosts.
    @inlinable @inline(__always) var isObserved: Bool { unsafe record.pointee.attention != 0 }

    /// Whether an observer is notified before assignments.
    @inlinable @inline(__always) var isObservedEarly: Bool { unsafe record.pointee.early != 0 }

    /// The class of the model; nil until one of its properties is observed.
    var modelType: (any Any.Type)? { unsafe record.pointee.modelType }

    /// Whether a path may lead from the model to objects with `@Observable`. Known once one of its properties is observed.
    @inline(__always) var leadsToToolchain: Bool { unsafe record.pointee.leadsToToolchain }

    /// The class and the property, as in `Player.videoTitle`.
    func name(of key: PropertyKey) -> String {
        guard let modelType else { return "?" }
        return "\(ChangedProperty(modelType: modelType, depth: 0, key: key))"
    }

    #if DEBUG
        /// The model; nil until one of its properties is observed.
        var model: AnyObject? {
            let address = unsafe UnsafeRawPointer(bitPattern: record.pointee.modelAddress)
            return unsafe address.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }
    #endif

    /// The observers whose source is the model.
    var observers: [Observer] {
        var observers: [Observer] = []
        var next = unsafe property(.lifetime)?.pointee.first
        while let dependency = unsafe next {
            let observer = unsafe dependency.pointee.observer.takeUnretainedValue()
            if observer.role != .watcher, unsafe observer.dependencies.isSource(dependency.pointee.position) {
                observers.append(observer)
            }
            unsafe next = dependency.pointee.next
        }
        return observers
    }

    @inline(__always) static func == (left: ObservationCore, right: ObservationCore) -> Bool {
        unsafe left.record == right.record
    }

    /// Announces reads and assignments to the toolchain too. Call it on a new store.
    func track(_ tracking: ToolchainTracking) {
        unsafe record.pointee.attachments = Unmanaged.passRetained(Attachments(tracking))
        count(1, early: 1)
    }

    /// The model's attachments, made at their first use.
    var attachments: Attachments {
        if let made = unsafe record.pointee.attachments { return unsafe made.takeUnretainedValue() }
        let fresh = Attachments()
        unsafe record.pointee.attachments = Unmanaged.passRetained(fresh)
        return fresh
    }

    /// Calls `body` with the toolchain's record of the model, if there is one.
    @inline(__always) func withTracking(_ body: (ToolchainTracking) -> Void) {
        guard let attachments = unsafe record.pointee.attachments else { return }
        unsafe attachments._withUnsafeGuaranteedRef { $0.withTracking(body) }
    }

    @inline(__always) var hosting: (any HostList)? {
        guard let attachments = unsafe record.pointee.attachments else { return nil }
        return unsafe attachments._withUnsafeGuaranteedRef { $0.hosting }
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

    @inline(__always) func property(_ key: PropertyKey) -> UnsafeMutablePointer<ObservedProperty>? {
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
    /// - Parameter home: The observer's.
    func property(
        _ key: PropertyKey,
        holding type: any Any.Type,
        of model: AnyObject,
        in home: ObservationHome?
    ) -> UnsafeMutablePointer<ObservedProperty> {
        if let found = unsafe property(key) { return unsafe found }
        adopt(model, home)
        if unsafe record.pointee.propertyCount &* 2 >= record.pointee.slotCount { grow() }
        let fresh = UnsafeMutablePointer<ObservedProperty>.allocate(capacity: 1)
        unsafe fresh.initialize(
            to: ObservedProperty(key: key, leadsOn: PropertyKind.leadsOn(type), store: self)
        )
        unsafe insert(fresh)
        unsafe record.pointee.propertyCount &+= 1
        if key.isNamed { NamedProperties.retain(key) }
        return unsafe fresh
    }

    /// Frees the record of a property that announces itself, if nothing depends on it: a model may have many subscripts.
    func freeIfUnused(_ property: UnsafeMutablePointer<ObservedProperty>) {
        let key = unsafe property.pointee.key
        guard key.isNamed, unsafe property.pointee.first == nil else { return }
        unsafe remove(property)
        unsafe record.pointee.propertyCount &-= 1
        unsafe property.deallocate()
        releaseName(key)
    }

    /// The caller changes lists of dependencies. So the context releases the key paths later: what they hold may run any code.
    private func releaseName(_ key: PropertyKey) {
        ObservationContext.withCurrent { $0.retain(NamedProperties.release(key)) }
    }

    private func remove(_ property: UnsafeMutablePointer<ObservedProperty>) {
        guard let slots = unsafe record.pointee.slots else { return }
        let mask = unsafe record.pointee.slotCount &- 1
        var hole = unsafe property.pointee.key.hash & mask
        while unsafe slots[Int(hole)] != property { hole = (hole &+ 1) & mask }
        // What follows moves up, unless it would come before its own place.
        var next = (hole &+ 1) & mask
        while let moved = unsafe slots[Int(next)] {
            let distance = unsafe (next &- moved.pointee.key.hash) & mask
            if distance >= (next &- hole) & mask {
                unsafe slots[Int(hole)] = moved
                hole = next
            }
            next = (next &+ 1) & mask
        }
        unsafe slots[Int(hole)] = nil
    }

    private func adopt(_ model: AnyObject, _ home: ObservationHome?) {
        if unsafe record.pointee.home == nil { unsafe record.pointee.home = home.map(Unmanaged.passRetained) }
        let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
        let former = unsafe record.pointee.modelAddress
        precondition(former == 0 || former == address, "two models share one ObservationStore")
        if former != 0 { return }
        let type: any Any.Type = Swift.type(of: model)
        unsafe record.pointee.modelAddress = address
        unsafe record.pointee.modelType = type
        unsafe record.pointee.leadsToToolchain = ToolchainSearch.finds(type)
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

// MARK: - Home

extension ObservationCore {
    /// Where the model belongs. Observers there whose tokens were released end now.
    func home() -> ObservationHome {
        endReleased()
        let home = unsafe record.pointee.home?.takeUnretainedValue() ?? ObservationHome()
        if unsafe record.pointee.home == nil { unsafe record.pointee.home = Unmanaged.passRetained(home) }
        if let actor = ObservationContext.currentActor { home.note(actor) }
        return home
    }

    /// Ends the observers of the model's home whose tokens were released.
    @inline(__always) func endReleased() {
        guard let home = unsafe record.pointee.home else { return }
        unsafe home._withUnsafeGuaranteedRef { if $0.hasReleased { $0.endReleased() } }
    }
}

// MARK: - Ending

extension ObservationCore {
    /// Ends the observers whose target has ended, once as many have begun as there were after the last sweep. `source` is the
    /// record of the model's lifetime.
    func sweep(_ source: UnsafeMutablePointer<ObservedProperty>) {
        unsafe source.pointee.beginsUntilSweep -= 1
        if unsafe source.pointee.beginsUntilSweep <= 0 { endTargetless() }
    }

    /// Ends the observers whose target has ended.
    func endTargetless() {
        guard let source = unsafe property(.lifetime) else { return }
        let observers = observers
        let ended = observers.filter(\.hasLostTarget)
        for observer in ended { observer.cancel() }
        unsafe source.pointee.beginsUntilSweep = max(32, Int32(observers.count - ended.count))
    }

    /// Frees all property records. Unlinks each dependency, and passes it to `lost` with whether it was on the model itself.
    func removeProperties(_ lost: (UnsafeMutablePointer<Dependency>, _ isModel: Bool) -> Void) {
        guard let slots = unsafe record.pointee.slots else { return }
        for index in unsafe 0..<Int(record.pointee.slotCount) {
            guard let property = unsafe slots[index] else { continue }
            while let dependency = unsafe property.pointee.first {
                unsafe dependency.unlink()
                unsafe lost(dependency, property.pointee.key == .lifetime)
            }
            if unsafe property.pointee.key.isNamed { unsafe releaseName(property.pointee.key) }
            unsafe property.deallocate()
        }
        unsafe slots.deallocate()
    }

    /// Frees the record. Call ``removeProperties(_:)`` first.
    func deallocate() {
        if let home = unsafe record.pointee.home { unsafe home.release() }
        if let attachments = unsafe record.pointee.attachments { unsafe attachments.release() }
        unsafe record.deinitialize(count: 1)
        unsafe record.deallocate()
    }
}

extension PropertyKey {
    /// Neighbouring properties get neighbouring slots. Offsets are multiples of four or eight, other keys count up by one.
    @inline(__always) fileprivate var hash: Int32 { Int32(truncatingIfNeeded: rawValue &+ rawValue &>> 3) }
}
