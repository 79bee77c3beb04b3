// SPDX-License-Identifier: MIT
// The keys of properties without ``Published``, for all threads. Independent of models and observers.

import Synchronization

@usableFromInline enum NamedProperties {
    // `AnyKeyPath` is immutable, so any thread may compare it; but it is not declared `Sendable`.
    private struct Box: ~Copyable { nonisolated(unsafe) var names = PropertyNames() }

    private static let box = Mutex(Box())

    private static func withNames<Result: Sendable>(_ body: (inout PropertyNames) -> Result) -> Result {
        nonisolated(unsafe) let body = body
        return box.withLock { box in unsafe body(&box.names) }
    }

    /// Calls `body` with the key of a property, the same for each way to write its key path.
    /// - Parameter keeping: Whether the key lives for ever.
    static func withKey<Model: AnyObject, Value>(
        of keyPath: KeyPath<Model, Value>,
        keeping: Bool = false,
        _ body: (PropertyKey) -> Void
    ) {
        let key =
            find(keyPath, using: 1) ?? withNames { $0.add(keyPath, PropertyIdentity(keyPath), name: nil) }
        body(key)
        if !keeping { _ = release(key) }
    }

    /// The key of a property; nil if no model has a record of it. So changes of many subscripts take no memory.
    static func knownKey<Model: AnyObject, Value>(of keyPath: KeyPath<Model, Value>) -> PropertyKey? {
        find(keyPath, using: 0)
    }

    /// The key of a key path that is always written in the same way. It lives for ever.
    static func key(of keyPath: AnyKeyPath, name: String) -> PropertyKey {
        withNames { $0.add(keyPath, nil, name: name) }
    }

    private static func find<Model: AnyObject, Value>(
        _ keyPath: KeyPath<Model, Value>,
        using uses: Int
    ) -> PropertyKey? {
        if let known = withNames({ $0.find(keyPath, using: uses) }) { return known }
        let identity = PropertyIdentity(keyPath)
        return withNames { $0.find(identity, keyPath, using: uses) }
    }

    /// Notes a use of the property: a model has a record of it.
    static func retain(_ key: PropertyKey) { withNames { $0.retain(key) } }

    /// Notes the end of a use. After the last one, the property has no key.
    /// - Returns: The removed key paths. Their release may run any code, so the caller releases them: here, the lock is held.
    static func release(_ key: PropertyKey) -> [AnyKeyPath] {
        var removed: [AnyKeyPath] = []
        withNames { removed = $0.release(key) }
        return removed
    }

    /// The property's name; `?` for a key of a stored property, and for a property that is not observed any more.
    static func name(of key: PropertyKey) -> String {
        var found: (name: String?, keyPath: AnyKeyPath?)
        withNames { found = $0.name(of: key) }
        return found.name ?? found.keyPath.map { name(of: $0) } ?? "?"
    }

    /// The key path's last component. The program does not contain the names of computed properties. This takes long: Swift
    /// searches all symbols.
    private static func name(of keyPath: AnyKeyPath) -> String {
        let text = "\(keyPath)"
        if text.contains("<computed") { return "<computed>" }
        return text.split(separator: ".").last.map(String.init) ?? text
    }
}
