// SPDX-License-Identifier: MIT
// Properties without ``Published``, which announce their own reads and changes. Independent of observers.

extension ObservableModel {
    /// Announces a read of the property at `keyPath`. Call it in the getter of a property without ``Published``.
    /// - Cost: one load while no observer is being evaluated.
    public func willRead<Value>(_ keyPath: KeyPath<Self, Value>) {
        guard ObservationGate.isOpen else { return }
        let core = observationStore.core
        if ObservationContext.isTracking || core.isTracked {
            NamedProperties.withKey(of: keyPath, keeping: core.isTracked) { key in
                core.read(key, holding: Value.self, of: self)
            }
        }
    }

    /// Announces that the property at `keyPath` is about to change, for observers with ``ObservingOptions/prior``.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard observationStore.core.isObservedEarly else { return }
        // Without a key, the property has no observers. But those that hear of all properties hear of it.
        let key = NamedProperties.knownKey(of: keyPath) ?? .objectWillChange
        observationStore.core.willAssign(key, isEqual: false)
    }

    /// Announces that the property at `keyPath` has changed.
    ///
    /// ```swift
    /// var title = "" {
    ///     didSet { didChangeValue(for: \.title) }
    /// }
    /// ```
    ///
    /// Notifies observers that `addObserver(_:keyPath:options:handler:)` added for this key path. For all other
    /// observers, the getter must also call ``willRead(_:)``.
    ///
    /// A property is the same in a class and in its subclasses, also where one overrides it: `\Base.title` is `\Sub.title`.
    /// But an override with another type is another property.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        let core = observationStore.core
        if core.isObserved, let key = NamedProperties.knownKey(of: keyPath) { core.didAssign(key) }
    }
}
