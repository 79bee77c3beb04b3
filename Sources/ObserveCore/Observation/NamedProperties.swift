// SPDX-License-Identifier: MIT
// Properties without ``Published``, which announce their own reads and changes. Independent of observers.

import Synchronization

extension ObservableModel {
    /// Announces a read of the property at `keyPath`. Call it in the getter of a property without ``Published``.
    ///
    /// - Cost: one load while no observer is being evaluated.
    public func willRead<Value>(_ keyPath: KeyPath<Self, Value>) {
        guard ObservationGate.isOpen else { return }
        observationStore.core.read(NamedProperties.key(of: keyPath), holding: Value.self, of: self)
    }

    /// Announces that the property at `keyPath` is about to change, for observers with ``ObservingOptions/prior``.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard observationStore.core.isObservedEarly else { return }
        // Without a key, nothing ever read the property. But those that hear of all properties hear of it.
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
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard observationStore.core.isObserved, let key = NamedProperties.knownKey(of: keyPath) else {
            return
        }
        observationStore.core.didAssign(key)
    }
}

/// The keys of properties without ``Published``, by key path.
@usableFromInline
enum NamedProperties {
    private struct Names {
        var keys: [AnyKeyPath: PropertyKey] = [:]
        var names: [String] = []
    }

    // `AnyKeyPath` is immutable, so any thread may compare it; but it is not declared `Sendable`.
    private struct Box: ~Copyable {
        nonisolated(unsafe) var names = Names()
    }

    private static let box = Mutex(Box())

    /// The key of a key path; the same for equal key paths.
    @usableFromInline
    static func key(of keyPath: AnyKeyPath) -> PropertyKey { key(of: keyPath, name: nil) }

    /// The key of a key path; nil if no property with it was ever read or observed. So changes of many subscripts take no
    /// memory.
    static func knownKey(of keyPath: AnyKeyPath) -> PropertyKey? {
        nonisolated(unsafe) let keyPath = keyPath
        return box.withLock { box in unsafe box.names.keys[keyPath] }
    }

    /// The key of a key path.
    /// - Parameter name: The property's name; nil takes the name from the key path.
    static func key(of keyPath: AnyKeyPath, name: String?) -> PropertyKey {
        nonisolated(unsafe) let keyPath = keyPath
        return box.withLock { box in
            if let known = unsafe box.names.keys[keyPath] { return known }
            let fresh = unsafe PropertyKey(rawValue: PropertyKey.firstNamed + UInt32(box.names.names.count))
            unsafe box.names.keys[keyPath] = fresh
            unsafe box.names.names.append(name ?? self.name(of: keyPath))
            return fresh
        }
    }

    /// The key path's last component. The program does not contain the names of computed properties.
    private static func name(of keyPath: AnyKeyPath) -> String {
        let text = "\(keyPath)"
        if text.contains("<computed") { return "<computed>" }
        return text.split(separator: ".").last.map(String.init) ?? text
    }

    /// The property's name; `?` for a key of a stored property.
    static func name(of key: PropertyKey) -> String {
        guard key.rawValue >= PropertyKey.firstNamed else { return "?" }
        return box.withLock { box in unsafe box.names.names[Int(key.rawValue - PropertyKey.firstNamed)] }
    }
}
