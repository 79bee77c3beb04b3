// SPDX-License-Identifier: MIT
// Shows a model's properties to the toolchain's `withObservationTracking`. Independent of this library's observers.

internal import Observation

/// The toolchain's record of one model: it has one for each published property that was read.
///
/// - Bounds: the class's published properties.
/// - Threading: as the model's.
/// - Cost: the toolchain compares the key paths of properties. Only a literal one is made once, so each property has an object of its
///   own, with the same key path in all.
final class ToolchainTracking {
    /// Few enough to be searched one by one.
    private var properties: [TrackedProperty] = []
    /// The properties that announce themselves; nil until one is read. They may be many, as subscripts are.
    private var named: TrackedNames?

    init() { ObservationGate.open() }

    deinit { ObservationGate.close() }

    func access(_ key: PropertyKey) {
        if key.isNamed {
            let names = named ?? TrackedNames()
            named = names
            names.registrar.access(names, keyPath: \.[key])
        } else {
            let property = property(key) ?? add(key)
            property.registrar.access(property, keyPath: \.value)
        }
    }

    private func property(_ key: PropertyKey) -> TrackedProperty? {
        for property in properties where property.key == key { return property }
        return nil
    }

    private func add(_ key: PropertyKey) -> TrackedProperty {
        let property = TrackedProperty(key)
        properties.append(property)
        return property
    }

    /// - Parameter isEqual: Whether the new value is known to equal the current one. Then it is not a change.
    func willAssign(_ key: PropertyKey, isEqual: Bool) {
        guard !key.isNamed, let property = property(key) else { return }
        property.isChanging = !isEqual
        if !isEqual { property.registrar.willSet(property, keyPath: \.value) }
    }

    func didAssign(_ key: PropertyKey) {
        if key.isNamed {
            // It announces its changes afterwards alone.
            guard let named else { return }
            named.registrar.willSet(named, keyPath: \.[key])
            named.registrar.didSet(named, keyPath: \.[key])
        } else if let property = property(key), property.isChanging {
            property.isChanging = false
            property.registrar.didSet(property, keyPath: \.value)
        }
    }

    /// Tells those who read a weak property of its target's end.
    func end() {
        willAssign(.lifetime, isEqual: false)
        didAssign(.lifetime)
    }
}

private final class TrackedProperty: Observable {
    let key: PropertyKey
    let registrar = ObservationRegistrar()
    /// Whether a change was announced that has not happened yet.
    var isChanging = false
    var value: Void { () }

    init(_ key: PropertyKey) { self.key = key }
}

private final class TrackedNames: Observable {
    let registrar = ObservationRegistrar()
    subscript(key: PropertyKey) -> Void { () }
}
