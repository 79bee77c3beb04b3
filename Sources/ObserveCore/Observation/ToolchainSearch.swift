// SPDX-License-Identifier: MIT
// Finds types whose values lead to the toolchain's objects. Independent of models and observers.

internal import Observation
@_spi(Reflection) import Swift
import Synchronization

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

    /// Looks at stored properties, and at what wrappers and collections hold. A value of a protocol or in an enumeration may lead
    /// there, unless it is plain bytes.
    private mutating func finds(_ type: any Any.Type) -> Bool {
        if type is any Observable.Type { return true }
        if let holder = type as? any Holder.Type { return finds(holder.held) }
        switch PropertyKind.Shape(type) {
        case .existential: return true
        case .enumeration: return !isPlain(type)
        case .structure: return findsInProperties(of: type, options: [])
        case .object: return findsInProperties(of: type, options: _EachFieldOptions(rawValue: 1))
        case .other: return false
        }
    }

    private mutating func findsInProperties(of type: any Any.Type, options: _EachFieldOptions) -> Bool {
        guard seen.insert(ObjectIdentifier(type)).inserted else { return false }
        var hasFound = false
        unsafe _forEachField(of: type, options: options) { _, _, type, _ in
            hasFound = finds(type)
            return !hasFound
        }
        return hasFound
    }

    private func isPlain<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
}
