// SPDX-License-Identifier: MIT
// Properties that are not published but announce their changes themselves. Independent of observers.

import Synchronization

extension ObservableModel {
    /// Says that the property at `keyPath` is being read: for a getter that is not ``Published``'s.
    ///
    /// - Cost: one load while no observer is being evaluated.
    public func willRead<Value>(_ keyPath: KeyPath<Self, Value>) {
        guard ObservationGate.isOpen else { return }
        observationStore.core.read(NamedProperties.key(of: keyPath), holding: Value.self, of: self)
    }

    /// Says that the property at `keyPath` is about to change: for observers with ``ObservingOptions/prior``.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard observationStore.core.isObservedEarly else { return }
        observationStore.core.willAssign(NamedProperties.key(of: keyPath), isEqual: false)
    }

    /// Says that the property at `keyPath` has changed.
    ///
    /// ```swift
    /// var title = "" {
    ///     didSet { didChangeValue(for: \.title) }
    /// }
    /// ```
    ///
    /// Notifies the observers of this very key path. To be followed *through*, from another model's key path or a
    /// computed property, the getter has to call ``willRead(_:)``.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard observationStore.core.isObserved else { return }
        observationStore.core.didAssign(NamedProperties.key(of: keyPath))
    }
}

/// Numbers for the key paths of properties that announce themselves.
@usableFromInline
enum NamedProperties {
    private struct Names {
        var keys: [AnyKeyPath: PropertyKey] = [:]
        var names: [String] = []
    }

    // Key paths never change, so they may be compared on any thread; the type does not say so.
    private struct Box: ~Copyable {
        nonisolated(unsafe) var names = Names()
    }

    private static let box = Mutex(Box())

    /// The key path's number; the same for equal key paths.
    @usableFromInline
    static func key(of keyPath: AnyKeyPath) -> PropertyKey {
        nonisolated(unsafe) let keyPath = keyPath
        return box.withLock { box in
            if let known = unsafe box.names.keys[keyPath] { return known }
            let fresh = unsafe PropertyKey(rawValue: PropertyKey.firstNamed + UInt32(box.names.names.count))
            unsafe box.names.keys[keyPath] = fresh
            unsafe box.names.names.append(name(of: keyPath))
            return fresh
        }
    }

    /// The key path's last component; the name of a computed property is not in the program.
    private static func name(of keyPath: AnyKeyPath) -> String {
        let text = "\(keyPath)"
        if text.contains("<computed") { return "<computed>" }
        return text.split(separator: ".").last.map(String.init) ?? text
    }

    /// The property's name as far as it is known.
    static func name(of key: PropertyKey) -> String {
        guard key.rawValue >= PropertyKey.firstNamed else { return "?" }
        return box.withLock { box in unsafe box.names.names[Int(key.rawValue - PropertyKey.firstNamed)] }
    }
}
