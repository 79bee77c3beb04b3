// SPDX-License-Identifier: MIT
// Finds types whose values lead to the toolchain's objects. Independent of models and observers.

internal import Observation
@_spi(Reflection) import Swift
import Synchronization

/// Finds types whose values may lead to objects with `@Observable`.
struct ToolchainSearch {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    private var seen: Set<ObjectIdentifier> = []

    /// Whether a value of that type is such an object, or may lead to one. Remembers it for each type.
    static func finds(_ type: any Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = known.withLock({ $0[key] }) { return known }
        var search = ToolchainSearch()
        let found = search.finds(type)
        known.withLock { $0[key] = found }
        return found
    }

    /// Looks at stored properties, and at what wrappers and collections hold. Any value of a protocol may lead there.
    private mutating func finds(_ type: any Any.Type) -> Bool {
        if type is any Observable.Type { return true }
        if let holder = type as? any Holder.Type { return finds(holder.held) }
        if PropertyKind.isExistential(type) { return true }
        guard seen.insert(ObjectIdentifier(type)).inserted else { return false }
        var hasFound = false
        let isClass = _EachFieldOptions(rawValue: type is AnyObject.Type ? 1 : 0)
        unsafe _forEachField(of: type, options: isClass) { _, _, type, _ in
            hasFound = finds(type)
            return !hasFound
        }
        return hasFound
    }
}
