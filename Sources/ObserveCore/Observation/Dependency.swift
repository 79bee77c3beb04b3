// SPDX-License-Identifier: MIT
// The records that link observers to the properties they read. Independent of values and notifications.

/// A property and the list of its dependencies. The record exists from the first observation until the model ends.
@safe
struct ObservedProperty {
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
@safe
struct Dependency {
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
    /// Appends it to the property's list.
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

    /// Removes it from its property's list, if it is in one.
    func unlink() {
        guard let property = unsafe pointee.property else { return }
        unsafe property.pointee.store.noteUse()
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

    /// Corrects the links of its neighbours after the record has moved to this address.
    func relink() {
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

    /// Updates the dependency counts of the property and of its store.
    private func count(_ property: UnsafeMutablePointer<ObservedProperty>, _ step: Int32) {
        let early: Int32 = unsafe pointee.observer._withUnsafeGuaranteedRef { $0.isEarly } ? step : 0
        unsafe property.pointee.earlyCount &+= early
        unsafe property.pointee.store.count(step, early: early)
    }
}
