// SPDX-License-Identifier: MIT
// Shows a model's properties to the toolchain's `withObservationTracking`. Independent of this library's observers.

internal import Observation

/// The toolchain's record of one model: it has one for each published property that was read.
/// - Bounds: the class's published properties.
/// - Threading: as the model's.
/// - Cost: the toolchain compares key paths. Only a literal one is made once, so each property has an object of its
///   own, and all have the same key path.
@safe final class ToolchainTracking {
    /// The properties that were read, few enough to be searched one by one.
    private let properties: UnsafeMutablePointer<UnsafeMutablePointer<TrackedProperty>?>
    /// The properties that announce themselves; nil until one is read. They may be many, as subscripts are.
    private var named: TrackedNames?

    init() {
        unsafe properties = .allocate(capacity: 1)
        unsafe properties.initialize(to: nil)
        ObservationGate.open()
    }

    deinit {
        while let property = unsafe properties.pointee {
            unsafe properties.pointee = property.pointee.next
            unsafe property.pointee.subject.release()
            unsafe property.deallocate()
        }
        unsafe properties.deallocate()
        ObservationGate.close()
    }

    func access(_ key: PropertyKey) {
        if key.isNamed {
            let names = named ?? TrackedNames()
            named = names
            names.registrar.access(names, keyPath: \.[key])
        } else {
            unsafe (property(key) ?? add(key)).pointee.access()
        }
    }

    @inline(__always) private func property(_ key: PropertyKey) -> UnsafeMutablePointer<TrackedProperty>? {
        var next = unsafe properties.pointee
        while let property = unsafe next {
            if unsafe property.pointee.key == key { return unsafe property }
            unsafe next = property.pointee.next
        }
        return nil
    }

    private func add(_ key: PropertyKey) -> UnsafeMutablePointer<TrackedProperty> {
        let property = UnsafeMutablePointer<TrackedProperty>.allocate(capacity: 1)
        let subject = unsafe Unmanaged.passRetained(TrackedSubject())
        unsafe property.initialize(to: TrackedProperty(key: key, next: properties.pointee, subject: subject))
        unsafe properties.pointee = property
        return unsafe property
    }

    /// Announces an assignment, unless the values are equal: that is not a change.
    /// - Returns: Whether they are equal; nil if the property was never read.
    func willAssign<Value>(_ key: PropertyKey, _ value: Value, _ other: Value) -> Bool? {
        guard let property = unsafe property(key) else { return nil }
        let isEqual = unsafe property.pointee.areEqual(value, other)
        if !isEqual { unsafe willSet(property) }
        return isEqual
    }

    /// - Parameter isEqual: Whether the new value is known to equal the current one.
    func willAssign(_ key: PropertyKey, isEqual: Bool) {
        guard !isEqual, let property = unsafe property(key) else { return }
        unsafe willSet(property)
    }

    private func willSet(_ property: UnsafeMutablePointer<TrackedProperty>) {
        unsafe property.pointee.isChanging = true
        unsafe property.pointee.willSet()
    }

    func didAssign(_ key: PropertyKey) {
        if key.isNamed {
            // It announces its changes afterwards alone.
            guard let named else { return }
            named.registrar.willSet(named, keyPath: \.[key])
            named.registrar.didSet(named, keyPath: \.[key])
        } else if let property = unsafe property(key), unsafe property.pointee.isChanging {
            unsafe property.pointee.isChanging = false
            unsafe property.pointee.didSet()
        }
    }

    /// Tells those who read a weak property of its target's end.
    func end() {
        willAssign(.lifetime, isEqual: false)
        didAssign(.lifetime)
    }
}

/// In memory of its own: access to an object's variables would be checked.
@safe private struct TrackedProperty {
    let key: PropertyKey
    let next: UnsafeMutablePointer<TrackedProperty>?
    /// Owned by the record.
    let subject: Unmanaged<TrackedSubject>
    /// Whether a change was announced that has not happened yet.
    var isChanging = false

    func access() { unsafe subject._withUnsafeGuaranteedRef { $0.registrar.access($0, keyPath: \.value) } }
    func willSet() { unsafe subject._withUnsafeGuaranteedRef { $0.registrar.willSet($0, keyPath: \.value) } }
    func didSet() { unsafe subject._withUnsafeGuaranteedRef { $0.registrar.didSet($0, keyPath: \.value) } }

    func areEqual<Value>(_ value: Value, _ other: Value) -> Bool {
        unsafe subject._withUnsafeGuaranteedRef { $0.areEqual(value, other) }
    }
}

private final class TrackedSubject: Observable {
    let registrar = ObservationRegistrar()
    /// The comparison of the property's type, made at the first assignment.
    private var equality: AnyObject?
    var value: Void { () }

    func areEqual<Value>(_ value: Value, _ other: Value) -> Bool {
        if let equality {
            return unsafe unsafeDowncast(equality, to: Kept<Value>.self).equality.isEqual(value, other)
        }
        let kept = Kept<Value>()
        equality = kept
        return kept.equality.isEqual(value, other)
    }

    private final class Kept<Value> { let equality = Equality<Value>() }
}

private final class TrackedNames: Observable {
    let registrar = ObservationRegistrar()
    subscript(key: PropertyKey) -> Void { () }
}
