// SPDX-License-Identifier: MIT
// The keys of properties without ``Published``, and their names. Independent of models and threads.

/// A property, whichever class its key path begins with.
struct PropertyIdentity: Hashable {
    /// Holds any object, so that all key paths may begin in the same way.
    private struct Root { let object: AnyObject }

    /// The class above all others of the property's class.
    private let hierarchy: ObjectIdentifier
    /// The key path behind one to any object. It only serves comparisons: nothing follows it.
    fileprivate let path: AnyKeyPath

    init<Model: AnyObject, Value>(_ keyPath: KeyPath<Model, Value>) {
        var topmost: AnyClass = Model.self
        while let superclass = _getSuperclass(topmost) { topmost = superclass }
        hierarchy = ObjectIdentifier(topmost)
        let rootless = unsafe Unmanaged<KeyPath<AnyObject, Value>>.fromOpaque(
            Unmanaged.passUnretained(keyPath).toOpaque()
        )
        path = unsafe (\Root.object).appending(path: rootless.takeUnretainedValue())
    }
}

/// The keys of properties, by key path and by identity. A program has few properties, but many subscripts. So a key lives as
/// long as a model has a record of it.
struct PropertyNames {
    private struct Entry {
        let name: String?
        let identity: PropertyIdentity?
        var keyPaths: [AnyKeyPath]
        /// The number of models with a record of the property, and of calls that may add one.
        var uses = 1
    }

    /// The fast way to a key.
    private var keys: [AnyKeyPath: PropertyKey] = [:]
    private var identified: [PropertyIdentity: PropertyKey] = [:]
    private var entries: [PropertyKey: Entry] = [:]
    /// Not the key of a removed property: a change that the program keeps may still ask for its name.
    private var next = PropertyKey(rawValue: PropertyKey.firstNamed)

    /// The key of a key path, which then has that number of uses more.
    mutating func find(_ keyPath: AnyKeyPath, using uses: Int) -> PropertyKey? {
        guard let known = keys[keyPath] else { return nil }
        entries[known]?.uses += uses
        return known
    }

    /// The key of a property, whose key path is another way to it.
    mutating func find(_ identity: PropertyIdentity, _ keyPath: AnyKeyPath, using uses: Int) -> PropertyKey? {
        guard let known = identified[identity] else { return nil }
        if keys.updateValue(known, forKey: keyPath) == nil { entries[known]?.keyPaths.append(keyPath) }
        entries[known]?.uses += uses
        return known
    }

    /// Adds a property with one use, or adds one to that which another thread has added meanwhile.
    /// - Parameter name: Nil takes the name from the key path.
    mutating func add(_ keyPath: AnyKeyPath, _ identity: PropertyIdentity?, name: String?) -> PropertyKey {
        if let known = find(keyPath, using: 1) { return known }
        if let identity, let known = find(identity, keyPath, using: 1) { return known }
        while entries[next] != nil { advance() }
        let key = next
        advance()
        entries[key] = Entry(name: name, identity: identity, keyPaths: [keyPath])
        keys[keyPath] = key
        if let identity { identified[identity] = key }
        return key
    }

    private mutating func advance() {
        next = PropertyKey(rawValue: (next.rawValue &+ 1) | PropertyKey.firstNamed)
    }

    mutating func retain(_ key: PropertyKey) { entries[key]?.uses += 1 }

    /// Removes the property after its last use. Returns the removed key paths, whose subscripts may hold any object.
    mutating func release(_ key: PropertyKey) -> [AnyKeyPath] {
        entries[key]?.uses -= 1
        guard let entry = entries[key], entry.uses == 0 else { return [] }
        for keyPath in entry.keyPaths { keys[keyPath] = nil }
        if let identity = entry.identity { identified[identity] = nil }
        entries[key] = nil
        return entry.keyPaths + (entry.identity.map { [$0.path] } ?? [])
    }

    /// The property's name, or a key path that ends with it; nothing for a removed property.
    func name(of key: PropertyKey) -> (String?, AnyKeyPath?) {
        (entries[key]?.name, entries[key]?.keyPaths.first)
    }
}
