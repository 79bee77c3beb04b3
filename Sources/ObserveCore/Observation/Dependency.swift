// SPDX-License-Identifier: MIT
// The records that tie observers to the properties they read. Knows nothing of values.

/// Which property of a model: where the property's storage stands in it. The same number in all instances of a class.
@usableFromInline
struct PropertyKey: Equatable, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The key of what is stored at `address` in `model`.
    @inlinable
    init(_ address: UnsafeRawPointer, in model: AnyObject) {
        let offset = unsafe address - UnsafeRawPointer(Unmanaged.passUnretained(model).toOpaque())
        rawValue = UInt32(truncatingIfNeeded: offset)
    }

    // No property is stored where an object has its header.

    /// The model itself: assigned once, when it goes.
    @inlinable static var lifetime: PropertyKey { PropertyKey(rawValue: 0) }
    /// Any property, before it is assigned.
    @inlinable static var objectWillChange: PropertyKey { PropertyKey(rawValue: 1) }

    /// Whether it is that of a stored property.
    var isStored: Bool { rawValue > 1 && rawValue < PropertyKey.firstNamed }

    /// From here on keys stand for the properties that announce themselves by key path.
    static var firstNamed: UInt32 { 1 << 31 }
}

/// A property that somebody observes, or has observed: the list of those who depend on it.
@safe
struct ObservedProperty {
    let key: PropertyKey
    /// Whether its value is a model, or holds models, so that a path can lead on through it.
    let leadsOn: Bool
    let store: ObservationCore
    /// How many of its dependencies want to be told before it is assigned.
    var earlyCount: Int32 = 0
    /// The evaluation that read it last.
    var mark: UInt64 = 0
    var first: UnsafeMutablePointer<Dependency>?
    var last: UnsafeMutablePointer<Dependency>?
}

/// One observer's dependency on one property: a link in that property's list, in the order they began.
@safe
struct Dependency {
    let observer: Unmanaged<Observer>
    /// Its place among the observer's dependencies.
    let position: Int32
    var key: PropertyKey
    /// Nil while it is in no list: the model is gone.
    var property: UnsafeMutablePointer<ObservedProperty>?
    var next: UnsafeMutablePointer<Dependency>?
    var previous: UnsafeMutablePointer<Dependency>?
}

extension UnsafeMutablePointer<Dependency> {
    /// Puts it at the end of the property's list.
    func link(to property: UnsafeMutablePointer<ObservedProperty>) {
        unsafe pointee.key = property.pointee.key
        unsafe pointee.property = property
        unsafe pointee.next = nil
        unsafe pointee.previous = property.pointee.last
        if let last = unsafe property.pointee.last {
            unsafe last.pointee.next = self
        } else {
            unsafe property.pointee.first = self
        }
        unsafe property.pointee.last = self
        unsafe count(property, 1)
    }

    /// Takes it out of its property's list, if it is in one.
    func unlink() {
        guard let property = unsafe pointee.property else { return }
        let next = unsafe pointee.next
        let previous = unsafe pointee.previous
        if let next = unsafe next {
            unsafe next.pointee.previous = previous
        } else {
            unsafe property.pointee.last = previous
        }
        if let previous = unsafe previous {
            unsafe previous.pointee.next = next
        } else {
            unsafe property.pointee.first = next
        }
        unsafe pointee.property = nil
        unsafe count(property, -1)
    }

    /// After the record itself was moved here: tells its neighbours.
    func moved() {
        guard let property = unsafe pointee.property else { return }
        if let next = unsafe pointee.next {
            unsafe next.pointee.previous = self
        } else {
            unsafe property.pointee.last = self
        }
        if let previous = unsafe pointee.previous {
            unsafe previous.pointee.next = self
        } else {
            unsafe property.pointee.first = self
        }
    }

    /// Keeps the counts by which a store knows whether anybody is interested.
    private func count(_ property: UnsafeMutablePointer<ObservedProperty>, _ step: Int32) {
        let early: Int32 = unsafe pointee.observer._withUnsafeGuaranteedRef { $0.isEarly } ? step : 0
        unsafe property.pointee.earlyCount &+= early
        unsafe property.pointee.store.count(step, early: early)
    }
}
